/** Exit codes; they do not depend on a report's format. */
export const exitCode = {
  /** Done, and nothing at or above `--fail-on`. */
  done: 0,
  /** Findings; or, after `serve`, exchanges that had to be cut. */
  findings: 1,
  /** A usage error, or a config that can't be read or is not valid. */
  usage: 2,
  /**
   * Inconclusive: every live probe inconclusive, the service unreachable, or an error of our own. After `serve`: a
   * condition that may be temporary, such as a port in use.
   */
  inconclusive: 3,
  /** Ended by SIGINT. */
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
