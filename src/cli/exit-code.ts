/** Exit codes; they do not depend on a report's format. */
export const EXIT_CODE = {
  /** Done, and nothing at or above `--fail-on`. */
  done: 0,
  /** Findings; or, after `serve`, exchanges that had to be cut. */
  findings: 1,
  /** A usage error, a config that can't be read or is not valid, or a named file that can't be written. */
  usage: 2,
  /** Nothing could be judged; the service, standard output or we failed; after `serve`, what may pass, as a used port. */
  inconclusive: 3,
  /** Ended by SIGINT; a command of `withAccounts` also by SIGTERM or SIGHUP. */
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT_CODE)[keyof typeof EXIT_CODE]
