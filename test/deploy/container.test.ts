import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid } from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { top } from '../project/source-tree.ts'
import { isLeftToCi } from '../support/left-to-ci.ts'
import { listening, startProgram } from '../support/program.ts'
import { type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'
import { askPoint } from '../support/served.ts'
import { buildStages, lastStage, parseCopy, parseDockerfile, restsOf } from './dockerfile.ts'

const dockerfile = parseDockerfile(join(top, 'Dockerfile'))
const runtime = lastStage(dockerfile)
const copies = dockerfile.stages.flatMap((stage) => restsOf(stage, 'COPY')).map(parseCopy)

describe('the Dockerfile', () => {
  it('names one base, by version, and lets each stage have another', () => {
    const [argument = '', ...others] = dockerfile.globals.map(({ rest }) => rest)
    expect(argument).toMatch(/^NODE_IMAGE=node:\d+-\w+-slim$/)
    const names = dockerfile.stages.map(({ name }) => `${name.toUpperCase()}_IMAGE`)
    expect(others).toEqual(names.map((name) => `${name}=${variable('NODE_IMAGE')}`))
    expect(dockerfile.stages.map(({ base }) => base)).toEqual(names.map(variable))
  })

  it('finds Node in the place where a distroless image has it', () => {
    expect(environment().PATH).toBe(`${variable('PATH')}:/nodejs/bin`)
  })

  it('runs as a number that is not root', () => {
    expect(restsOf(runtime, 'USER')).toEqual([expect.stringMatching(/^[1-9]\d{4}:[1-9]\d{4}$/)])
  })

  it('needs no shell to start or to be probed', () => {
    for (const rest of [...restsOf(runtime, 'ENTRYPOINT'), ...restsOf(runtime, 'CMD'), healthcheck()])
      expect(JSON.parse(rest)).toEqual(expect.arrayContaining([expect.any(String)]))
    expect(restsOf(runtime, 'RUN')).toEqual([])
  })

  it('adds nothing from a URL, and no whole context', () => {
    const keywords = dockerfile.stages.flatMap(({ instructions }) =>
      instructions.map(({ keyword }) => keyword),
    )
    expect(keywords).not.toContain('ADD')
    expect(copies.flatMap(({ sources }) => sources)).not.toContain('.')
  })

  it('has a build context of just what it copies', () => {
    const lines = readFileSync(join(top, '.dockerignore'), 'utf8').trim().split('\n')
    const sources = copies.filter(({ from }) => from === undefined).flatMap((copy) => copy.sources)
    expect(lines.filter((line) => !line.startsWith('#')).sort()).toEqual(
      ['*', ...new Set(sources.map((source) => `!${source}`))].sort(),
    )
  })
})

describe.skipIf(isLeftToCi)('what the Dockerfile builds', () => {
  const root = mkdtempSync(join(tmpdir(), 'continuation-point-image-'))
  let image: string
  let upstream: RecordingUpstream

  beforeAll(async () => {
    image = buildStages(dockerfile, top, root)
    execFileSync('chmod', ['-R', 'a-w,a+rX', root])
    upstream = await startUpstream()
  }, 300_000)
  afterAll(async () => {
    await upstream.close()
    execFileSync('chmod', ['-R', 'u+w', root])
    rmSync(root, { recursive: true })
    // Its packages are many files.
  }, 60_000)

  it('holds exactly what the bill of materials lists', () => {
    const printed = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: top, encoding: 'utf8' })
    const listed: readonly { readonly purl: string }[] = JSON.parse(printed).components
    const lock = JSON.parse(readFileSync(join(image, 'app/node_modules/.package-lock.json'), 'utf8'))
    const installed = Object.entries<{ readonly version: string }>(lock.packages).map(
      ([path, { version }]) =>
        `pkg:npm/${path.replace(/^.*node_modules\//, '').replace('@', '%40')}@${version}`,
    )
    expect(installed.length).toBeGreaterThan(5)
    expect(listed.map(({ purl }) => purl).sort()).toEqual(installed.sort())
  })

  it('serves as another user from read-only files, passes its health check, and ends with 0', async () => {
    const [entry = ''] = restsOf(runtime, 'ENTRYPOINT')
    const [words = ''] = restsOf(runtime, 'CMD')
    const [user = ''] = restsOf(runtime, 'USER')
    const program = startProgram([...(JSON.parse(words) as string[]), '--port', '0', '--admin-port', '0'], {
      script: join(image, (JSON.parse(entry) as string[])[1] ?? ''),
      cwd: join(image, restsOf(runtime, 'WORKDIR').at(-1) ?? ''),
      nodeFlags: getuid?.() === 0 ? ['--import', `data:text/javascript,${becoming(user)}`] : [],
      env: {
        ...environment(),
        PATH: process.env.PATH ?? '',
        CONTINUATION_SERVICE_URL: upstream.origin,
        CONTINUATION_WIDGET_KEY: 'image-widget-key',
        CONTINUATION_POINTS: 'http://www.example.com/service_cookie_transfer/',
      },
    })
    const open = await listening(program)
    expect(open.hostname).toBe('0.0.0.0')
    expect(await askPoint(Number(open.port))).toBe('HTTP/1.1 200 OK')
    const { port } = await listening(program, 'admin')
    expect(await probe(port)).toBe(0)
    program.signal('SIGTERM')
    expect(await program.ended(), program.stderr()).toBe(0)
    expect(await probe(port)).toBe(1)
  })

  /** Runs the health check, whose port is that of the default config. */
  async function probe(port: string): Promise<number | null> {
    const [, , script = ''] = JSON.parse(healthcheck()) as string[]
    expect(script).toContain(':9090/')
    return startProgram([], {
      nodeFlags: ['-e', script.replace(':9090/', `:${port}/`)],
      script: '--',
    }).ended()
  }
})

/** Root becomes the image's user before a file of the image is read: the Node that runs the tests may be root's alone. */
function becoming(user: string): string {
  const [uid, gid] = user.split(':')
  return `process.setgroups([]); process.setgid(${gid}); process.setuid(${uid})`
}

/** How a Dockerfile writes a variable. */
function variable(name: string): string {
  return '$'.concat(`{${name}}`)
}

function healthcheck(): string {
  return (restsOf(runtime, 'HEALTHCHECK')[0] ?? '').replace(/^.*?CMD /, '')
}

function environment(): Record<string, string> {
  const pairs = restsOf(runtime, 'ENV').flatMap((rest) => rest.split(/\s+/))
  return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]))
}
