import { expect, it } from 'vitest'
import { checkAsJson } from '../cli/json-check.ts'
import { blocks } from './documents.ts'

const config =
  blocks.find(({ path, language }) => path === 'docs/back-transfer.md' && language === 'jsonc')?.text ?? ''

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
