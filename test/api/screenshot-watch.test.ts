import { describe, expect, it, onTestFinished } from 'vitest'
import { type Clock, createClient, type Screenshot } from '../../src/api/index.ts'
import { openStandIn } from '../sandbox/support/stand-in.ts'
import { until } from '../support/until.ts'
import { ended, session } from './support/samples.ts'
import { type Respond, startStub } from './support/stub-service.ts'

const id = session.session_id
const started = { body: 'GENERATION-STARTED' }
const standIn = await openStandIn()
const picture = (url: string) => ({ body: { url } })
const latest = 'GET …/screenshots/latest/'
const over = { done: true, value: undefined }

/** A clock whose sleepers wake when the test says so, or their signal aborts. */
function toClock() {
  const sleepers: { readonly ms: number; readonly wake: () => void }[] = []
  const clock: Clock = {
    nowMs: () => 0,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const wake = () => {
          const at = sleepers.findIndex((each) => each.wake === wake)
          if (at >= 0) sleepers.splice(at, 1)
          resolve()
        }
        sleepers.push({ ms, wake })
        return signal?.addEventListener('abort', wake)
      }),
  }
  /** Waits for a sleeper, wakes it, and returns how many milliseconds it was to sleep. */
  const tick = async (): Promise<number> => {
    await until(() => sleepers.length > 0)
    const [{ ms, wake } = { ms: 0, wake: () => {} }] = sleepers
    wake()
    return ms
  }
  return { clock, sleepers, tick }
}

async function watch(
  answers: readonly Respond[],
  { settings = {}, signal }: { settings?: object; signal?: AbortSignal } = {},
) {
  const { baseUrl, arrivals } = await startStub(...answers)
  const time = toClock()
  const client = createClient({ baseUrl, apiKey: 'demo-api-key', clock: time.clock, retries: 0 })
  const pictures = client.screenshots.watch(id, settings, { signal })
  onTestFinished(async () => void (await pictures.return?.()))
  const asked = () =>
    arrivals.map(({ method, path }) => `${method} ${path.replace(`/sessions/${id}/`, '…/')}`)
  return { ...time, client, pictures, arrivals, asked }
}

const value = async (next: Promise<IteratorResult<Screenshot, undefined>>) => (await next).value?.url

