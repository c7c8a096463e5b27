/** One request as it arrived, without its secrets. */
export interface LoggedRequest {
  /** From 1, since the start or the last reset. */
  readonly number: number
  /** The stand-in's time. */
  readonly at: string
  readonly method: string
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
  /** Of the body. */
  readonly octets: number
  readonly body?: unknown
  readonly status: number
}

/** Keeps the last thousand requests. */
export function openRequestLog() {
  const requests: LoggedRequest[] = []
  let last = 0
  return {
    /** The oldest first. */
    list: (): readonly LoggedRequest[] => requests,
    add(request: Omit<LoggedRequest, 'number'>): void {
      last += 1
      requests.push({ number: last, ...request })
      if (requests.length > MOST_REQUESTS) requests.shift()
    },
  }
}

const MOST_REQUESTS = 1000
