import { readFileSync } from 'node:fs'
import { request } from 'node:https'

/** Visitors of a page, each on a connection of its own, one after another. */
export interface Visitors {
  /** How many were answered so far. */
  readonly answered: () => number
  /** Resolves once so many more were answered. */
  more(count: number): Promise<void>
  /** No more come; whatever went wrong. */
  stop(): Promise<readonly string[]>
}

/** Sends visitors to the URL, `count` at a time, until they are stopped. */
export function sendVisitors(url: string, authority: string, count: number): Visitors {
  const ca = readFileSync(authority)
  const faults: string[] = []
  const watchers = new Set<() => void>()
  let state: 'coming' | 'stopped' = 'coming'
  let answered = 0
  const visitors = Array.from({ length: count }, async () => {
    while (state === 'coming') {
      const fault = await visit(url, ca)
      if (fault !== undefined) faults.push(fault)
      answered += 1
      for (const watcher of [...watchers]) watcher()
    }
  })
  return {
    answered: () => answered,
    more: (wanted) =>
      new Promise((resolve) => {
        const target = answered + wanted
        const watcher = () => {
          if (answered < target) return
          watchers.delete(watcher)
          resolve()
        }
        watchers.add(watcher)
      }),
    stop: async () => {
      state = 'stopped'
      await Promise.all(visitors)
      return faults
    },
  }
}

function visit(url: string, ca: Buffer): Promise<string | undefined> {
  return new Promise((resolve) => {
    const { hostname, host } = new URL(url)
    const options = { ca, agent: false, hostname: '127.0.0.1', servername: hostname, headers: { Host: host } }
    const asked = request(url, options, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode === 200 ? undefined : `status ${answer.statusCode}`))
      answer.on('error', (error) => resolve(error.message))
    })
    asked.on('error', (error) => resolve(error.message))
    asked.end()
  })
}
