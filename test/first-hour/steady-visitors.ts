import { request } from 'node:https'
import { pemOf } from '../support/certificates/certificate.ts'
import { startLoad } from '../support/steady-load.ts'
import { shopHosts } from './shop.ts'

const [servername] = shopHosts
const ca = pemOf('shop-authority.cert')

/** Sends visitors to the shop, four at a time, each on a connection of its own, until they are stopped. */
export function sendVisitors(port: number) {
  const faults: string[] = []
  const { more, stop } = startLoad(4, async () => {
    const fault = await visit(port)
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

function visit(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const headers = { Host: `${servername}:${port}` }
    const options = { ca, agent: false, host: '127.0.0.1', port, servername, headers }
    const asked = request(options, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode === 200 ? undefined : `status ${answer.statusCode}`))
      answer.on('error', (error) => resolve(error.message))
    })
    asked.on('error', (error) => resolve(error.message))
    asked.end()
  })
}
