import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isInstalled } from '../deploy/installed.ts'
import { certificate, pemOf } from '../support/certificates/certificate.ts'
import { openFolder } from '../support/folder.ts'
import { listening, type Program, startProgram } from '../support/program.ts'
import { answerOk, type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'
import { onlyValue, valuesOf } from '../support/wire.ts'

/** The shipped example with the addresses of a scripted https service, as a site owner would edit it; asked with curl. */
describe.runIf(isInstalled('curl'))('config.example.json, edited', () => {
  const folder = openFolder()
  let upstream: RecordingUpstream
  let program: Program
  let port: string

  beforeAll(async () => {
    const tls = { key: pemOf('service.key'), cert: pemOf('service.cert') }
    upstream = await startUpstream(answerOk, { tls })
    const example = await readFile(new URL('../../config.example.json', import.meta.url), 'utf8')
    const edited = example
      .replace('"https://cobrowse.example.net"', `"https://localhost:${upstream.port}"`)
      .replace('file:/etc/ssl/private-ca.pem', `file:${certificate('authority.cert')}`)
      .replace('"port": 8080', '"port": 0')
      .replace('"port": 9090', '"port": 0')
    expect(edited).not.toBe(example)
    await writeFile(join(folder, 'config.json'), edited)
    program = startProgram(['serve'], {
      cwd: folder,
      env: { WIDGET_KEY: 'main-key', UK_WIDGET_KEY: 'uk-key' },
    })
    port = (await listening(program)).port
  })
  afterAll(async () => {
    program?.signal('SIGTERM')
    await program?.ended()
    await upstream?.close()
  })

  /** Runs curl against a URL of the site, connected to our listener. */
  const curl = (url: string, ...words: string[]) => {
    const { host, pathname } = new URL(url)
    const fixed = ['-s', '--path-as-is', '-H', `Host: ${host}`, '-H', 'X-Forwarded-Proto: https']
    return promisify(execFile)('curl', [...fixed, ...words, `http://127.0.0.1:${port}${pathname}`])
  }

  it('sets the three fields, whatever the client forges or removes', async () => {
    await curl(
      'https://www.example.com/service_cookie_transfer/init',
      ...[
        'X-Widget-Key: forged',
        'x_widget_key: forged',
        'X-Continuation-Origin: https://evil.example',
      ].flatMap((line) => ['-H', line]),
      ...['-H', 'Connection: X-Widget-Key, X-Continuation-Origin, Host'],
    )
    const request = upstream.requests.at(-1)
    expect(request && valuesOf(request, 'x-widget-key')).toEqual(['main-key'])
    expect(request && valuesOf(request, 'x-continuation-origin')).toEqual(['https://www.example.com'])
    expect(request && onlyValue(request.fields, 'host')).toBe(`localhost:${upstream.port}`)
    expect(request?.octets).not.toMatch(/forged|evil/)
  })

  it('uses the key of the point', async () => {
    await curl('https://www.example.co.uk/service_cookie_transfer/init')
    const fields = upstream.requests.at(-1)?.fields
    expect(fields).toContainEqual(['X-Widget-Key', 'uk-key'])
    expect(fields).toContainEqual(['X-Continuation-Origin', 'https://www.example.co.uk'])
  })
})
