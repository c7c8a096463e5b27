import type { Logger } from 'pino'
import { shown } from './log.ts'
import type { StartFailure, WorkerEnd } from './worker-process.ts'
import type { Replacement } from './workers.ts'

/** Logs what became of the workers that were to be replaced. */
export function logReplacement(
  { replaced, cut, stoppedBy }: Replacement,
  versions: readonly string[],
  log: Logger,
): void {
  const facts = { replaced, cut, versions }
  if (stoppedBy === undefined) {
    if (cut === 0) log.info(facts, 'workers replaced')
    else log.warn(facts, 'workers replaced, but exchanges had to be cut')
  } else {
    log.error(
      { ...facts, ...reasonOf(stoppedBy) },
      replaced === 0
        ? 'workers not replaced: the old ones stay'
        : 'only some workers replaced: the other old ones stay',
    )
  }
}

/** Why a worker could not be started, or ended, for the log. */
export function reasonOf(failure: StartFailure | WorkerEnd): Readonly<Record<string, unknown>> {
  switch (failure.kind) {
    case 'ended':
      return { reason: howItEnded(failure) }
    case 'unresponsive':
      return { reason: `it did not answer for ${failure.waitedMs / 1_000} s` }
    case 'died':
      return {
        reason: `a new worker ended while it started (${howItEnded(failure)}): standard error may say why`,
      }
    case 'not-started':
      return { reason: `the system could not start a new worker (${failure.code})` }
    case 'silent':
      return { reason: `a new worker did not listen within ${failure.waitedMs / 1_000} s` }
    case 'not-listening':
      return { reason: `a new worker could not listen (${failure.code})` }
    case 'config-refused':
      return { reason: 'the config is not valid for the version on disk', ...shown(failure.problems) }
    case 'other-protocol':
      return {
        reason: `version ${failure.version} on disk needs a restart: it does not understand the process that starts workers`,
      }
  }
}

function howItEnded({ exitCode, signal }: Omit<Extract<WorkerEnd, { kind: 'ended' }>, 'kind'>): string {
  return signal ?? `exit code ${exitCode}`
}
