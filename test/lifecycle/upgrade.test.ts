/*
 * SIGUSR2 after an upgrade of the package: a copy of the built program is changed on disk while it serves.
 */

import { copyFile, cp, mkdtemp, open, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import { listening } from '../support/program.ts'
import { openClient } from '../support/raw-client.ts'
import { answerOk } from '../support/recording-upstream.ts'
import { POINT_HOST } from '../support/start-proxy.ts'
import { until } from '../support/until.ts'
import { signalWorker, workersOf } from '../support/workers.ts'
import { openServed } from './served.ts'
import { startTraffic } from './steady-traffic.ts'

// Each starts a dozen processes, some of them one after the other.
vi.setConfig({ testTimeout: 90_000 })

const root = fileURLToPath(new URL('../../', import.meta.url))
const UPGRADES = 2
/** Longer than SIGTERM leaves an idle connection open. */
const PAUSE_MS = 900
const POINT = `http://${POINT_HOST}/service_cookie_transfer/`
const SERVING = /^continuation_point_workers (\d+)$/m
const HOLD = `GET /service_cookie_transfer/hold HTTP/1.1\r\nHost: ${POINT_HOST}\r\n\r\n`

it.each([2, 3])(
  `${UPGRADES} upgrades under load fail no request, workers: %i`,
  { timeout: 120_000 },
  async (workers) => {
    const { served, package: copy } = await openPackage()
    const { program, port } = await served.start({ workers, admin: { port: 0 } }, copy.script)
    const admin = await listening(program, 'admin')
    for (let round = 1; round <= UPGRADES; round += 1) {
      const before = workersOf(program)
      const traffic = await startTraffic(port, 8)
      const newcomers = await startNewcomers(port, 4)
      await copy.setVersion(`9.0.${round}`)
      program.signal('SIGUSR2')
      await program.printed(
        new RegExp(
          `"replaced":${workers},"cut":0,"versions":\\["9\\.0\\.${round}"\\],"msg":"workers replaced"`,
        ),
      )
      expect(workersOf(program).filter((each) => before.includes(each))).toEqual([])
      const answered = newcomers.answered()
      await until(() => newcomers.answered() >= answered + 20)
      // An old worker sends Connection: close; no connection is cut.
      const stories = await traffic.stop()
      expect(stories.map(({ end }) => end)).not.toContain('cut')
      const outcomes = [...stories.flatMap(({ statuses }) => statuses), ...(await newcomers.stop())]
      expect(new Set(outcomes)).toEqual(new Set(['HTTP/1.1 200 OK']))
      expect(await (await fetch(new URL('/metrics', admin))).text()).toContain(
        `continuation_point_build_info{version="9.0.${round}"} 1\n`,
      )
      expect((await fetch(new URL('/readyz', admin))).status).toBe(200)
    }
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(0)
    expect(program.stderr()).toBe('')
  },
)

it('clients that pause between requests get Connection: close from an old worker, not a closed connection', async () => {
  const { served, package: copy } = await openPackage()
  const { program, port } = await served.start({ workers: 2 }, copy.script)
  const traffic = await startTraffic(port, 4, PAUSE_MS)
  program.signal('SIGUSR2')
  expect((await traffic.ended()).map(({ end }) => end)).toEqual(Array(4).fill('told'))
  program.signal('SIGTERM')
  expect(await program.ended()).toBe(0)
})

it.each([
  ['can’t be loaded', 'import "./absent.js"', /exit code 1\): standard error may say why"/],
  ['ends at once', 'process.exit(7)', /exit code 7\)/],
  [
    'talks to its workers in another way',
    'import cluster from "node:cluster"; cluster.worker.send({ kind: "ready", protocol: 0, version: "8.0.0" }); await new Promise((resolve) => setTimeout(resolve, 1e6))',
    /version 8\.0\.0 on disk needs a restart/,
  ],
])('an upgrade to a package that %s leaves the old workers', async (_what, text, reason) => {
  const { served, package: copy } = await openPackage()
  const { program, port } = await served.start({ workers: 2 }, copy.script)
  const before = workersOf(program)
  const good = await readFile(copy.script, 'utf8')
  await writeFile(copy.script, text)
  program.signal('SIGUSR2')
  const [line] = await program.printed(/.*"msg":"workers not replaced: the old ones stay"/)
  expect(line).toMatch(reason)
  expect(line).toContain('"replaced":0')
  expect(workersOf(program)).toEqual(before)
  const traffic = await startTraffic(port, 4)
  expect((await traffic.stop()).map(({ end }) => end)).toEqual(Array(4).fill('stopped'))
  // Once the package is repaired, the next signal does it.
  await writeFile(copy.script, good)
  program.signal('SIGUSR2')
  await program.printed(/"replaced":2,"cut":0,.*"msg":"workers replaced"/)
  program.signal('SIGTERM')
  expect(await program.ended()).toBe(0)
})

