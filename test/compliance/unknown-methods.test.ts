import { readFileSync } from 'node:fs'
import { METHODS } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { top } from '../project/source-tree.ts'
import { setUpStage } from '../support/stage.ts'

/** IANA's registry of methods (RFC 9110 section 16.1), without `*` and PRI, which no request may use. */
const registered =
  'ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT CONNECT COPY DELETE GET HEAD LABEL LINK LOCK MERGE MKACTIVITY MKCALENDAR MKCOL MKREDIRECTREF MKWORKSPACE MOVE OPTIONS ORDERPATCH PATCH POST PROPFIND PROPPATCH PUT QUERY REBIND REPORT SEARCH TRACE UNBIND UNCHECKOUT UNLINK UNLOCK UPDATE UPDATEREDIRECTREF VERSION-CONTROL'
// Node 20 does not know QUERY yet.
const unknown = registered.split(' ').filter((method) => method !== 'QUERY' && !METHODS.includes(method))

const limits = readFileSync(join(top, 'docs/limits.md'), 'utf8')

describe('registered methods that Node’s parser refuses', () => {
  const stage = setUpStage()

  it('are those that docs/limits.md names', () => {
    const [, item = ''] = /methods that Node's HTTP parser doesn't know([\s\S]*?)\n- /.exec(limits) ?? []
    expect([...item.matchAll(/`([A-Z-]+)`/g)].map(([, method]) => method)).toEqual(unknown)
  })

  it.each(unknown)('%s gets 400', async (method) => {
    const request = `${method} /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n\r\n`
    expect((await stage.play(request)).status).toBe(400)
  })

  it('are not the ones that it knows and we refuse, which docs/limits.md names with their status', async () => {
    const [, ...named] = /- \*\*No `(\w+)` and no `(\w+)`\*\*: (\d+)\./.exec(limits) ?? []
    expect(named).toEqual(['TRACE', 'CONNECT', '405'])
    for (const method of ['TRACE', 'CONNECT']) {
      const request = `${method} /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n\r\n`
      expect((await stage.play(request)).status).toBe(405)
    }
  })
})
