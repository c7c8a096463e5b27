import { toServiceFault } from '../account/service-fault.ts'
import { ApiError } from '../api/errors.ts'
import type { Refusal } from './command.ts'
import { type ExitCode, exitCode } from './exit-code.ts'

/** Does what a command does with the service; a call that fails ends it. */
export async function withService(
  work: () => Promise<keyof typeof exitCode | Refusal>,
): Promise<ExitCode | Refusal> {
  try {
    const outcome = await work()
    return typeof outcome === 'string' ? exitCode[outcome] : outcome
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.kind === 'aborted') return exitCode.interrupted
    return {
      message: `${error.method} ${error.path}: ${toServiceFault(error)}.`,
      outcome: 'inconclusive',
    }
  }
}
