import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { blocks } from '../project/documents.ts'
import { openPackageFolder } from '../project/package-folder.ts'
import { openStandIn } from '../sandbox/support/stand-in.ts'
import { startProgram } from '../support/program.ts'

const { sandbox, call } = await openStandIn()
const folder = await openPackageFolder()

it('the page about the REST API creates a session', async () => {
  const { program } = await start('leader_link')
  expect(await program.ended()).toBe(0)
  expect(program.stdout()).toMatch(/^http:\S+\n$/)
})

it('it prints the message of a failed call, without the key', async () => {
  const { program } = await start('no-such-session')
  expect(await program.ended()).toBe(0)
  expect(program.stderr()).toMatch(/^GET \/sessions\/no-such-session\/: .+\n$/)
  expect(program.stderr()).not.toContain('demo-api-key')
})

it('it prints the sessions of the month as CSV, over several pages, and no others', async () => {
  const startIn = async (month: string, url = 'https://www.example.com/') => {
    await call('POST /_sandbox/clock', { body: { now: `2026-${month}-15T00:00:00Z`, frozen: true } })
    return (await call('POST /sessions/', { body: { url } })).json.session_id
  }
  const inJanuary: string[] = []
  for (let count = 0; count < 59; count += 1) inJanuary.push(await startIn('01'))
  const quoted = await startIn('01', 'https://www.example.com/?q="a,b"')
  await startIn('02')
  const { program, text } = await start('history.list')
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(10)
  expect(await program.ended()).toBe(0)
  const [head, ...rows] = program.stdout().trimEnd().split('\n')
  expect(head).toBe('session_id,start_time,duration,agent_id,start_url')
  expect(rows.map((row) => row.slice(1, 33)).sort()).toEqual([...inJanuary, quoted].sort())
  const times = '"2026-01-15T00:00:00.000000Z","120",""'
  expect(rows).toContain(`"${quoted}",${times},"https://www.example.com/?q=""a,b"""`)
})

it('it prints an address of a screenshot at each interval, until the session ends', async () => {
  const { program } = await start('screenshots.create')
  const [, url = ''] = await program.printed(/^(.+)\n.+\n/)
  const picture = await fetch(url)
  expect(picture.headers.get('content-type')).toMatch(/^image\//)
  const { json } = await call('GET /sessions/')
  await call(`POST /sessions/${json[0].session_id}/end/`)
  expect([await program.ended(), program.stderr()]).toEqual([0, ''])
})

/** Runs the only example of the page that has these words, 100 times as fast. */
async function start(words: string) {
  const examples = blocks.filter(
    ({ path, language, text }) => path === 'docs/rest-api.md' && language === 'ts' && text.includes(words),
  )
  expect(examples).toHaveLength(1)
  const script = join(folder, `${words}.mjs`)
  const text = examples.map((example) => example.text).join('')
  await writeFile(script, text.replaceAll('https://cobrowse.example.net', sandbox.url).replace('5_000', '50'))
  return { text, program: startProgram([], { script, cwd: folder, env: { API_KEY: 'demo-api-key' } }) }
}
