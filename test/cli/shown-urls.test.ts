import { describe, expect, it } from 'vitest'
import { run } from '../../src/cli/run.ts'
import { fakeIo } from './fake-io.ts'

/** URLs that people paste, each with a secret, `hush`. More are in test/http/url.test.ts. */
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

async function outputOf(words: readonly string[], env: Record<string, string> = {}, config?: string) {
  const io = fakeIo(config === undefined ? {} : { 'config.json': config }, env)
  expect(await run(words, io)).toBeGreaterThan(0)
  return io.written.stdout + io.written.stderr
}

it('quotation marks that nobody closes take no longer than others', async () => {
  expect(await outputOf(['check', `--${'\\"'.repeat(1_000_000)}`])).toContain('check')
})

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
    const config = (service: object) =>
      JSON.stringify({
        service,
        points: [url, { url }],
        pages: [url],
        suppress: [{ rule: 'url/plain-http', match: url, reason: 'x' }],
        ...('url' in service
          ? { listen: { host: url, trustedProxies: [url] }, timeouts: { idle: url } }
          : {}),
      })
    const faulty = await outputOf(['serve', '--test'], {}, config({ url, api: url, prefix: url }))
    expect(faulty).toMatch(/service\/url[\s\S]*timeouts\/idle/)
    const loaded = await outputOf(['serve', '--test'], {}, config({}))
    const checked = await outputOf(['check', '--offline'], {}, config({}))
    const asJson = await outputOf(['check', '--offline', '--format', 'json'], {}, config({}))
    expect(asJson).toContain('unused-suppression')
    for (const output of [faulty, loaded, checked, asJson]) expect(output).not.toMatch(/hush/)
  })

  it('is not shown from the command line', async () => {
    expect(await outputOf(['check', '--offline', url, '--format', url])).not.toMatch(/hush/)
    expect(await outputOf([url])).not.toMatch(/hush/)
  })
})