it('an upgrade for which the config is invalid leaves the old workers, and what they serve', async () => {
  const { served, package: copy } = await openPackage()
  const onePoint = { workers: 2, admin: { port: 0 } }
  const twoPoints = { ...onePoint, points: [POINT, POINT.replace('/service', '/other/service')] }
  const { program, port } = await served.start(twoPoints, copy.script)
  const admin = await listening(program, 'admin')
  await copy.allowOnePoint()
  program.signal('SIGUSR2')
  const [refused] = await program.printed(/.*"msg":"workers not replaced: the old ones stay"/)
  expect(refused).toContain('the config is not valid for the version on disk')
  expect(refused).toMatch(/"pointer":"\/points","message":"one point is enough"/)

  await served.write(served.config(onePoint))
  program.signal('SIGHUP')
  await program.printed(/"msg":"config reloaded"/)
  program.signal('SIGUSR2')
  await program.printed(/"replaced":2,"cut":0,.*"msg":"workers replaced"/)

  // The process that starts workers has the old version, for which the config is valid.
  await served.write(served.config(twoPoints))
  program.signal('SIGHUP')
  await program.printed(/"one point is enough".*"msg":"config refused by a worker: the old one stays"/)
  const metrics = await (await fetch(new URL('/metrics', admin))).text()
  expect(metrics).toMatch(/^continuation_point_config_last_reload_successful 0$/m)
  const [victim] = workersOf(program)
  signalWorker(victim, 'SIGKILL')
  await program.printed(/a worker died and is replaced/)
  await until(() => workersOf(program).length >= 2)
  const traffic = await startTraffic(port, 4)
  expect((await traffic.stop()).map(({ end }) => end)).toEqual(Array(4).fill('stopped'))
  program.signal('SIGTERM')
  expect(await program.ended()).toBe(0)
})

