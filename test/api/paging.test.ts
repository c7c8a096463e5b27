import { describe, expect, test } from 'vitest'
import { createClient, type HistoryFilter } from '../../src/api/index.ts'
import { session, webhook } from './support/samples.ts'
import { startStub } from './support/stub-service.ts'

const item = (id: string) => ({ ...session, id, session_id: id })

const page = (ids: readonly string[], next: string | null) => ({
  body: { next, previous: null, results: ids.map(item) },
})

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const each of items) all.push(each)
  return all
}

describe('history', () => {
  test('follows next, keeps its query and adds the key', async () => {
    const { baseUrl, arrivals } = await startStub(
      () => page(['1', '2'], `${baseUrl}/history/?tags=a&tags=b&page=2&api_key=stale`),
      () => page([], '/history?page=3&API_KEY=stale#end'),
      () => page(['3'], null),
    )
    const client = createClient({ baseUrl, apiKey: 'k' })
    const items = await collect(client.history.list({ tags: ['a', 'b'] }))
    expect(items.map(({ session_id }) => session_id)).toEqual(['1', '2', '3'])
    expect(arrivals.map(({ path, query }) => [path, ...query.map((pair) => pair.join('='))])).toEqual([
      ['/history/', 'tags=a', 'tags=b', 'api_key=k'],
      ['/history/', 'tags=a', 'tags=b', 'page=2', 'api_key=k'],
      ['/history/', 'page=3', 'api_key=k'],
    ])
  })

  test('takes a next link with many parameters', async () => {
    const many = Array.from({ length: 500 }, (_, at) => `n${at}=1&n${at}=2`).join('&')
    const { baseUrl, arrivals } = await startStub(
      () => page([], `/history?${many}`),
      () => page([], null),
    )
    await collect(createClient({ baseUrl, apiKey: 'k' }).history.list())
    expect(arrivals[1]?.query.slice(0, 3).join(' ')).toBe('n0,1 n0,2 n1,1')
  })

  test('requests a page only when it is needed', async () => {
    const { baseUrl, arrivals } = await startStub(() => page(['1', '2'], `${baseUrl}/history/?page=2`))
    for await (const { session_id } of createClient({ baseUrl, apiKey: 'k' }).history.list()) {
      if (session_id === '2') break
    }
    expect(arrivals.length).toBe(1)
  })

  test('shows no key in the links of a page', async () => {
    const { baseUrl } = await startStub(() => {
      const list = `${baseUrl}/history/`
      const links = { next: `${list}?api_key=secret&page=3`, previous: `${list}?api%5Fkey=secret` }
      return { body: { ...links, results: [] } }
    })
    const { value } = await createClient({ baseUrl, apiKey: 'k' }).history.pages().next()
    const list = `${baseUrl}/history/`
    expect(value).toEqual({ next: `${list}?page=3`, previous: list, results: [] })
  })

  test.each<readonly [HistoryFilter, string]>([
    [{}, ''],
    [{ active_session: true, pin: '0042' }, 'active_session=true&pin=0042'],
    [{ agent_id: null, pin: null, tags: null }, 'agent_id=null&pin=null&tags=null'],
    [{ agent_id: 12, tags: ['a,b', 'c'] }, 'agent_id=12&tags=a%2Cb&tags=c'],
    [{ min_duration: 0, max_duration: 60 }, 'min_duration=0&max_duration=60'],
    [
      { min_date: new Date('2024-05-01T00:00:00Z'), max_date: '2024-06-01T00:00:00+02:00' },
      'min_date=2024-05-01T00%3A00%3A00.000Z&max_date=2024-06-01T00%3A00%3A00%2B02%3A00',
    ],
  ])('filter %j', async (filter, search) => {
    const { baseUrl, arrivals } = await startStub(page([], null))
    await collect(createClient({ baseUrl, apiKey: 'k' }).history.list(filter))
    expect(arrivals[0]?.query).toEqual([...new URLSearchParams(search), ['api_key', 'k']])
  })
})

