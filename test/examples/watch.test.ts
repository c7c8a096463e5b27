import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { openStandIn } from '../sandbox/support/stand-in.ts'
import { startProgram } from '../support/program.ts'

const { sandbox, call } = await openStandIn()

/** As it is shipped, from the top of the package, whose name it imports. */
describe('the page that watches a session', async () => {
  const program = startProgram([], {
    script: fileURLToPath(new URL('../../deploy/watch/server.mjs', import.meta.url)),
    env: { PORT: '0', API_URL: `${sandbox.url}/v2`, API_KEY: 'demo-api-key' },
  })
  const [, port = ''] = await program.printed(/listening (\d+)/)
  const url = `http://127.0.0.1:${port}`
  afterAll(async () => {
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(0)
  })

  const start = async () => {
    const session = (await call('POST /sessions/', { body: { url: 'https://www.example.com/' } })).json
    await fetch(session.leader_link)
    return session
  }
  const isGenerated = async (id: string) =>
    (await call(`POST /sessions/${id}/screenshots/create/`, { body: {} })).text === 'ALREADY-RUNNING'

  it('is a page', async () => {
    const answer = await fetch(`${url}/?session=1`)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await answer.text()).toContain('<img id="picture"')
    expect((await fetch(`${url}/other`)).status).toBe(404)
  })

  it('gets the pictures of the session, which exist', async () => {
    const { formatted_id } = await start()
    const abort = new AbortController()
    const answer = await fetch(`${url}/pictures?session=${formatted_id}`, { signal: abort.signal })
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    const [, data = ''] = /^event: message\ndata: (.*)\n\n$/.exec((await reader?.read())?.value ?? '') ?? []
    expect(await isGenerated(formatted_id)).toBe(true)
    const picture = await fetch(JSON.parse(data))
    expect([picture.status, picture.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^image\//),
    ])
    abort.abort()
  })

  it('is told when the session has ended', async () => {
    const { session_id } = await start()
    await call(`POST /sessions/${session_id}/end/`)
    const answer = await fetch(`${url}/pictures?session=${session_id}`)
    expect(await answer.text()).toBe('event: end\ndata: null\n\n')
  })

  it('is told that there is no session, and nothing that the service said', async () => {
    const answer = await fetch(`${url}/pictures?session=none`)
    expect(await answer.text()).toBe('event: fault\ndata: "There are no pictures of this session."\n\n')
    const message =
      'POST /sessions/none/screenshots/create/: the service found nothing; check the id; it rejected session_id'
    await vi.waitFor(() => expect(program.stderr()).toBe(`${message} (status 404)\n`))
  })
})
