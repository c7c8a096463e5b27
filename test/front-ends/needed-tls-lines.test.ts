import { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'
import { statusOf } from '../support/stage.ts'
import { valuesOf } from '../support/wire.ts'
import { type Cell, cellFiles } from './support/cells.ts'
import { readCertificate } from './support/front-end-stage.ts'
import { type PartFile, toLines } from './support/part-lines.ts'
import { checkSite, freePort, servers, skips, startSite } from './support/real-server.ts'
import { renderParts } from './support/rendered.ts'
import { AUTHORITY, KEY, PREFIX, stepsFor, toKeyFiles } from './support/started-site.ts'
import { certificateFile } from './support/typical-site.ts'

/** What is seen of one call: the status, whether the service met its own authority in Host, and the name in TLS. */
interface Seen {
  readonly status: number
  readonly host: 'own' | 'another' | 'none'
  readonly name: unknown
}

/** A service that the call goes to, and what is right there. */
type Reason =
  | 'syntax'
  | { readonly unseen: string }
  | { readonly service: 'good' | 'self-signed' | 'tls-1.3'; readonly isRight: (seen: Seen) => boolean }

const answers: Reason = { service: 'good', isRight: ({ status, host }) => status === 200 && host !== 'none' }
const ownHost: Reason = { service: 'good', isRight: ({ host }) => host === 'own' }
const refuses: Reason = { service: 'self-signed', isRight: ({ status }) => status >= 500 }
const direct: Reason = { unseen: 'the authority of the tests signs without another between' }

/** The lines that a service on https has beside those of one on http, by their beginning. */
const reasons: Readonly<Record<string, readonly (readonly [start: string, reason: Reason])[]>> = {
  nginx: [
    ['proxy_pass', answers],
    ['proxy_set_header Host', ownHost],
    ['proxy_ssl_server_name', { service: 'good', isRight: ({ name }) => name === 'localhost' }],
    ['proxy_ssl_name', answers],
    ['proxy_ssl_verify on', refuses],
    ['proxy_ssl_verify_depth', direct],
    ['proxy_ssl_trusted_certificate', 'syntax'],
    ['proxy_ssl_protocols', { service: 'tls-1.3', isRight: ({ status }) => status === 200 }],
  ],
  apache: [
    ['ProxyPass', answers],
    ['<Proxy', answers],
    ['SSLProxyEngine', answers],
    ['SSLProxyVerify require', refuses],
    ['SSLProxyVerifyDepth', direct],
    ['SSLProxyCACertificateFile', answers],
  ],
  haproxy: [
    ['http-request set-header Host', ownHost],
    ['server service', answers],
  ],
  caddy: [
    ['reverse_proxy', answers],
    ['header_up Host', ownHost],
    ['tls_trusted_ca_certs', answers],
  ],
}

describe.each(servers)('$name, forwarding to https', (server) => {
  describe.skipIf(skips(server))('every line is needed', () => {
    const names: unknown[] = []
    const upstreams: Record<string, RecordingUpstream> = {}
    let port = 0

    beforeAll(async () => {
      port = await freePort()
      const start = (certificate: string, options = {}) =>
        startUpstream(undefined, {
          tls: { ...readCertificate(certificate), ...options },
          onConnection: (socket) => names.push(socket instanceof TLSSocket && socket.servername),
        })
      upstreams.good = await start('service')
      upstreams['self-signed'] = await start('self-signed')
      upstreams['tls-1.3'] = await start('service', { minVersion: 'TLSv1.3' })
    })
    afterAll(async () => {
      await Promise.all(Object.values(upstreams).map((upstream) => upstream.close()))
    })

    const partsFor = (origin: string) =>
      renderParts(server.name, 'forward', {
        service: {
          url: `${origin}:${upstreams.good?.port}`,
          ca: `file:${certificateFile('authority', 'cert')}`,
        },
        widgetKey: 'env:WIDGET_KEY',
        points: [`https://localhost:${port}${PREFIX}`],
      })

    it('as a service of its kind shows', async () => {
      const parts = partsFor('https://localhost')
      // HAProxy's address inside depends on the service.
      const toBare = (line: string) => line.replace(/^(server once|bind) 127\..*$/, '$1')
      const plain = new Set(toLines(partsFor('http://127.0.0.1')).map(({ line }) => toBare(line)))
      const own = toLines(parts).filter(({ line }) => !plain.has(toBare(line)))
      expect(own.length).toBeGreaterThan(0)
      const faults: string[] = []
      const cells: Cell[] = []
      const addCell = (files: readonly PartFile[], service: string): Cell => {
        const index = cells.length + 1
        const [from, to] = [`localhost:${upstreams.good?.port}`, `localhost:${upstreams[service]?.port}`]
        const [fromAddress, toAddress] = [from, to].map((each) => each.replace('localhost', '127.0.0.1'))
        const aimed = files.map(({ file, text }) => ({
          file,
          text: text.replaceAll(from, to).replaceAll(fromAddress ?? '', toAddress ?? ''),
        }))
        const keyFiles = Object.entries(toKeyFiles(server)).map(([file, text]) => ({ file, text }))
        const cell: Cell = {
          id: `c${index}`,
          address: `127.0.2.${index}`,
          parts: [...aimed, ...keyFiles],
          steps: stepsFor(parts, 'localhost'),
        }
        cells.push(cell)
        return cell
      }
      for (const { line, without } of own) {
        const reason = reasons[server.name]?.find(([start]) => line.startsWith(start))?.[1]
        if (reason === undefined) faults.push(`no reason for ${line}`)
        if (reason === 'syntax') {
          const { code } = await checkSite(server, filesOf([addCell(without, 'good')]))
          if (code === 0) faults.push(`accepted without ${line}`)
        }
        if (reason === undefined || reason === 'syntax' || 'unseen' in reason) continue
        for (const [what, files, isRight] of [
          ['with', parts, true],
          ['without', without, false],
        ] as const) {
          const cell = addCell(files, reason.service)
          const seen = await callOnce(cell, reason.service)
          if (reason.isRight(seen) !== isRight) faults.push(`${what} ${line}: ${JSON.stringify(seen)}`)
        }
      }
      expect(faults).toEqual([])
    }, 60_000)

    const filesOf = (cells: readonly Cell[]) => (folder: string) =>
      cellFiles[server.name]?.(cells, { folder, port }) ?? {}

    /** Some of these lines hold for a whole process. */
    const callOnce = async (cell: Cell, service: string): Promise<Seen> => {
      const running = await startSite(server, filesOf([cell]), port, { WIDGET_KEY: KEY }, cell.address)
      const before = upstreams[service]?.requests.length ?? 0
      names.length = 0
      const client = await openClient(port, { ca: AUTHORITY, servername: 'localhost', host: cell.address })
      client.write(`GET ${PREFIX} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`)
      const status = statusOf(await client.response())
      client.close()
      await running.close()
      const request = upstreams[service]?.requests[before]
      const host = request === undefined ? undefined : valuesOf(request, 'host')[0]
      const own = `localhost:${upstreams[service]?.port}`
      return {
        status,
        host: host === undefined ? 'none' : host === own ? 'own' : 'another',
        name: names.at(-1),
      }
    }
  })
})
