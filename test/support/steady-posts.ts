import { Agent, request } from 'node:http'
import { expect } from 'vitest'
import type { RecordingUpstream } from './recording-upstream.ts'
import { startLoad } from './steady-load.ts'

/** Where a front end listens, and its Host. */
export interface FrontDoor {
  readonly socketPath?: string
  readonly port?: number
  readonly host: string
}

const CLIENTS = 8
const PREFIX = '/service_cookie_transfer/'

/** Starts clients that send one POST after the other, each with a path of its own. */
export function startPosting(door: FrontDoor) {
  const agent = new Agent({ keepAlive: true })
  const answers: string[] = []
  let sent = 0
  const { more, stop } = startLoad(CLIENTS, async () => {
    sent += 1
    answers.push(await post(door, `load/${sent}`, agent))
  })
  return {
    more,
    /** Stops them. No request has failed, and the service has seen each once. */
    stop: async ({ requests }: RecordingUpstream) => {
      await stop()
      agent.destroy()
      expect([...new Set(answers)]).toEqual(['200 ok'])
      expect(answers.length).toBe(sent)
      const seen = requests.map(({ startLine }) => startLine).filter((line) => line.includes('/load/'))
      expect(new Set(seen).size).toBe(sent)
      expect(seen.length).toBe(sent)
    },
  }
}

/** Status and body of what comes back, or the code of the error. */
export function post({ host, ...place }: FrontDoor, path: string, agent?: Agent): Promise<string> {
  return new Promise((resolve) => {
    const options = { ...place, path: `${PREFIX}${path}`, method: 'POST', headers: { Host: host } }
    const outgoing = request({ ...options, ...(agent && { agent }) }, (incoming) => {
      let body = ''
      incoming.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      incoming.on('end', () => resolve(`${incoming.statusCode} ${body}`))
      incoming.on('error', (error) => resolve(error.name))
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name))
    // Node's agent has no listener on a socket for a moment after each response, and a front end may reset one just then.
    outgoing.on('socket', (socket) => {
      if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore)
    })
    outgoing.end('body')
  })
}

function ignore(): void {}
