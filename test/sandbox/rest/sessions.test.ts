import { beforeEach, describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { openStandIn } from '../support/stand-in.ts'

const seed = {
  agents: [{ agent_name: 'Ada', agent_email: 'ada@example.com' }],
  sessions: [
    {
      start_url: 'https://www.example.com/a',
      start_time: Date.UTC(2029, 0, 5),
      duration: 60,
      tags: ['a', 'b'],
    },
    { start_url: 'https://www.example.com/b', start_time: Date.UTC(2029, 1, 5), agent_id: 1, tags: ['b'] },
  ],
  clients: [
    {
      company_name: 'Client',
      client_key: 'client-key',
      rest_key: 'client-rest-key',
      sessions: [
        { start_url: 'https://www.example.org/', start_time: Date.UTC(2028, 5, 1), duration: 5 },
        { start_url: 'https://www.example.org/', start_time: Date.UTC(2029, 6, 1) },
      ],
    },
  ],
} as const
const { sandbox, call } = await openStandIn({ seed })
const START = '2030-01-01T00:00:00.000000Z'
const url = 'https://www.example.com/start'
beforeEach(async () => {
  await call('POST /_sandbox/clock', { body: { now: START, frozen: true } })
})

const create = async (body: object = {}) => (await call('POST /sessions/', { body: { url, ...body } })).json
const read = async (id: string) => (await call(`GET /sessions/${id}/`)).json
const advance = (seconds: number) => call('POST /_sandbox/clock', { body: { advanceMs: seconds * 1000 } })
const open = (link: string) => ask(sandbox.url, new URL(link).pathname)

describe('a session', () => {
  it('is created with its leader link, and without what is unknown yet', async () => {
    const { options, ...created } = await create({ agent_id: 1, tags: ['x'] })
    expect(created).toEqual({
      id: created.session_id,
      session_id: expect.stringMatching(/^[0-9a-z]{32}$/),
      formatted_id: expect.stringMatching(/^\d{3}-\d{3}-\d{3}$/),
      agent_id: 1,
      follower_link: `${sandbox.url}/session/${created.id}/follower`,
      leader_link: `${sandbox.url}/session/${created.id}/leader`,
      cobro_server_name: 'stand-in-eu',
      start_time: START,
      duration: null,
      end_time: null,
      queue_id: 1,
      pin: expect.stringMatching(/^\d{4}$/),
      queued: false,
      waiting_time: null,
      start_url: url,
      meta: '{}',
      tags: ['x'],
      videochat_archive_id: null,
      space: null,
    })
    expect(options).toMatchObject({ ui_off: false, cookie_transfer_urls: [] })
  })

  it('is read by its id, its formatted id, and that without hyphens', async () => {
    const { id, formatted_id, leader_link: _, ...created } = await create()
    const expected = { ...created, id, formatted_id, participant_num: 0, successful_start: null }
    for (const each of [id, formatted_id, formatted_id.replaceAll('-', '')]) {
      expect(await read(each)).toEqual(expected)
    }
  })

  it('accepts options by the name of either set', async () => {
    const { options } = await create({ ui_off: true, end_redirect_enabled: false, theme_font_size: 20 })
    expect(options).toMatchObject({
      ui_off: true,
      hide_session_ui: true,
      disable_end_redirect: true,
      end_redirect_enabled: false,
      theme_font_size: 20,
    })
  })

  it('is ended once, with end time and duration', async () => {
    const { id, leader_link } = await create()
    await open(leader_link)
    await advance(90.9)
    const ended = await call(`POST /sessions/${id}/end/`)
    expect(ended).toMatchObject({
      status: 200,
      json: {
        duration: 90,
        end_time: '2030-01-01T00:01:30.900000Z',
        successful_start: true,
        participant_num: 1,
      },
    })
    await advance(10)
    expect((await call(`POST /sessions/${id}/end/`, { body: {} })).json).toEqual(ended.json)
  })

  it.each([
    [119, false, { end_time: null, duration: null, successful_start: null }],
    [120, false, { end_time: '2030-01-01T00:02:00.000000Z', duration: 120, successful_start: false }],
    [5000, false, { end_time: '2030-01-01T00:02:00.000000Z', duration: 120, successful_start: false }],
    [5000, true, { end_time: null, duration: null, successful_start: true }],
  ])('after %i s, leader link opened: %s', async (seconds, opened, expected) => {
    const { id, leader_link } = await create()
    if (opened) await open(leader_link)
    await advance(seconds)
    expect(await read(id)).toMatchObject(expected)
  })

  it('can’t be joined by its links once it is closed', async () => {
    const { id, leader_link } = await create()
    await advance(120)
    expect((await open(leader_link)).status).toBe(410)
    expect(await read(id)).toMatchObject({ participant_num: 0, successful_start: false })
  })

  it.each([
    [{}, false, null],
    [{ widget_key: 'demo-widget-key' }, true, '00:00:00'],
    [{ widget_key: 'demo-widget-key', skip_queue: false }, true, '00:00:00'],
    [{ widget_key: 'demo-widget-key', skip_queue: true }, false, null],
    [{ widget_key: 0 }, false, null],
    [{ widget_key: '' }, false, null],
  ])('with %j is queued: %s', async (body, queued, waiting_time) => {
    expect(await create(body)).toMatchObject({ queued, waiting_time, options: { widget_key: '' } })
  })

  it('shows no widget key, even where the account has one as its default', async () => {
    await call('PATCH /company/options/', { body: { widget_key: 'demo-widget-key' } })
    const { id, options } = await create()
    expect(options.widget_key).toBe('')
    expect((await read(id)).options.widget_key).toBe('')
  })

  it('waits in the queue until a follower comes', async () => {
    const { id, leader_link, follower_link } = await create({ widget_key: 'demo-widget-key' })
    await open(leader_link)
    await advance(3_725)
    expect(await read(id)).toMatchObject({ queued: true, waiting_time: '01:02:05' })
    await open(follower_link)
    await advance(60)
    const joined = { queued: true, waiting_time: '01:02:05', participant_num: 2 }
    expect(await read(id)).toMatchObject(joined)
    await call(`POST /sessions/${id}/end/`)
    expect(await read(id)).toMatchObject(joined)
  })

  it.each([
    ['POST /sessions/', {}, 400, ['url']],
    ['POST /sessions/', { url: 'www.example.com' }, 400, ['url']],
    ['POST /sessions/', { url: 'ftp://example.com/' }, 400, ['url']],
    [
      'POST /sessions/',
      { url, agent_id: '1', tags: 'a', skip_queue: 1 },
      400,
      ['agent_id', 'skip_queue', 'tags'],
    ],
    ['POST /sessions/', { url, tags: ['a', 2] }, 400, ['tags']],
    ['POST /sessions/', { url, agent_id: 99 }, 404, ['agent_id']],
    ['POST /sessions/', { url, ui_off: 'yes' }, 400, ['ui_off']],
    ['POST /sessions/', { url, ui_off: true, hide_session_ui: false }, 400, ['hide_session_ui']],
    ['POST /sessions/', { url, hide_ui: true }, 400, ['hide_ui']],
    ['POST /sessions/', { url, widget_key: 'other' }, 400, ['widget_key']],
    ['POST /sessions/unknown/end/', undefined, 404, ['session_id']],
    ['POST /sessions/unknown/end/', { why: 1 }, 400, ['why']],
    ['GET /sessions/unknown/', undefined, 404, ['session_id']],
    ['GET /sessions/123-456-78/', undefined, 404, ['session_id']],
    ['GET /sessions/?month=13', undefined, 400, ['month']],
    ['GET /sessions/?year=x&pin=12345', undefined, 400, ['pin', 'year']],
    ['GET /sessions/?clientkey=unknown', undefined, 404, ['clientkey']],
  ])('is refused: %s %j with %i', async (what, body, status, fields) => {
    const before = (await call('GET /sessions/')).json
    const refused = await call(what, { body })
    expect(refused.status).toBe(status)
    expect(Object.keys(refused.json.errors).sort()).toEqual(fields)
    expect((await call('GET /sessions/')).json).toEqual(before)
  })
})

describe('the list of sessions', () => {
  it.each([
    ['', ['/start', '/b', '/a']],
    ['?active_session=true', ['/start', '/b']],
    ['?active_session=false', ['/a']],
    ['?agent_id=1', ['/b']],
    ['?year=2029', ['/b', '/a']],
    ['?year=2029&month=1', ['/a']],
    ['?month=2', ['/b']],
    ['?tags=b', ['/b', '/a']],
    ['?tags=b,%20a', ['/a']],
    ['?tags=', ['/start', '/b', '/a']],
  ])('%s', async (query, paths) => {
    await create()
    const { json } = await call(`GET /sessions/${query}`)
    expect(json.map(({ start_url }: { start_url: string }) => new URL(start_url).pathname)).toEqual(paths)
  })

  it('is filtered by PIN, whatever its leading zeros', async () => {
    const { id, pin } = await create()
    const found = (await call(`GET /sessions/?active_session=true&pin=${Number(pin)}`)).json
    expect(found.map((session: { id: string }) => session.id)).toEqual([id])
  })

  it.each([
    ['', 2],
    ['&active_session=false', 2],
    ['&active_session=true', 1],
    ['&year=2028', 1],
  ])('of a client shows its reseller five fields: clientkey%s', async (filter, count) => {
    const { json } = await call(`GET /sessions/?clientkey=client-key${filter}`)
    expect(json).toHaveLength(count)
    expect(Object.keys(json[0]).sort()).toEqual([
      'agent_id',
      'duration',
      'follower_link',
      'session_id',
      'start_time',
    ])
  })

  it('of a client is refused to anyone but its reseller', async () => {
    const refused = await call('GET /sessions/?clientkey=client-key', { key: 'client-rest-key' })
    expect(refused.status).toBe(403)
  })

  it('of one company is separate from that of another', async () => {
    expect((await call('GET /sessions/', { key: 'client-rest-key' })).json).toHaveLength(2)
    const { id } = await create()
    expect((await call(`GET /sessions/${id}/`, { key: 'client-rest-key' })).status).toBe(404)
  })
})

describe('a link of a session', () => {
  it.each([
    ['/session/0/leader', 'GET', 404],
    ['/session/0/leader', 'POST', 405],
    ['/session/0/other', 'GET', 404],
    ['/screenshot/0/1.svg', 'GET', 404],
  ])('%s %s is answered with %i', async (path, method, status) => {
    expect((await ask(sandbox.url, path, { method })).status).toBe(status)
  })
})
