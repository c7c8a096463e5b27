import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { startLoad } from '../support/steady-load.ts'

/** Sends visitors to the URL, `count` at a time, each on a connection of its own, until they are stopped. */
export function sendVisitors(url: string, authority: string, count: number) {
  const ca = readFileSync(authority)
  const faults: string[] = []
  const { more, stop } = startLoad(count, async () => {
    const fault = await visit(url, ca)
    if (fault !== undefined) faults.push(fault)
  })
  return {
    more,
    /** Stops them, and returns what went wrong. */
    stop: async (): Promise<readonly string[]> => {
      await stop()
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
