import { describe, expect, it } from 'vitest'
import { openStandIn } from '../support/stand-in.ts'

/** One session a day from 1 January 2029 on, its day in the URL; the fifth still runs. */
const seed = {
  pageSize: 2,
  agents: [{ agent_name: 'Ada', agent_email: 'ada@example.com' }],
  sessions: [1, 2, 3, 4, 5].map((day) => ({
    start_url: `https://www.example.com/${day}`,
    start_time: Date.UTC(2029, 0, day),
    ...(day === 5 ? {} : { duration: day * 10 }),
    ...(day === 2 ? { agent_id: 1 } : {}),
    tags: { 1: ['a'], 2: ['a', 'b & c'] }[day] ?? [],
  })),
} as const
const { sandbox, call } = await openStandIn({ seed })

interface HistoryPage {
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly { readonly start_url: string; readonly pin: string }[]
}

const daysOf = ({ results }: HistoryPage) =>
  results.map(({ start_url }) => Number(new URL(start_url).pathname.slice(1)))

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

describe('the history', () => {
  it('is paged, the newest first, linked both ways', async () => {
    const pages = await pagesOf('')
    expect(pages.map(daysOf)).toEqual([[5, 4], [3, 2], [1]])
    const [first, second, third] = pages
    const link = `${sandbox.url}/v2/history/?api_key=demo-api-key&page=`
    expect([first?.previous, second?.previous, third?.previous]).toEqual([null, `${link}1`, `${link}2`])
    expect([first?.next, second?.next, third?.next]).toEqual([`${link}2`, `${link}3`, null])
  })

  it('shows sessions with every field but the leader link', async () => {
    const [session] = (await call('GET /history/?agent_id=1')).json.results
    const read = (await call(`GET /sessions/${session.id}/`)).json
    expect(session).toEqual(read)
    expect(session).toMatchObject({
      duration: 20,
      end_time: '2029-01-02T00:00:20.000000Z',
      waiting_time: null,
    })
    expect(session).not.toHaveProperty('leader_link')
  })

  it.each([
    ['active_session=true', [5]],
    ['active_session=false', [4, 3, 2, 1]],
    ['agent_id=1', [2]],
    ['agent_id=null', [5, 4, 3, 1]],
    ['agent_id=99', []],
    ['pin=null', []],
    ['tags=a', [2, 1]],
    ['tags=a&tags=b%20%26%20c', [2]],
    ['tags=null', [5, 4, 3]],
    ['tags=null&tags=a', []],
    ['min_duration=20', [4, 3, 2]],
    ['max_duration=20', [2, 1]],
    ['min_duration=20.5&max_duration=30', [3]],
    ['min_date=2029-01-03T00:00:00Z', [5, 4, 3]],
    ['max_date=2029-01-03T00:00:00Z', [2, 1]],
    ['min_date=2029-01-02&max_date=2029-01-03', [2]],
    ['min_date=2029-01-03T02:00:00%2B02:00', [5, 4, 3]],
    ['min_date=2029-01-03T00:00:00-02:00', [5, 4]],
    ['tags=a&agent_id=null&active_session=false', [1]],
  ])('is filtered on every page: %s', async (query, days) => {
    expect((await pagesOf(`?${query}`)).flatMap(daysOf)).toEqual(days)
  })

  it('finds a running session by its PIN', async () => {
    const [running] = (await call('GET /history/?active_session=true')).json.results
    const { json } = await call(`GET /history/?active_session=true&pin=${running.pin}`)
    expect(daysOf(json)).toEqual([5])
  })

  it.each([
    ['other=1', 400, ['other']],
    ['page=0', 400, ['page']],
    ['page=last', 400, ['page']],
    ['page=4', 404, ['page']],
    ['active_session=1', 400, ['active_session']],
    ['agent_id=Ada', 400, ['agent_id']],
    ['pin=12', 400, ['pin']],
    ['min_duration=-1&max_duration=x', 400, ['max_duration', 'min_duration']],
    ['min_date=yesterday', 400, ['min_date']],
    ['max_date=2029-01-03T02:00:00+02:00', 400, ['max_date']],
    ['min_date=2029-01-03&min_date=2029-01-04', 400, ['min_date']],
  ])('refuses %s with %i', async (query, status, fields) => {
    const refused = await call(`GET /history/?${query}`)
    expect(refused.status).toBe(status)
    expect(Object.keys(refused.json.errors).sort()).toEqual(fields)
  })
})
