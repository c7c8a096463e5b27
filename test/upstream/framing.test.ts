import { describe, expect, it } from 'vitest'
import { answerWith, type Script } from '../support/recording-upstream.ts'
import { onlyValue } from '../support/wire.ts'
import { writeThen } from './fault.ts'
import { expectHealthy, get, openScene, send } from './scene.ts'

const LENGTH = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde'
const CHUNKED =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;ext=1\r\nab\r\n3\r\ncde\r\n0\r\nX-Trailer: 1\r\n\r\n'
const CLOSE = 'HTTP/1.1 200 OK\r\n\r\nabcde'
const OLD = 'HTTP/1.0 200 OK\r\n\r\nabcde'

describe('framing is our own on each side', () => {
  it.each([
    { service: 'Content-Length', script: answerWith(LENGTH), version: '1.1', framing: 'length', ends: 'no' },
    { service: 'Content-Length', script: answerWith(LENGTH), version: '1.0', framing: 'length', ends: 'yes' },
    { service: 'chunked', script: answerWith(CHUNKED), version: '1.1', framing: 'chunked', ends: 'no' },
    { service: 'chunked', script: answerWith(CHUNKED), version: '1.0', framing: 'close', ends: 'yes' },
    { service: 'close', script: writeThen(CLOSE, 'fin'), version: '1.1', framing: 'close', ends: 'yes' },
    { service: 'close', script: writeThen(CLOSE, 'fin'), version: '1.0', framing: 'close', ends: 'yes' },
    {
      service: 'HTTP/1.0 close',
      script: writeThen(OLD, 'fin'),
      version: '1.1',
      framing: 'close',
      ends: 'yes',
    },
    {
      service: 'HTTP/1.0 close',
      script: writeThen(OLD, 'fin'),
      version: '1.0',
      framing: 'close',
      ends: 'yes',
    },
  ] as const)('$service to HTTP/$version', async ({ script, version, framing, ends }) => {
    const scene = await openScene(script)
    const client = await scene.ask(get({ version }))
    const answer = await client.response()
    expect(answer.body).toBe('abcde')
    expect(answer.octets).not.toContain('X-Trailer')
    expect(onlyValue(answer.fields, 'content-length')).toBe(framing === 'length' ? '5' : undefined)
    expect(onlyValue(answer.fields, 'transfer-encoding')).toBe(framing === 'chunked' ? 'chunked' : undefined)
    if (ends === 'yes') expect(await client.ended()).toBe('end')
    await expectHealthy(scene, ends === 'yes' ? undefined : client)
    expect(scene.proxy.records[0]).toMatchObject({ outcome: 'ok', responseOctets: 5 })
  })
})

describe('a response without a body ends at its head', () => {
  it.each([
    { name: 'HEAD with Content-Length', method: 'HEAD', head: '200 OK\r\nContent-Length: 5', length: '5' },
    {
      name: 'HEAD with a huge Content-Length',
      method: 'HEAD',
      head: '200 OK\r\nContent-Length: 99999999999',
      length: '99999999999',
    },
    { name: 'HEAD with chunked', method: 'HEAD', head: '200 OK\r\nTransfer-Encoding: chunked' },
    { name: 'HEAD without framing', method: 'HEAD', head: '200 OK' },
    {
      name: 'HEAD 304 with Content-Length',
      method: 'HEAD',
      head: '304 Not Modified\r\nContent-Length: 5',
      length: '5',
    },
    { name: '204', method: 'GET', head: '204 No Content' },
    { name: '204 with Content-Length: 0', method: 'GET', head: '204 No Content\r\nContent-Length: 0' },
    { name: '204 with Content-Length', method: 'GET', head: '204 No Content\r\nContent-Length: 5' },
    { name: '204 with chunked', method: 'GET', head: '204 No Content\r\nTransfer-Encoding: chunked' },
    { name: '204 to POST', method: 'POST', head: '204 No Content\r\nContent-Length: 5' },
    { name: '304', method: 'GET', head: '304 Not Modified' },
    {
      name: '304 with Content-Length: 0',
      method: 'GET',
      head: '304 Not Modified\r\nContent-Length: 0',
      length: '0',
    },
    {
      name: '304 with Content-Length',
      method: 'GET',
      head: '304 Not Modified\r\nContent-Length: 5',
      length: '5',
    },
    { name: '304 with chunked', method: 'GET', head: '304 Not Modified\r\nTransfer-Encoding: chunked' },
    { name: '200 with Content-Length: 0', method: 'GET', head: '200 OK\r\nContent-Length: 0', length: '0' },
  ])('$name', async ({ method, head, length }) => {
    const scene = await openScene(answerWith(`HTTP/1.1 ${head}\r\n\r\n`))
    const client = await scene.ask(method === 'POST' ? send(method, 'abc') : get({ method }))
    const answer = await client.response(method)
    expect(answer.startLine).toBe(`HTTP/1.1 ${head.split('\r\n')[0]}`)
    expect(onlyValue(answer.fields, 'content-length')).toBe(length)
    expect(onlyValue(answer.fields, 'transfer-encoding')).toBeUndefined()
    await scene.proxy.recorded(1)
    expect(scene.proxy.records[0]).toMatchObject({ outcome: 'ok', responseOctets: 0 })
    await expectHealthy(scene, client)
    expect(scene.seen()).toBe(1)
  })
})

