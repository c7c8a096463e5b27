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

const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nabcde'
const FOUND = 'HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n'
const NOT_MODIFIED = 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n'

describe('framing is our own on each side', () => {
  it.each([
    ['Content-Length', '1.1', answerWith(LENGTH), 'length', 'no'],
    ['Content-Length', '1.0', answerWith(LENGTH), 'length', 'yes'],
    ['chunked', '1.1', answerWith(CHUNKED), 'chunked', 'no'],
    ['chunked', '1.0', answerWith(CHUNKED), 'close', 'yes'],
    ['close', '1.1', writeThen(CLOSE, 'fin'), 'close', 'yes'],
    ['close', '1.0', writeThen(CLOSE, 'fin'), 'close', 'yes'],
    ['HTTP/1.0 close', '1.1', writeThen(OLD, 'fin'), 'close', 'yes'],
    ['HTTP/1.0 close', '1.0', writeThen(OLD, 'fin'), 'close', 'yes'],
  ] as const)('%s to HTTP/%s', async (_service, version, script, framing, ends) => {
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
  it.each<[name: string, method: string, head: string, length?: string]>([
    ['HEAD with Content-Length', 'HEAD', '200 OK\r\nContent-Length: 5', '5'],
    ['HEAD with a huge Content-Length', 'HEAD', '200 OK\r\nContent-Length: 99999999999', '99999999999'],
    ['HEAD with chunked', 'HEAD', '200 OK\r\nTransfer-Encoding: chunked'],
    ['HEAD without framing', 'HEAD', '200 OK'],
    ['HEAD 304 with Content-Length', 'HEAD', '304 Not Modified\r\nContent-Length: 5', '5'],
    ['204', 'GET', '204 No Content'],
    ['204 with Content-Length: 0', 'GET', '204 No Content\r\nContent-Length: 0'],
    ['204 with Content-Length', 'GET', '204 No Content\r\nContent-Length: 5'],
    ['204 with chunked', 'GET', '204 No Content\r\nTransfer-Encoding: chunked'],
    ['204 to POST', 'POST', '204 No Content\r\nContent-Length: 5'],
    ['304', 'GET', '304 Not Modified'],
    ['304 with Content-Length: 0', 'GET', '304 Not Modified\r\nContent-Length: 0', '0'],
    ['304 with Content-Length', 'GET', '304 Not Modified\r\nContent-Length: 5', '5'],
    ['304 with chunked', 'GET', '304 Not Modified\r\nTransfer-Encoding: chunked'],
    ['200 with Content-Length: 0', 'GET', '200 OK\r\nContent-Length: 0', '0'],
  ])('%s', async (_name, method, head, length) => {
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
  it.each([
    ['GET', get(), ok],
    ['GET, chunked response', get(), answerWith(CHUNKED)],
    ['OPTIONS', get({ method: 'OPTIONS' }), ok],
    ['POST', send('POST', 'abc'), ok],
    [
      'POST, chunked',
      `${get({ method: 'POST', lines: 'Transfer-Encoding: chunked\r\n' })}3\r\nabc\r\n0\r\n\r\n`,
      ok,
    ],
    ['POST with an empty body', send('POST', ''), ok],
    ['PUT', send('PUT', 'abc'), ok],
    ['PATCH', send('PATCH', 'abc'), ok],
    ['DELETE', get({ method: 'DELETE' }), ok],
    ['204', get(), answerWith('HTTP/1.1 204 No Content\r\n\r\n')],
    ['304', get(), answerWith('HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n')],
    ['404', get(), answerWith(NOT_FOUND)],
  ])('%s', async (_name, octets, script) => {
    const scene = await askThrice(octets, script)
    expect(scene.upstream.sockets).toHaveLength(1)
    expect(scene.seen()).toBe(3)
  })
})

describe('a connection to the service is not used again after', () => {
  const ok = answerWith(LENGTH)
  const head = answerWith('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n')
  const empty = `${get({ lines: 'Transfer-Encoding: chunked\r\n' })}0\r\n\r\n`
  it.each([
    ['HEAD', get({ method: 'HEAD' }), head],
    ['HEAD with a body', send('HEAD', 'abc'), head],
    ['GET with a body', send('GET', 'abc'), ok],
    ['GET with an empty chunked body', empty, ok],
    ['OPTIONS with a body', send('OPTIONS', 'abc'), ok],
    ['DELETE with a body', send('DELETE', 'abc'), ok],
    ['an unknown method, with a body', send('REPORT', 'abc'), ok],
    ['POST that got 404', send('POST', 'abc'), answerWith(NOT_FOUND)],
    ['POST that got 302', send('POST', 'abc'), answerWith(FOUND)],
    ['GET that got 304 with a length', get(), answerWith(NOT_MODIFIED)],
  ])('%s', async (_name, octets, script) => {
    const scene = await askThrice(octets, script)
    expect(scene.upstream.requests.map(({ turn }) => turn)).toEqual([0, 0, 0, 0, 1])
    expect(scene.upstream.sockets).toHaveLength(4)
  })
})

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
