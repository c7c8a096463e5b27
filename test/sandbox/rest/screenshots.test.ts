import { beforeEach, describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { openStandIn } from '../support/stand-in.ts'

const start_time = Date.UTC(2030, 0, 1)
const seed = {
  windowWidth: 1000,
  sessions: [{ start_url: 'https://www.example.com/', start_time }],
} as const
const { sandbox, call } = await openStandIn({ seed })
let id = ''
beforeEach(async () => {
  await call('POST /_sandbox/clock', { body: { now: '2030-01-01T00:00:00Z', frozen: true } })
  id = (await call('GET /sessions/')).json[0].id
})

const create = (body?: unknown) => call(`POST /sessions/${id}/screenshots/create/`, { body })
const latest = () => call(`GET /sessions/${id}/screenshots/latest/`)
const advance = (seconds: number) => call('POST /_sandbox/clock', { body: { advanceMs: seconds * 1000 } })
const image = (number: number) => ({
  status: 200,
  json: { url: `${sandbox.url}/screenshot/${id}/${number}.svg` },
})

describe('screenshots', () => {
  it('start once, as a text', async () => {
    const started = await create({ size: 640, interval: 10 })
    expect(started).toMatchObject({ status: 200, text: 'GENERATION-STARTED' })
    expect(started.headers['content-type']).toMatch(/^text\/plain/)
    expect((await create({ size: 320, interval: 5 })).text).toBe('ALREADY-RUNNING')
  })

  it.each([
    [10, 9, 0],
    [10, 10, 1],
    [10, 29, 2],
    [1, 4, 0],
    [1, 5, 1],
    [0, 14, 2],
    [undefined, 5, 1],
  ])('at an interval of %s s show after %i s the image %i', async (interval, seconds, number) => {
    await create({ interval })
    await advance(seconds)
    expect(await latest()).toMatchObject(image(number))
  })

  it.each([
    [640, 640],
    [1000, 1000],
    [1001, 1000],
    [undefined, 1000],
  ])('of the size %s are %i pixels wide', async (size, width) => {
    await create({ size })
    const answer = await ask(sandbox.url, new URL((await latest()).json.url).pathname)
    expect(answer.headers['content-type']).toBe('image/svg+xml')
    expect(answer.text).toContain(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}"`)
  })

  it('go on as long as the latest is requested, and then can be started again', async () => {
    await create({ interval: 5 })
    await advance(14)
    expect(await latest()).toMatchObject(image(2))
    await advance(14)
    expect(await latest()).toMatchObject(image(5))
    expect((await create()).text).toBe('ALREADY-RUNNING')
    await advance(15)
    expect(await latest()).toMatchObject(image(8))
    await advance(500)
    expect(await latest()).toMatchObject(image(8))
    expect((await create()).text).toBe('GENERATION-STARTED')
    expect(await latest()).toMatchObject(image(0))
  })

  it('end with the session', async () => {
    await create({ interval: 5 })
    await advance(7)
    await call(`POST /sessions/${id}/end/`)
    await advance(5)
    expect(await latest()).toMatchObject(image(1))
    expect((await create()).text).toBe('FAILED-INTERNALLY')
  })

  it('do not exist before they are started', async () => {
    expect(await latest()).toMatchObject({
      status: 404,
      json: { errors: { screenshot: [expect.any(String)] } },
    })
  })

  it.each([
    [{ size: 0 }, ['size']],
    [{ size: '640', interval: -1 }, ['interval', 'size']],
    [{ interval: 5.5 }, ['interval']],
    [{ width: 5 }, ['width']],
  ])('refuse %j and do not start', async (body, fields) => {
    const refused = await create(body)
    expect(refused.status).toBe(400)
    expect(Object.keys(refused.json.errors).sort()).toEqual(fields)
    expect((await latest()).status).toBe(404)
  })

  it.each(['GET /sessions/0/screenshots/latest/', 'POST /sessions/0/screenshots/create/'])(
    'do not exist for an unknown session: %s',
    async (what) => {
      expect(await call(what)).toMatchObject({
        status: 404,
        json: { errors: { session_id: [expect.any(String)] } },
      })
    },
  )
})
