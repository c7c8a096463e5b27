/** What the process says when it ends; a report's format never changes it. */
export const exitCode = {
  /** Done, and nothing at or above `--fail-on`. */
  done: 0,
  /** Findings; or, after `serve`, exchanges that had to be cut. */
  findings: 1,
  /** A usage error, or a config that can't be read or is not valid. */
  usage: 2,
  /**
   * Could not tell: every live probe inconclusive, the service unreachable, or a fault of our own. After `serve`: what
   * may pass by itself, such as a port in use.
   */
  inconclusive: 3,
  /** Ended by SIGINT. */
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
