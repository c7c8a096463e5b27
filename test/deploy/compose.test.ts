import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { certificate } from '../support/certificates/certificate.ts'
import { configOf } from '../support/config-of.ts'
import { openFolderOfTest } from '../support/folder.ts'
import { lastStage, parseDockerfile } from './dockerfile.ts'
import { isInstalled } from './installed.ts'
import { deploy, requestsThatFit } from './manifests.ts'

const compose = parse(readFileSync(join(deploy, 'compose.yaml'), 'utf8'))
const { points, front } = compose.services
/** Compose makes one dollar of two. */
const contentOf = (name: string): string => compose.configs[name].content.replaceAll('$$', '$')
const config = configOf(contentOf('points'))

describe('the composed services', () => {
  it('name images by version, ours by the version of the package', () => {
    expect(points.image).toBe(`continuation-point:${packageJson.version}`)
    expect(front.image).toMatch(/^nginx:\d+\.\d+-alpine$/)
  })

  it('refer only to configs and secrets that are declared', () => {
    for (const service of [points, front]) {
      for (const { source } of service.configs) expect(compose.configs).toHaveProperty(source)
      for (const name of service.secrets) expect(compose.secrets).toHaveProperty(name)
    }
  })

  it('give the points a config that parses, a key from a secret and the time to drain', () => {
    const [secret] = points.secrets
    expect(config.widgetKey).toMatchObject({ kind: 'file', path: `/run/secrets/${secret}` })
    expect(Number.parseInt(points.stop_grace_period, 10) * 1_000).toBeGreaterThan(config.timeouts.drainMs)
    expect(contentOf('front')).toContain(`http://points:${config.listen.port};`)
  })

  it('give the points memory for some hundred requests at once', () => {
    expect(requestsThatFit(points.mem_limit, config)).toBeGreaterThanOrEqual(512)
  })

  it('let the front end decide all that the points trust, and log the id without query and address', () => {
    const front = contentOf('front')
    for (const line of ['X-Forwarded-Host ""', 'Forwarded ""', 'X-Request-Id $request_id', 'Host $http_host'])
      expect(front).toContain(`proxy_set_header ${line};`)
    const [, format = ''] = /log_format continuation_point '(.*)';/.exec(front) ?? []
    expect(format.split(' ')).toContain('$request_id')
    expect(format).not.toMatch(/\$(?:request|request_uri|args|remote_addr|http_\w+)\b/)
    expect(front).toMatch(/location \/service_cookie_transfer\/ \{[^}]*access_log \S+ continuation_point;/)
  })

  it('have the health check of the image, which OCI builders drop, and reap orphans', () => {
    const { rest } = lastStage(parseDockerfile(join(deploy, '../Dockerfile'))).instructions.find(
      ({ keyword }) => keyword === 'HEALTHCHECK',
    ) ?? { rest: '' }
    expect(points.healthcheck.test).toEqual(['CMD', ...JSON.parse(rest.replace(/^.*?CMD /, ''))])
    expect(points.init).toBe(true)
  })

  it('run the points without rights and without a place to write, and publish only the front end', () => {
    expect(points).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    expect(points).not.toHaveProperty('ports')
    expect(front.ports).toEqual(['443:443'])
  })
})

it.runIf(isInstalled('nginx'))('nginx accepts the front end’s config', () => {
  const folder = openFolderOfTest()
  const server = contentOf('front')
    .replace('/run/secrets/site_certificate', certificate('service.cert'))
    .replace('/run/secrets/site_key', certificate('service.key'))
    .replace('/dev/stdout', `${folder}/access.log`)
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${server}}\n`,
  )
  const { status, stderr } = spawnSync('nginx', ['-t', '-q', '-c', file, '-p', folder], { encoding: 'utf8' })
  expect(stderr).not.toMatch(/\[(?:emerg|warn|error)\]/)
  expect(status).toBe(0)
})
