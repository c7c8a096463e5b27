/**
 * The most client connections that a process keeps open, so that it never runs out of file descriptors: with none left, it
 * can't connect to the service, and a worker can't take a connection from the primary, which then never hands it another.
 *
 * The service gets as many as its limit, but at most half: no exchange has a connection to the service without one to a
 * client.
 *
 * @param fileLimit how many files the process may have open; `undefined` if there is no limit, or it is unknown
 */
export function toClientLimit(fileLimit: number | undefined, upstreamConnections: number): number {
  if (fileLimit === undefined) return Number.POSITIVE_INFINITY
  const free = fileLimit - OTHER_FILES
  return Math.max(1, free - Math.min(upstreamConnections, Math.floor(free / 2)))
}

/** Probes and scrapers open few, for a moment each. */
export const MOST_ADMIN_CONNECTIONS = 16

/**
 * A process has some 25 files open before the first connection. The rest is for name lookups, files that are read, the
 * admin listener, and connections that are closed at once because there are too many.
 */
const OTHER_FILES = 40 + MOST_ADMIN_CONNECTIONS
