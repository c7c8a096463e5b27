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

it('it prints the sessions of the range, over several pages, and no others', async () => {
  const startIn = async (month: string) => {
    await call('POST /_sandbox/clock', { body: { now: `2026-${month}-15T00:00:00Z`, frozen: true } })
    return (await call('POST /sessions/', { body: { url: 'https://www.example.com/' } })).json.session_id
  }
  const inJanuary: string[] = []
  for (let count = 0; count < 60; count += 1) inJanuary.push(await startIn('01'))
  await startIn('02')
  const { program } = await start('history.list')
  expect(await program.ended()).toBe(0)
  const printed = program.stdout().trimEnd().split('\n')
  expect(printed.map((line) => JSON.parse(line).session_id).sort()).toEqual(inJanuary.sort())
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
  return { program: startProgram([], { script, cwd: folder, env: { API_KEY: 'demo-api-key' } }) }
}
