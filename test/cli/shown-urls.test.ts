import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProgram } from '../support/program.ts'

/** URLs that people paste, each with a secret, `hush`. More are in test/http/redact-url.test.ts. */
const secretive = [
  'https://hushuser:hush@host.example',
  'https://hushuser:hush/hush@host.example',
  'https://hushuser:hush?hush@host.example',
  'https://hushuser:hush#hush@host.example',
  'https://hushuser:hush hush@host.example',
  'hushuser:hush@host.example',
  'ftp://hushuser:hush/hush@host.example',
  'https://host.example/#token=hush',
  'https://host.example/service_cookie_transfer/#token=hush',
  'https://host.example?token=hush@hush',
]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redact-urls-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function outputOf(words: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const program = startProgram(words, { env, cwd: folder })
  expect(await program.ended()).toBeGreaterThan(0)
  return program.stdout() + program.stderr()
}

describe.each(secretive)('%s', (url) => {
  it('is not shown by serve --test, from the environment', async () => {
    const output = await outputOf(['serve', '--test'], {
      CONTINUATION_SERVICE_URL: url,
      CONTINUATION_POINTS: url,
      CONTINUATION_PAGES: url,
      CONTINUATION_HOST: url,
    })
    expect(output).toContain('CONTINUATION_SERVICE_URL')
    expect(output).not.toMatch(/hush/)
  })

  it('is not shown by serve --test and check, from the config', async () => {
    const file = join(folder, `${secretive.indexOf(url)}.json`)
    const config = (service: object) =>
      JSON.stringify({
        service,
        points: [url, { url }],
        pages: [url],
        suppress: [{ rule: 'url/plain-http', match: url, reason: 'x' }],
        ...('url' in service
          ? {
              listen: { host: url, trustedProxies: [url] },
              monitor: { webhook: url, every: url },
              webhooks: [{ url, events: ['x'] }],
            }
          : {}),
      })
    await writeFile(file, config({ url, api: url, prefix: url }))
    const faulty = await outputOf(['serve', '--test', '--config', file])
    expect(faulty).toMatch(/service\/url[\s\S]*monitor\/every/)
    await writeFile(file, config({}))
    const loaded = await outputOf(['serve', '--test', '--config', file])
    const checked = await outputOf(['check', '--offline', '--config', file])
    const asJson = await outputOf(['check', '--offline', '--format', 'json', '--config', file])
    expect(asJson).toContain('unused-suppression')
    for (const output of [faulty, loaded, checked, asJson]) expect(output).not.toMatch(/hush/)
  })

  it('is not shown from the command line', async () => {
    expect(await outputOf(['check', '--offline', url, '--format', url])).not.toMatch(/hush/)
    expect(await outputOf([url])).not.toMatch(/hush/)
  })
})