describe('a connection to the service is used again after', () => {
  const ok = answerWith(LENGTH)
  const rows: readonly { name: string; octets: string; script: Script }[] = [
    { name: 'GET', octets: get(), script: ok },
    { name: 'GET, chunked response', octets: get(), script: answerWith(CHUNKED) },
    { name: 'OPTIONS', octets: get({ method: 'OPTIONS' }), script: ok },
    { name: 'POST', octets: send('POST', 'abc'), script: ok },
    {
      name: 'POST, chunked',
      octets: `${get({ method: 'POST', lines: 'Transfer-Encoding: chunked\r\n' })}3\r\nabc\r\n0\r\n\r\n`,
      script: ok,
    },
    { name: 'POST with an empty body', octets: send('POST', ''), script: ok },
    { name: 'PUT', octets: send('PUT', 'abc'), script: ok },
    { name: 'PATCH', octets: send('PATCH', 'abc'), script: ok },
    { name: 'DELETE', octets: get({ method: 'DELETE' }), script: ok },
    { name: '204', octets: get(), script: answerWith('HTTP/1.1 204 No Content\r\n\r\n') },
    { name: '304', octets: get(), script: answerWith('HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n') },
    {
      name: '404',
      octets: get(),
      script: answerWith('HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nabcde'),
    },
  ]
  it.each(rows)('$name', async ({ octets, script }) => {
    const scene = await askThrice(octets, script)
    expect(scene.upstream.sockets).toHaveLength(1)
    expect(scene.seen()).toBe(3)
  })
})

describe('a connection to the service is not used again after', () => {
  const ok = answerWith(LENGTH)
  const head = answerWith('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n')
  const empty = `${get({ lines: 'Transfer-Encoding: chunked\r\n' })}0\r\n\r\n`
  const rows: readonly { name: string; octets: string; script: Script }[] = [
    { name: 'HEAD', octets: get({ method: 'HEAD' }), script: head },
    { name: 'HEAD with a body', octets: send('HEAD', 'abc'), script: head },
    { name: 'GET with a body', octets: send('GET', 'abc'), script: ok },
    { name: 'GET with an empty chunked body', octets: empty, script: ok },
    { name: 'OPTIONS with a body', octets: send('OPTIONS', 'abc'), script: ok },
    { name: 'DELETE with a body', octets: send('DELETE', 'abc'), script: ok },
    { name: 'an unknown method, with a body', octets: send('REPORT', 'abc'), script: ok },
    { name: 'POST that got 404', octets: send('POST', 'abc'), script: answerWith(NOT_FOUND) },
    { name: 'POST that got 302', octets: send('POST', 'abc'), script: answerWith(FOUND) },
    { name: 'GET that got 304 with a length', octets: get(), script: answerWith(NOT_MODIFIED) },
  ]
  it.each(rows)('$name', async ({ octets, script }) => {
    const scene = await askThrice(octets, script)
    expect(scene.upstream.requests.map(({ turn }) => turn)).toEqual([0, 0, 0, 0, 1])
    expect(scene.upstream.sockets).toHaveLength(4)
  })
})

const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nabcde'
const FOUND = 'HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n'
const NOT_MODIFIED = 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n'

/** Asks three times on one connection, and shows that the proxy is well afterwards. */
async function askThrice(octets: string, script: Script) {
  const scene = await openScene(script)
  const client = await scene.ask('')
  for (let turn = 0; turn < 3; turn += 1) {
    client.write(octets)
    await client.response(octets.slice(0, octets.indexOf(' ')))
  }
  await expectHealthy(scene, client)
  return scene
}
