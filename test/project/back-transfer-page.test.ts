import { expect, it } from 'vitest'
import { run } from '../../src/cli/run.ts'
import { fakeIo } from '../cli/fake-io.ts'
import { checkAsJson } from '../cli/json-check.ts'
import { blocks, textOf } from './documents.ts'

const page = 'docs/back-transfer.md'
const config = blocks.find(({ path, language }) => path === page && language === 'jsonc')?.text ?? ''

async function check(text: string) {
  const { code, failures } = await checkAsJson(['--offline'], { 'config.json': text })
  return { code, failed: failures.map(({ id }) => id) }
}

it('its config passes, and each name that it warns about fails as it says', async () => {
  expect(await check(config)).toEqual({ code: 0, failed: [] })
  const elsewhere = config.replace('cobrowse.example.com', 'cobrowse.example.net')
  expect(await check(elsewhere)).toEqual({ code: 1, failed: ['service/back-transfer-domain'] })
  const itself = config.replace('cobrowse.example.com', 'www.example.com')
  expect(await check(itself)).toEqual({ code: 1, failed: ['service/same-host'] })
})

it('names only existing rules', async () => {
  const named = [...textOf(page).matchAll(/`((?:account|cookie|live|page|service|url)\/[a-z-]+)`/g)].map(
    ([, id = '']) => id,
  )
  expect(named.length).toBeGreaterThan(4)
  for (const id of named) expect([id, await run(['check', '--explain', id], fakeIo({}))]).toEqual([id, 0])
})