describe('a watch', () => {
  it('starts the generation, and asks at each interval', async () => {
    const answers = [started, picture('a'), picture('b'), picture('c')]
    const { pictures, arrivals, asked, tick } = await watch(answers, { settings: { size: 800, interval: 7 } })
    expect(arrivals).toEqual([])
    expect(await value(pictures.next())).toBe('a')
    expect(await tick()).toBe(7000)
    expect(await value(pictures.next())).toBe('b')
    await tick()
    expect(await value(pictures.next())).toBe('c')
    expect(arrivals[0]?.body).toEqual({ size: 800, interval: 7 })
    expect(asked()).toEqual(['POST …/screenshots/create/', latest, latest, latest])
  })

  it('raises an interval that is too short, as the service does', async () => {
    const { pictures, tick } = await watch([started, picture('a')], { settings: { interval: 1 } })
    await pictures.next()
    expect(await tick()).toBe(5000)
  })

  it('goes on while its reader is slow, which then gets the newest', async () => {
    let shown = 0
    const { pictures, tick, sleepers } = await watch([
      started,
      () => {
        shown += 1
        return picture(`${shown}`)
      },
    ])
    expect(await value(pictures.next())).toBe('1')
    for (let turn = 1; turn <= 10; turn += 1) await tick()
    await until(() => sleepers.length > 0)
    expect(await value(pictures.next())).toBe('11')
  })

  it('makes no further call once its reader leaves', async () => {
    const { pictures, client, sleepers, asked } = await watch([started, picture('a')])
    for await (const { url } of pictures) {
      expect(url).toBe('a')
      break
    }
    expect(sleepers).toEqual([])
    await client.screenshots.latest(id)
    expect(asked()).toHaveLength(3)
    expect(await pictures.next()).toEqual(over)
  })

  it('aborts the call in progress when its reader leaves, and ends every read', async () => {
    let closed = () => {}
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve
    })
    const { pictures, arrivals } = await watch([
      started,
      (_arrival, outgoing) => {
        outgoing.on('close', closed)
        return undefined
      },
    ])
    const waiting = [pictures.next(), pictures.next()]
    await until(() => arrivals.length >= 2)
    await pictures.return?.()
    expect(await Promise.all(waiting)).toEqual([over, over])
    await isClosed
  })

  it.each(['sleeping', 'asking'])('throws when it is aborted while %s', async (state) => {
    const abort = new AbortController()
    const answers = state === 'sleeping' ? [started, picture('a')] : [started, () => undefined]
    const { pictures, arrivals, sleepers } = await watch(answers, { signal: abort.signal })
    if (state === 'sleeping') await pictures.next()
    const next = pictures.next()
    await until(() => (state === 'sleeping' ? sleepers.length > 0 : arrivals.length >= 2))
    abort.abort()
    await expect(next).rejects.toMatchObject({ name: 'ApiError', kind: 'aborted' })
    expect(await pictures.next()).toEqual(over)
    expect(arrivals).toHaveLength(2)
  })

  it('requests nothing if it is ended before it is read', async () => {
    const { pictures, arrivals } = await watch([started])
    await pictures.return?.()
    expect(await pictures.next()).toEqual(over)
    expect(arrivals).toEqual([])
  })

  it('restarts a generation that stopped, and ends with the session', async () => {
    const same = picture('a')
    const { pictures, tick, asked } = await watch([
      started,
      ...[same, same, same, same],
      { body: session },
      started,
      ...[picture('b'), picture('b'), picture('b'), picture('b')],
      { body: ended },
    ])
    const seen: string[] = []
    const reading = (async () => {
      for await (const { url } of pictures) seen.push(url)
    })()
    for (let turn = 0; turn < 7; turn += 1) await tick()
    await reading
    expect(new Set(seen)).toEqual(new Set(['a', 'b']))
    const round = ['POST …/screenshots/create/', latest, latest, latest, latest, 'GET …/']
    expect(asked()).toEqual([...round, ...round])
  })

  it('waits for the first picture', async () => {
    const none = { status: 404, body: { errors: { screenshot: ['none'] } } }
    const { pictures, tick } = await watch([started, none, picture('a')])
    const first = pictures.next()
    await tick()
    expect(await value(first)).toBe('a')
  })

  it.each<[string, readonly Respond[], object]>([
    ['an unknown session', [{ status: 404, body: {} }], { kind: 'not-found' }],
    [
      'a generation that fails',
      [{ body: 'FAILED-INTERNALLY' }, { body: session }],
      { kind: 'failed', message: expect.stringContaining('FAILED-INTERNALLY') },
    ],
    ['a picture that is refused', [started, { status: 403, body: {} }], { kind: 'credential' }],
  ])('throws for %s', async (_what, answers, error) => {
    const { pictures } = await watch(answers)
    await expect(pictures.next()).rejects.toMatchObject({ name: 'ApiError', ...error })
    expect(await pictures.next()).toEqual(over)
  })

  it('is empty for a session that has ended', async () => {
    const { pictures } = await watch([{ body: 'FAILED-INTERNALLY' }, { body: ended }])
    expect(await pictures.next()).toEqual(over)
  })

  it.each([-1, 1.5, Number.NaN, 86_401])('refuses an interval of %d', async (interval) => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:1/v2', apiKey: 'k' })
    expect(() => client.screenshots.watch(id, { interval })).toThrow(RangeError)
  })
})

describe('against the stand-in', () => {
  const { sandbox, call } = standIn

  it('sees each picture of a generation that lives as long as the watch', async () => {
    const now = Date.UTC(2030, 0, 1)
    await call('POST /_sandbox/clock', { body: { now: new Date(now).toISOString(), frozen: true } })
    const clock: Clock = {
      nowMs: () => now,
      sleep: async (ms, signal) => {
        if (!signal?.aborted) await call('POST /_sandbox/clock', { body: { advanceMs: ms } })
      },
    }
    const client = createClient({ baseUrl: `${sandbox.url}/v2`, apiKey: 'demo-api-key', clock })
    const created = await client.sessions.create({ url: 'https://www.example.com/' })
    await fetch(created.leader_link)
    const seen: string[] = []
    for await (const { url } of client.screenshots.watch(created.session_id)) {
      seen.push(url)
      if (new Set(seen).size === 6) await client.sessions.end(created.session_id)
    }
    expect(new Set(seen).size).toBeGreaterThanOrEqual(6)
    const { requests } = (await call('GET /_sandbox/requests')).json
    const starts = requests.filter(({ path }: { path: string }) => path.endsWith('/create/'))
    expect(starts).toHaveLength(1)
  })
})
