import { once } from 'node:events'
import { loadAccount, type Needs, type OpenAccount } from '../account/read-account.ts'
import { toServiceFault } from '../account/service-fault.ts'
import { ApiError } from '../api/errors.ts'
import { type Clock, systemClock } from '../api/transport.ts'
import type { Config } from '../config/config.ts'
import type { Outcome, Refusal } from './command.ts'
import { endLineOfTerminal, type Io } from './io.ts'
import { unsafeStartReason } from './refuse.ts'

/**
 * Does what a command does with the account of the config, unless something is wrong with Node or the config. Ctrl-C,
 * SIGTERM and SIGHUP abort calls, waits and questions, so that the command can still say what it has done.
 */
export async function withAccount(
  file: string | undefined,
  toNeeds: (config: Config) => Needs,
  work: (account: OpenAccount, io: Io) => Promise<Outcome>,
  io: Io,
): Promise<Outcome> {
  const unsafe = unsafeStartReason(io)
  if (unsafe !== undefined) return { message: unsafe }
  const stopping = new AbortController()
  const { signal } = stopping
  const stop = () => {
    endLineOfTerminal(io)
    stopping.abort()
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) io.onSignal(name, stop, true)
  const { ask } = io
  const askUnlessStopped = async (question: string) => {
    const answer = await ask?.(question, signal)
    signal.throwIfAborted()
    return answer
  }
  try {
    const calls = { budgetOf: io.budgetOf, signal, clock: tellingClock(io) }
    const loading = loadAccount(file, io, toNeeds, calls)
    // A config may be a pipe that nobody ever writes.
    const loaded = await Promise.race([loading, once(signal, 'abort').then(() => undefined)])
    if (loaded === undefined) {
      io.endWithCommand()
      return 'interrupted'
    }
    if ('problems' in loaded) return loaded
    return await work(loaded, ask === undefined ? io : { ...io, ask: askUnlessStopped })
  } catch (error) {
    if (signal.aborted || (error instanceof ApiError && error.kind === 'aborted')) return 'interrupted'
    return refuseCall(error)
  }
}

/** Why a call failed; throws what is no fault of a call. */
export function refuseCall(error: unknown): Refusal {
  if (!(error instanceof ApiError)) throw error
  return { message: `${error.method} ${error.path}: ${toServiceFault(error)}.`, outcome: 'inconclusive' }
}

/** Tells of waits that a user would notice: for the budget, and before a retry. */
export function tellingClock({ stderr }: Pick<Io, 'stderr'>): Clock {
  return {
    nowMs: systemClock.nowMs,
    sleep(ms, signal) {
      if (ms >= 1000) {
        const seconds = Math.ceil(ms / 1000)
        stderr(
          `Waiting ${seconds} s: the service is busy, or has had its 100 calls a minute from this address.\n`,
        )
      }
      return systemClock.sleep(ms, signal)
    },
  }
}
