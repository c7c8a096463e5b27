import { type LoadedAccounts, loadAccounts, type Needs } from '../account/open-accounts.ts'
import { toServiceFault } from '../account/service-fault.ts'
import { ApiError } from '../api/errors.ts'
import type { Config } from '../config/config.ts'
import type { Refusal } from './command.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import type { Io } from './io.ts'
import { unsafeStartReason } from './unsafe-start.ts'

type Outcome = keyof typeof exitCode | Refusal

/** Does what a command does with the accounts of the config, unless something is wrong with Node or the config. */
export async function withAccounts(
  file: string | undefined,
  toNeeds: (config: Config) => Needs,
  work: (loaded: LoadedAccounts) => Promise<Outcome>,
  io: Io,
): Promise<ExitCode | Refusal> {
  const unsafe = unsafeStartReason(io)
  if (unsafe !== undefined) return { message: unsafe }
  try {
    const loaded = await loadAccounts(file, io, toNeeds, {
      budgetOf: io.budgetOf,
      onWait: (ms) =>
        io.stderr(
          `Waiting ${Math.ceil(ms / 1000)} s: the service takes 100 calls a minute from one address.\n`,
        ),
    })
    if ('problems' in loaded) return loaded
    const outcome = await work(loaded)
    return typeof outcome === 'string' ? exitCode[outcome] : outcome
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.kind === 'aborted') return exitCode.interrupted
    const message = `${error.method} ${error.path}: ${toServiceFault(error)}.`
    return { message, outcome: 'inconclusive' }
  }
}
