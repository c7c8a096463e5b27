import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openForTest } from '../support/open-for-test.ts'
import { until } from '../support/until.ts'
import { valuesOf } from '../support/wire.ts'
import { openPartsStage } from './support/front-end-stage.ts'
import { serversInEachMode, skips } from './support/real-server.ts'

/** What a visitor sends: an id that `serve` would believe, and what no log of ours may show. */
const VISITOR = 'an-id-of-the-visitor'
const MARK = 'marked-query'
/** An intermediary removes what Connection names, and so may remove an id that it has set itself. */
const HIDING = 'Connection: keep-alive, X-Request-Id\r\n'

/** What else has to be in the config of the site for a log. */
const logging: Readonly<Record<string, (text: string) => string>> = {
  caddy: (text) => text.replace('respond 404', 'respond 404\n\tlog'),
}

it.for(serversInEachMode)(
  '$name, $mode: a request has one id, which the visitor does not choose, in each log and at the service',
  async ({ server, mode }, { skip }) => {
    if (skips(server)) skip()
    const edit = logging[server.name] ?? ((text: string) => text)
    const stage = await openForTest(openPartsStage(server, mode, { edit }))
    const { upstream, proxy } = stage
    const file = join(stage.server.folder, 'continuation-point.log')
    const logged = () => stage.server.log() + (existsSync(file) ? readFileSync(file, 'utf8') : '')
    for (const connection of ['', HIDING])
      await stage.ask(`/service_cookie_transfer/?${MARK}`, {
        lines: `${connection}X-Request-Id: ${VISITOR}\r\n`,
      })

    const [plain, hidden] = upstream.requests.map((request) => valuesOf(request, 'x-request-id'))
    let ids = [...(plain ?? []), ...(hidden ?? [])]
    if (proxy !== undefined) {
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
  },
)