describe('of a next link only the query is used, at the address of the list itself', () => {
  test.each([
    ['the same address', 'http://HOST/v2/history/?page=2'],
    ['another scheme', 'https://HOST/v2/history/?page=2'],
    ['no last slash', 'http://HOST/v2/history?page=2'],
    ['another host', 'http://host-of-the-service/v2/history/?page=2'],
    ['another host without a scheme', '//elsewhere.example/v2/history/?page=2'],
    ['another path', 'http://HOST/v2/agents/?page=2'],
    ['a query alone', '?page=2'],
    ['no address at all', 'http://[/?page=2'],
  ])('%s', async (_name, next) => {
    const { baseUrl, arrivals } = await startStub(
      () => page(['1'], next.replace('HOST', new URL(baseUrl).host)),
      page(['2'], null),
    )
    const items = await collect(createClient({ baseUrl, apiKey: 'k' }).history.list())
    expect(items.map(({ id }) => id)).toEqual(['1', '2'])
    expect(arrivals.map(({ path }) => path)).toEqual(['/history/', '/history/'])
    expect(arrivals[1]?.query).toEqual([
      ['page', '2'],
      ['api_key', 'k'],
    ])
  })

  test.each(['', 'http://[/', '/history/', '?api_key=k', '?page=2', `?${'x'.repeat(8_192)}`])(
    '%.20j, which leads back or is too long, is an error',
    async (next) => {
      const { baseUrl, arrivals } = await startStub(page(['1'], next))
      const items = createClient({ baseUrl, apiKey: 'k' }).history.list()
      await expect(collect(items)).rejects.toMatchObject({ kind: 'malformed', path: '/history/' })
      expect(arrivals.length).toBeLessThan(next.length > 8_192 ? 2 : 3)
    },
  )
})

test('a next link that is no text is an error, before its page is given', async () => {
  const { baseUrl } = await startStub(page(['1'], 7 as unknown as string))
  const first = createClient({ baseUrl, apiKey: 'k' }).history.pages().next()
  await expect(first).rejects.toMatchObject({ detail: 'next is no link' })
})

describe('pages without end', () => {
  let baseUrl: string
  const startEndless = async (ids: (at: number) => readonly string[]) => {
    let at = 0
    const stub = await startStub(() => {
      at += 1
      return page(ids(at), `${stub.baseUrl}/history/?page=${at + 1}`)
    })
    baseUrl = stub.baseUrl
    return { history: createClient({ baseUrl, apiKey: 'k', budget }).history, arrivals: stub.arrivals }
  }
  const budget = { waitMs: () => 0, take: () => {} }

  test('10 empty ones in a row are an error that says so', async () => {
    const { history, arrivals } = await startEndless((at) => (at === 5 ? ['1'] : []))
    await expect(collect(history.list())).rejects.toMatchObject({
      kind: 'malformed',
      detail: '10 empty pages in a row',
    })
    expect(arrivals.length).toBe(15)
  })

  test('a caller limits them', async () => {
    const { history, arrivals } = await startEndless((at) => [String(at)])
    expect(await collect(history.list({}, { mostPages: 120 }))).toHaveLength(120)
    expect(arrivals.length).toBe(120)
  })

  test.each([0, 1.5, Number.NaN])('not to %s', async (mostPages) => {
    const { history } = await startEndless(() => [])
    await expect(collect(history.list({}, { mostPages }))).rejects.toThrow(RangeError)
  })
})

test('webhooks are paged too', async () => {
  const page = (next: string | null, results: readonly object[]) => ({
    body: { count: 2, next, previous: null, results },
  })
  const { baseUrl } = await startStub(
    () => page(`${baseUrl}/webhooks/?page=2`, [webhook]),
    page(null, [{ ...webhook, id: 4, url: undefined }]),
  )
  const pages = await collect(createClient({ baseUrl, apiKey: 'k' }).webhooks.pages())
  expect(pages.map(({ count, results }) => [count, results.map(({ id, url }) => [id, url])])).toEqual([
    [2, [[3, webhook.url]]],
    [2, [[4, undefined]]],
  ])
})

test('a caller stops the paging with a signal', async () => {
  const abort = new AbortController()
  const { baseUrl } = await startStub(() => {
    abort.abort()
    return page(['1'], `${baseUrl}/history/?page=2`)
  })
  const items = createClient({ baseUrl, apiKey: 'k' }).history.list({}, { signal: abort.signal })
  await expect(collect(items)).rejects.toMatchObject({ kind: 'aborted' })
})
