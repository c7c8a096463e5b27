import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { startUpstream } from '../support/recording-upstream.ts'
import { startProxy } from '../support/start-proxy.ts'
import { until } from '../support/until.ts'
import { valuesOf } from '../support/wire.ts'
import { freePort, servers, skips } from './support/real-server.ts'
import { renderParts } from './support/rendered.ts'
import { startSmallestSite } from './support/smallest-site.ts'

const PATH = '/service_cookie_transfer/'
/** What a visitor sends: an id that `serve` would believe, and what no log of ours may show. */
const VISITOR = 'an-id-of-the-visitor'
const MARK = 'marked-query'
/** An intermediary removes what Connection names, and so may remove an id that it has set itself. */
const HIDING = 'Connection: keep-alive, X-Request-Id\r\n'

/** What else has to be in the config of the site for a log. */
const logging: Readonly<Record<string, (text: string) => string>> = {
  caddy: (text) => text.replace('respond 404', 'respond 404\n\tlog'),
}

const rows = servers.flatMap((server) =>
  (['route', 'forward'] as const).map((mode) => ({ server, mode, name: server.name })),
)

describe('a request has one id, which the visitor does not choose, in each log and at the service', () => {
  it.for(rows)('$name, $mode', async ({ server, mode }, { skip }) => {
    if (skips(server)) skip()
    const folder = mkdtempSync(join(tmpdir(), 'continuation-point-log-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const upstream = await startUpstream()
    onTestFinished(() => upstream.close())
    const port = await freePort()
    const points = [`http://www.example.com:${port}${PATH}`]
    const proxy = await startProxy(upstream.origin, { points })
    onTestFinished(() => proxy.close())
    const config = { service: { url: upstream.origin }, widgetKey: 'env:WIDGET_KEY', points }
    const parts = renderParts(server.name, mode, config, `127.0.0.1:${proxy.port}`).map((part) => ({
      ...part,
      text: part.text.replaceAll('/var/log/nginx/', `${folder}/`),
    }))
    const site = await startSmallestSite(server, parts, points, {
      edit: logging[server.name] ?? ((text) => text),
    })
    onTestFinished(() => site.close())
    const logged = () =>
      [join(folder, FILE), join(site.folder, FILE)]
        .filter((file) => existsSync(file))
        .reduce((text, file) => text + readFileSync(file, 'utf8'), site.log())

    const client = await openClient(port)
    for (const connection of ['', HIDING]) {
      client.write(
        `GET ${PATH}?${MARK} HTTP/1.1\r\nHost: www.example.com:${port}\r\n${connection}X-Request-Id: ${VISITOR}\r\n\r\n`,
      )
      await client.response()
    }
    client.close()

    const [plain, hidden] = upstream.requests.map((request) => valuesOf(request, 'x-request-id'))
    let ids = [...(plain ?? []), ...(hidden ?? [])]
    if (mode === 'route') {
      await proxy.recorded(2)
      ids = proxy.records.map(({ id }) => id())
      expect(plain).toEqual([ids[0]])
      // HAProxy passes Connection on, so there serve is told not to.
      expect(hidden).toEqual(server.name === 'haproxy' ? [] : [ids[1]])
    }
    expect(new Set(ids).size).toBe(2)
    expect(ids).not.toContain(VISITOR)
    await until(() => ids.every((id) => logged().includes(id)))
    if (server.name === 'caddy') return
    const lines = logged()
      .split('\n')
      .filter((line) => ids.some((id) => line.includes(id)))
    expect(lines).toHaveLength(2)
    expect(lines.join()).not.toMatch(new RegExp(`${MARK}|127\\.0\\.0\\.1`))
  })
})

const FILE = 'continuation-point.log'
