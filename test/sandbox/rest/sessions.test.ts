import { beforeEach, describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { openFrozenStandIn } from '../support/stand-in.ts'

/** One session a day from 1 January 2029 on, its day in the URL; the fifth still runs. */
const seed = {
  pageSize: 2,
  agents: [{ agent_name: 'Ada', agent_email: 'ada@example.com' }],
  sessions: [1, 2, 3, 4, 5].map((day) => ({
    start_url: `https://www.example.com/${day}`,
    start_time: Date.UTC(2029, 0, day),
    ...(day === 5 ? {} : { duration: day * 10 }),
    ...(day === 2 ? { agent_id: 1 } : {}),
    tags: { 1: ['a', 'why?'], 2: ['a', 'b & c', 'why?'], 3: ['why?'] }[day] ?? [],
  })),
  clients: [
    {
      company_name: 'Client',
      client_key: 'client-key',
      rest_key: 'client-rest-key',
      sessions: [{ start_url: 'https://www.example.org/', start_time: Date.UTC(2028, 5, 1), duration: 5 }],
    },
  ],
} as const
const { sandbox, call, advance } = await openFrozenStandIn({ seed })
const url = 'https://www.example.com/6'

const create = async (body: object = {}) => (await call('POST /sessions/', { body: { url, ...body } })).json
const open = (link: string) => ask(sandbox.url, new URL(link).pathname)
const daysOf = (sessions: readonly { readonly start_url: string }[]) =>
  sessions.map(({ start_url }) => Number(new URL(start_url).pathname.slice(1)))

describe('a session', () => {
  it('is ended once, with end time and duration', async () => {
    const { id, leader_link } = await create()
    await open(leader_link)
    await advance(90.9)
    const ended = await call(`POST /sessions/${id}/end/`)
    expect(ended.json).toMatchObject({
      duration: 90,
      end_time: '2030-01-01T00:01:30.900000Z',
      successful_start: true,
      participant_num: 1,
    })
    await advance(10)
    expect((await call(`POST /sessions/${id}/end/`, { body: {} })).json).toEqual(ended.json)
  })

  it('of one company is separate from that of another', async () => {
    const key = 'client-rest-key'
    expect((await call('GET /sessions/', { key })).json).toHaveLength(1)
    expect((await call(`GET /sessions/${(await create()).id}/`, { key })).status).toBe(404)
    expect((await call('GET /sessions/?clientkey=client-key', { key })).status).toBe(403)
  })
})

it.each([
  ['', [6, 5, 4, 3, 2, 1]],
  ['?active_session=true', [6, 5]],
  ['?active_session=false', [4, 3, 2, 1]],
  ['?agent_id=1', [2]],
  ['?year=2029&month=1&tags=a', [2, 1]],
  ['?tags=b%20%26%20c,%20a', [2]],
  ['?tags=', [6, 5, 4, 3, 2, 1]],
])('the list of sessions is filtered by %s', async (query, days) => {
  await create()
  expect(daysOf((await call(`GET /sessions/${query}`)).json)).toEqual(days)
})

describe('the history', () => {
  interface HistoryPage {
    readonly next: string | null
    readonly previous: string | null
    readonly results: readonly { readonly start_url: string }[]
  }

  /** Follows `next` from the first page on; the links bring the key along. */
  async function pagesOf(query: string): Promise<readonly HistoryPage[]> {
    const pages: HistoryPage[] = [(await call(`GET /history/${query}`)).json]
    for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) {
      const { pathname, search } = new URL(next)
      const page = await call(`GET ${pathname.slice('/v2'.length)}${search}`, { key: null })
      pages.push(page.json)
    }
    return pages
  }

  it('is paged, the newest first, linked both ways', async () => {
    const pages = await pagesOf('')
    expect(pages.map(({ results }) => daysOf(results))).toEqual([[5, 4], [3, 2], [1]])
    const link = `${sandbox.url}/v2/history/?api_key=demo-api-key&page=`
    expect(pages.map(({ previous }) => previous)).toEqual([null, `${link}1`, `${link}2`])
    expect(pages.map(({ next }) => next)).toEqual([`${link}2`, `${link}3`, null])
  })

  it.each([
    ['active_session=true', [5]],
    ['agent_id=1', [2]],
    ['agent_id=null', [5, 4, 3, 1]],
    ['tags=a&tags=b%20%26%20c', [2]],
    ['tags=why?', [3, 2, 1]],
    ['tags=null', [5, 4]],
    ['tags=null&tags=a', []],
    ['max_duration=20', [2, 1]],
    ['min_duration=20.5&max_duration=30', [3]],
    ['max_date=2029-01-03T00:00:00Z', [2, 1]],
    ['min_date=2029-01-02&max_date=2029-01-03', [2]],
    ['min_date=2029-01-03T00:00:00-02:00', [5, 4]],
    ['tags=a&agent_id=null&active_session=false', [1]],
  ])('is filtered on every page: %s', async (query, days) => {
    expect((await pagesOf(`?${query}`)).flatMap(({ results }) => daysOf(results))).toEqual(days)
  })
})

describe('screenshots', () => {
  let id = ''
  beforeEach(async () => {
    const created = await create()
    id = created.id
    await open(created.leader_link)
  })
  const start = (body?: unknown) => call(`POST /sessions/${id}/screenshots/create/`, { body })
  const latest = async () => (await call(`GET /sessions/${id}/screenshots/latest/`)).json.url
  const image = (number: number) => `${sandbox.url}/screenshot/${id}/${number}.svg`

  it.each([
    [10, 9, 0],
    [10, 29, 2],
    [1, 4, 0],
    [0, 14, 2],
    [undefined, 5, 1],
  ])('at an interval of %s s show after %i s the image %i', async (interval, seconds, number) => {
    expect((await start({ interval })).headers['content-type']).toMatch(/^text\/plain/)
    await advance(seconds)
    expect(await latest()).toBe(image(number))
  })

  it.each([
    [640, 640],
    [1281, 1280],
    [undefined, 1280],
  ])('of the size %s are %i pixels wide', async (size, width) => {
    await start({ size })
    const { headers, text } = await open(await latest())
    expect(headers['content-type']).toBe('image/svg+xml')
    expect(text).toContain(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}"`)
  })

  it('go on as long as the latest is requested, and then can be started again', async () => {
    await start({ interval: 5 })
    await advance(14)
    expect(await latest()).toBe(image(2))
    await advance(14)
    expect(await latest()).toBe(image(5))
    expect((await start()).text).toBe('ALREADY-RUNNING')
    await advance(500)
    expect(await latest()).toBe(image(8))
    expect((await start()).text).toBe('GENERATION-STARTED')
    expect(await latest()).toBe(image(0))
  })

  it('end with the session', async () => {
    await start({ interval: 5 })
    await advance(7)
    await call(`POST /sessions/${id}/end/`)
    await advance(5)
    expect(await latest()).toBe(image(1))
  })
})

it.each([
  ['/session/0/leader', 'GET', 404],
  ['/session/0/leader', 'POST', 405],
  ['/session/0/other', 'GET', 404],
  ['/screenshot/0/1.svg', 'GET', 404],
])('the link %s %s is answered with %i', async (path, method, status) => {
  expect((await ask(sandbox.url, path, { method })).status).toBe(status)
})