it('after configs that the workers refuse in quick succession, they keep the one that they have', async () => {
  const { served, package: copy } = await openPackage()
  const onePoint = { workers: 2, admin: { port: 0 } }
  const { program, port } = await served.start(onePoint, copy.script)
  const admin = await listening(program, 'admin')
  // The second config must arrive before the first one is refused.
  await copy.allowOnePoint('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);')
  program.signal('SIGUSR2')
  await program.printed(/"replaced":2,"cut":0,.*"msg":"workers replaced"/)
  await served.write('no JSON')
  program.signal('SIGHUP')
  await program.printed(/"msg":"config not reloaded: the old one stays"/)
  await served.write(
    served.config({ ...onePoint, points: [POINT, POINT.replace('/service', '/other/service')] }),
  )
  program.signal('SIGHUP')
  await program.printed(/"msg":"config reloaded"/)
  program.signal('SIGHUP')
  await program.printed(/(?:"msg":"config reloaded"[\s\S]*){2}"msg":"config refused by a worker/)
  // A worker that starts now gets the config that was accepted.
  const [victim] = workersOf(program)
  signalWorker(victim, 'SIGKILL')
  await program.printed(/a worker died and is replaced/)
  const metrics = async () => (await fetch(new URL('/metrics', admin))).text()
  // A counter never falls: the broken file counts, and so does the refusal by the workers.
  expect(await metrics()).toMatch(/^continuation_point_config_reload_failures_total 2$/m)
  await until(
    async () =>
      !workersOf(program).some((id) => id === victim) && (await metrics()).match(SERVING)?.[1] === '2',
  )
  const traffic = await startTraffic(port, 4)
  expect((await traffic.stop()).map(({ end }) => end)).toEqual(Array(4).fill('stopped'))
  program.signal('SIGTERM')
  expect(await program.ended()).toBe(0)
  expect(program.stdout().match(/"msg":"config refused by a worker/g)?.length).toBeLessThanOrEqual(2)
  expect(program.stdout()).not.toContain('the config is not valid for the version on disk')
})

it('a secret that the workers refuse is tried once, and the next one is taken', async () => {
  const { served, package: copy } = await openPackage()
  const key = copy.script.replace(/main\.js$/, 'widget_key')
  await writeFile(key, 'first-key')
  const { program } = await served.start(
    { workers: 2, widgetKey: `file:${key}`, admin: { port: 0 } },
    copy.script,
  )
  const admin = await listening(program, 'admin')
  await copy.refuseKeys('odd')
  program.signal('SIGUSR2')
  await program.printed(/"replaced":2,"cut":0,.*"msg":"workers replaced"/)
  await writeFile(key, 'odd-key')
  await program.printed(/"not this key".*"msg":"config refused by a worker: the old one stays"/)
  const looks = 'continuation_point_config_last_reload_successful'
  const metrics = async () => (await fetch(new URL('/metrics', admin))).text()
  expect(await metrics()).toContain(`\n${looks} 0\n`)
  // It is looked at every 10 s: the next text is there after at least one more look.
  await wait(12_000)
  await writeFile(key, 'next-key')
  await until(async () => (await metrics()).includes(`\n${looks} 1\n`))
  const changes = program.stdout().match(/"msg":"a secret has changed on disk[^"]*"/g)
  expect(changes).toHaveLength(2)
  program.signal('SIGTERM')
  expect(await program.ended()).toBe(0)
})

it('a system that can’t start a worker leaves the old ones, and says why', async () => {
  const { served, package: copy } = await openPackage()
  const node = join(copy.script, '../../node')
  await copyFile(process.execPath, node)
  const { program, port } = await served.start({ workers: 2 }, copy.script, node)
  const before = workersOf(program)
  // Linux does not run a file that is open for writing: ETXTBSY. The running processes keep the old one.
  await rename(node, `${node}.running`)
  await copyFile(process.execPath, node)
  const writer = await open(node, 'r+')
  program.signal('SIGUSR2')
  const [line] = await program.printed(/.*"msg":"workers not replaced: the old ones stay"/)
  expect(line).toContain('the system could not start a new worker (ETXTBSY)')
  expect(workersOf(program)).toEqual(before)
  await writer.close()
  await rm(node)
  signalWorker(before[0], 'SIGKILL')
  await program.printed(/the system could not start a new worker \(ENOENT\).*a worker died and is replaced/)
  await rename(`${node}.running`, node)
  await until(() => workersOf(program).length >= 2)
  const traffic = await startTraffic(port, 4)
  expect((await traffic.stop()).map(({ end }) => end)).toEqual(Array(4).fill('stopped'))
  program.signal('SIGTERM')
  expect(await program.ended()).toBe(0)
})

it.each([
  ['comes up', '', /"replaced":2,.*"msg":"workers replaced"/, 2],
  ['does not', 'process.exit(7)', /"replaced":0,.*"msg":"workers not replaced/, 1],
])(
  'an old worker that dies while its successor starts is replaced, if the successor %s',
  async (_what, then, line, alive) => {
    const { served, package: copy } = await openPackage()
    const { program } = await served.start({ workers: 2 }, copy.script)
    const [victim] = workersOf(program)
    const good = await readFile(copy.script, 'utf8')
    await writeFile(
      copy.script,
      `await new Promise((resolve) => setTimeout(resolve, 2_000)); ${then}\n${good.replace('#!', '//')}`,
    )
    program.signal('SIGUSR2')
    await until(() => workersOf(program).length >= 3)
    signalWorker(victim, 'SIGKILL')
    await program.printed(/a worker died and is replaced/)
    await program.printed(line)
    // The dead one of the second row is replaced repeatedly, after longer and longer pauses.
    expect(workersOf(program).length - alive).toBeLessThanOrEqual(then === '' ? 0 : 1)
    await writeFile(copy.script, good)
    await until(() => workersOf(program).length >= 2)
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(0)
  },
)

it('an old worker finishes its requests, and is cut off at the end of the drain', async () => {
  const { served, package: copy } = await openPackage()
  const timeouts = { drain: '2s' }
  const { program, port } = await served.start({ workers: 2, timeouts }, copy.script)
  const client = await openClient(port)
  const arrivals = served.upstream.requests.length
  client.write(HOLD)
  await served.upstream.arrived(arrivals + 1)
  program.signal('SIGUSR2')
  await program.printed(/"replaced":2,"cut":1,.*"msg":"workers replaced, but exchanges had to be cut"/)
  expect(await client.ended()).not.toBe('open')
  program.signal('SIGTERM')
  expect(await program.ended()).toBe(0)
})

it('SIGTERM while workers are replaced ends the program', async () => {
  const { served, package: copy } = await openPackage()
  const { program, port } = await served.start({ workers: 2 }, copy.script)
  const client = await openClient(port)
  const arrivals = served.upstream.requests.length
  client.write(HOLD)
  await served.upstream.arrived(arrivals + 1)
  program.signal('SIGUSR2')
  await program.printed(/"msg":"replacing the workers"/)
  program.signal('SIGTERM')
  await program.printed(/"msg":"draining"/)
  for (const socket of served.upstream.sockets) {
    if (socket.writable) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate')
  }
  expect((await client.response()).body).toBe('late')
  expect(await program.ended()).toBe(0)
  expect(program.stdout()).not.toContain('not replaced')
})

it('a single process says that it can’t replace itself, and keeps serving', async () => {
  const served = await openServed()
  const { program, port } = await served.start()
  program.signal('SIGUSR2')
  await program.printed(/"level":"warn".*"msg":"nothing replaced: .*Set workers to 2 or more, or restart it"/)
  const traffic = await startTraffic(port, 2)
  expect((await traffic.stop()).map(({ end }) => end)).toEqual(['stopped', 'stopped'])
  program.signal('SIGTERM')
  expect(await program.ended()).toBe(0)
})

it('a worker that starts later serves on the same listener as the others, whatever was reloaded', async () => {
  const { served, package: copy } = await openPackage()
  const { program, port } = await served.start({ workers: 2 }, copy.script)
  await served.write(served.config({ workers: 3, listen: { port: 1 } }))
  program.signal('SIGHUP')
  await program.printed(/"needRestart":\["\/listen\/port","\/workers"\]/)
  program.signal('SIGUSR2')
  await program.printed(/"replaced":2,"cut":0,.*"msg":"workers replaced"/)
  const traffic = await startTraffic(port, 4)
  expect((await traffic.stop()).map(({ end }) => end)).toEqual(Array(4).fill('stopped'))
  program.signal('SIGTERM')
  expect(await program.ended()).toBe(0)
})

/** A copy of the package as an upgrade changes it, and programs that run it. */
async function openPackage() {
  const folder = await mkdtemp(join(tmpdir(), 'continuation-point-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const packageJson = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const setVersion = (version: string) =>
    writeFile(join(folder, 'package.json'), JSON.stringify({ ...packageJson, version }))
  await setVersion('9.0.0')
  const served = await openServed((request, socket) => {
    if (!request.startLine.includes('/hold')) answerOk(request, socket)
  })
  const edit = async (from: string, to: string) => {
    const file = join(folder, 'dist/program/serve.js')
    const text = await readFile(file, 'utf8')
    expect(text.split(from)).toHaveLength(2)
    await writeFile(
      file,
      text.replace(from, () => to),
    )
  }
  /** The next version of the package refuses more than one point, and does `first` before that. */
  const allowOnePoint = (first = '') => {
    const start = 'function serviceProblems({ service, points, pointsLocation }) {\n\tconst problems = '
    return edit(
      `${start}[];`,
      `${start}points.length > 1 ? [{ location: pointsLocation, message: 'one point is enough' }] : [];\n\tif (points.length > 1) {${first}}`,
    )
  }
  /** The next version of the package refuses widget keys with this text in them. */
  const refuseKeys = (text: string) => {
    const next = 'const points = parsed.points.flatMap(({ point, config: entry }) => {'
    const problem = "{ location: config.pointsLocation, message: 'not this key' }"
    return edit(
      next,
      `if (secrets.of(config.widgetKey)?.reveal().includes('${text}')) return { problems: [${problem}] };\n${next}`,
    )
  }
  return { served, package: { script: join(folder, 'dist/main.js'), setVersion, allowOnePoint, refuseKeys } }
}

/** Clients that each send one request on a new connection, one after the other. */
async function startNewcomers(port: number, count: number) {
  const outcomes: string[] = []
  let state: 'running' | 'stopping' = 'running'
  const loops = Array.from({ length: count }, async () => {
    while (state === 'running') {
      const client = await openClient(port)
      client.write(
        `GET /service_cookie_transfer/a HTTP/1.1\r\nHost: ${POINT_HOST}\r\nConnection: close\r\n\r\n`,
      )
      outcomes.push(
        await client.response().then(
          ({ startLine }) => startLine,
          () => 'no answer',
        ),
      )
      client.close()
      await new Promise((resolve) => setTimeout(resolve, 4))
    }
  })
  return {
    answered: () => outcomes.length,
    stop: async () => {
      state = 'stopping'
      await Promise.all(loops)
      return outcomes
    },
  }
}
