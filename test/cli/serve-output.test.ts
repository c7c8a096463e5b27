import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { answerOk, type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** Prints the port of each listener on stderr: stdout, where the program announces it, is lost here. */
const tellPorts = `data:text/javascript,${encodeURIComponent(`
  import { Server } from 'node:net'
  const { emit } = Server.prototype
  Server.prototype.emit = function (event, ...rest) {
    if (event === 'listening') process.stderr.write('port ' + this.address().port + ';')
    return emit.call(this, event, ...rest)
  }`)}`

let upstream: RecordingUpstream
beforeAll(async () => {
  upstream = await startUpstream(answerOk)
})
afterAll(() => upstream.close())

/** Starts the program with a full disk behind its stdout. */
function startOnFullDisk(words: readonly string[]) {
  const disk = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, ['--import', tellPorts, main, ...words], {
    stdio: ['ignore', disk, 'pipe'],
    env: {
      CONTINUATION_SERVICE_URL: upstream.origin,
      CONTINUATION_WIDGET_KEY: 'test-widget-key',
      CONTINUATION_POINTS: 'http://www.example.com/service_cookie_transfer/',
    },
  })
  closeSync(disk)
  let stderr = ''
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const ports = new Promise<number[]>((resolve) => {
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      stderr += text
      const told = [...stderr.matchAll(/port (\d+);/g)].map(([, port]) => Number(port))
      if (told.length === 2) resolve(told)
    })
    child.on('close', () => resolve([]))
  })
  return { child, ended, ports, stderr: () => stderr.replace(/port \d+;/g, '') }
}

describe('a full disk under stdout', () => {
  it('costs serve its log and nothing more, and the metrics count the lines', async () => {
    const program = startOnFullDisk(['serve', '--port', '0', '--admin-port', '0'])
    const [port = 0, admin] = await program.ports
    const client = await openClient(port)
    for (let i = 0; i < 3; i += 1) {
      client.write('GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n\r\n')
      expect((await client.response()).startLine).toBe('HTTP/1.1 200 OK')
    }
    client.close()
    const metrics = await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text()
    // Those of the start, and one for each request.
    const [, lost] = /^continuation_point_log_lines_lost_total (\d+)$/m.exec(metrics) ?? []
    expect(Number(lost)).toBeGreaterThanOrEqual(3 + 3)
    program.child.kill('SIGTERM')
    expect([await program.ended, program.stderr()]).toEqual([0, ''])
  })
})
