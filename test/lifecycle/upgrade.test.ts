/*
 * SIGUSR2 after an upgrade of the package: a copy of the built program is changed on disk while it serves.
 */

import { copyFile, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { copyPackage } from '../support/copied-package.ts'
import type { Program } from '../support/program.ts'
import { openClient } from '../support/raw-client.ts'
import { holdSome } from '../support/recording-upstream.ts'
import { askAdmin, openServed, pointRequest } from '../support/served.ts'
import { POINT_HOST } from '../support/start-proxy.ts'
import { until } from '../support/until.ts'
import { signalWorker, workersOf } from '../support/workers.ts'
import { startTraffic } from './steady-traffic.ts'

// Each starts a dozen processes, some of them one after the other.
vi.setConfig({ testTimeout: 90_000 })

const UPGRADES = 2
/** Longer than SIGTERM leaves an idle connection open. */
const PAUSE_MS = 900
const POINT = `http://${POINT_HOST}/service_cookie_transfer/`
const ONE_POINT = { admin: { port: 0 } }
const TWO_POINTS = { ...ONE_POINT, points: [POINT, POINT.replace('/service', '/other/service')] }
const HOLD = pointRequest('hold')
/** Both workers have a successor that listens. */
const REPLACED = /"replaced":2,"cut":0,.*"msg":"workers replaced"/

it(`${UPGRADES} upgrades under load fail no request`, { timeout: 120_000 }, async () => {
  const workers = 3
  const copy = await openPackage()
  const { program, port } = await copy.start({ workers, admin: { port: 0 } })
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
    expect(await askAdmin(program)).toContain(`continuation_point_build_info{version="9.0.${round}"} 1\n`)
    expect(await askAdmin(program, '/readyz')).toBe('ok\n')
  }
  await end(program)
  expect(program.stderr()).toBe('')
})

it('clients that pause between requests get Connection: close from an old worker, not a closed connection', async () => {
  const copy = await openPackage()
  const { program, port } = await copy.start()
  const traffic = await startTraffic(port, 4, PAUSE_MS)
  program.signal('SIGUSR2')
  expect((await traffic.ended()).map(({ end }) => end)).toEqual(Array(4).fill('told'))
  await end(program)
})

it.each([
  ['can’t be loaded', 'import "./absent.js"', /exit code 1\): standard error may say why"/],
  [
    'talks to its workers in another way',
    'import cluster from "node:cluster"; cluster.worker.send({ kind: "ready", protocol: 0, version: "8.0.0" }); await new Promise((resolve) => setTimeout(resolve, 1e6))',
    /version 8\.0\.0 on disk needs a restart/,
  ],
])('an upgrade to a package that %s leaves the old workers', async (_what, text, reason) => {
  const copy = await openPackage()
  const { program, port } = await copy.start()
  const before = workersOf(program)
  const good = await readFile(copy.script, 'utf8')
  await writeFile(copy.script, text)
  program.signal('SIGUSR2')
  const [line] = await program.printed(/.*"msg":"workers not replaced: the old ones stay"/)
  expect(line).toMatch(reason)
  expect(line).toContain('"replaced":0')
  expect(workersOf(program)).toEqual(before)
  await serves(port)
  // Once the package is repaired, the next signal does it.
  await writeFile(copy.script, good)
  program.signal('SIGUSR2')
  await program.printed(REPLACED)
  await end(program)
})

it('an upgrade for which the config is invalid leaves the old workers, and what they serve', async () => {
  const copy = await openPackage()
  const { program, port } = await copy.start(TWO_POINTS)
  await copy.allowOnePoint()
  program.signal('SIGUSR2')
  const [refused] = await program.printed(/.*"msg":"workers not replaced: the old ones stay"/)
  expect(refused).toContain('the config is not valid for the version on disk')
  expect(refused).toMatch(/"pointer":"\/points","message":"one point is enough"/)

  await copy.write(ONE_POINT)
  program.signal('SIGHUP')
  await program.printed(/"msg":"config reloaded"/)
  program.signal('SIGUSR2')
  await program.printed(REPLACED)

  // The process that starts workers has the old version, for which the config is valid.
  await copy.write(TWO_POINTS)
  program.signal('SIGHUP')
  await program.printed(/"one point is enough".*"msg":"config refused by a worker: the old one stays"/)
  expect(await askAdmin(program)).toMatch(/^continuation_point_config_last_reload_successful 0$/m)
  const [victim] = workersOf(program)
  signalWorker(victim, 'SIGKILL')
  await program.printed(/a worker died and is replaced/)
  await until(() => workersOf(program).length >= 2)
  await serves(port)
  await end(program)
})

it('after configs that the workers refuse in quick succession, they keep the one that they have', async () => {
  const copy = await openPackage()
  const { program, port } = await copy.start(ONE_POINT)
  // The second config must arrive before the first one is refused.
  await copy.allowOnePoint('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);')
  program.signal('SIGUSR2')
  await program.printed(REPLACED)
  await copy.write('no JSON')
  program.signal('SIGHUP')
  await program.printed(/"msg":"config not reloaded: the old one stays"/)
  await copy.write(TWO_POINTS)
  program.signal('SIGHUP')
  await program.printed(/"msg":"config reloaded"/)
  program.signal('SIGHUP')
  await program.printed(/(?:"msg":"config reloaded"[\s\S]*){2}"msg":"config refused by a worker/)
  // A worker that starts now gets the config that was accepted.
  const [victim] = workersOf(program)
  signalWorker(victim, 'SIGKILL')
  await program.printed(/a worker died and is replaced/)
  // A counter never falls: the broken file counts, and so does the refusal by the workers.
  expect(await askAdmin(program)).toMatch(/^continuation_point_config_reload_failures_total 2$/m)
  await until(() => workersOf(program).every((id) => id !== victim))
  await until(async () => /^continuation_point_workers 2$/m.test(await askAdmin(program)))
  await serves(port)
  await end(program)
  expect(program.stdout().match(/"msg":"config refused by a worker/g)?.length).toBeLessThanOrEqual(2)
  expect(program.stdout()).not.toContain('the config is not valid for the version on disk')
})

it('a secret that the workers refuse is tried once, and the next one is taken', async () => {
  const copy = await openPackage()
  const key = join(copy.folder, 'widget_key')
  await writeFile(key, 'first-key')
  const { program } = await copy.start({ widgetKey: `file:${key}`, admin: { port: 0 } })
  await copy.refuseKeys('odd')
  program.signal('SIGUSR2')
  await program.printed(REPLACED)
  await writeFile(key, 'odd-key')
  await program.printed(/"not this key".*"msg":"config refused by a worker: the old one stays"/)
  const looks = 'continuation_point_config_last_reload_successful'
  expect(await askAdmin(program)).toContain(`\n${looks} 0\n`)
  // It is looked at every three seconds: the next text is there after at least one more look.
  await wait(4_000)
  await writeFile(key, 'next-key')
  await until(async () => (await askAdmin(program)).includes(`\n${looks} 1\n`))
  const changes = program.stdout().match(/"msg":"a secret has changed on disk[^"]*"/g)
  expect(changes).toHaveLength(2)
  await end(program)
})

it('a system that can’t start a worker leaves the old ones, and says why', async () => {
  const copy = await openPackage()
  const node = join(copy.folder, 'node')
  await copyFile(process.execPath, node)
  const { program, port } = await copy.start({}, node)
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
  await serves(port)
  await end(program)
})

it.each([
  ['comes up', '', /"replaced":2,.*"msg":"workers replaced"/, 2],
  ['does not', 'process.exit(7)', /"replaced":0,.*"msg":"workers not replaced/, 1],
])(
  'an old worker that dies while its successor starts is replaced, if the successor %s',
  async (_what, then, line, alive) => {
    const copy = await openPackage()
    const { program } = await copy.start()
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
    await end(program)
  },
)

it('an old worker finishes its requests, and is cut off at the end of the drain', async () => {
  const copy = await openPackage()
  const { program, port } = await copy.start({ timeouts: { drain: '2s' } })
  const client = await openClient(port)
  const arrivals = copy.upstream.requests.length
  client.write(HOLD)
  await copy.upstream.arrived(arrivals + 1)
  program.signal('SIGUSR2')
  await program.printed(/"replaced":2,"cut":1,.*"msg":"workers replaced, but exchanges had to be cut"/)
  expect(await client.ended()).not.toBe('open')
  await end(program)
})

it('SIGTERM while workers are replaced ends the program', async () => {
  const copy = await openPackage()
  const { program, port } = await copy.start()
  const client = await openClient(port)
  const arrivals = copy.upstream.requests.length
  client.write(HOLD)
  await copy.upstream.arrived(arrivals + 1)
  program.signal('SIGUSR2')
  await program.printed(/"msg":"replacing the workers"/)
  program.signal('SIGTERM')
  await program.printed(/"msg":"draining"/)
  for (const socket of copy.upstream.sockets) {
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
  await serves(port)
  await end(program)
})

it('a worker that starts later serves on the same listener as the others, whatever was reloaded', async () => {
  const copy = await openPackage()
  const { program, port } = await copy.start()
  await copy.write({ workers: 3, listen: { port: 1 } })
  program.signal('SIGHUP')
  await program.printed(/"needRestart":\["\/listen\/port","\/workers"\]/)
  program.signal('SIGUSR2')
  await program.printed(REPLACED)
  await serves(port)
  await end(program)
})

async function end(program: Program): Promise<void> {
  program.signal('SIGTERM')
  expect(await program.ended()).toBe(0)
}

/** Whoever asks now is answered. */
async function serves(port: number): Promise<void> {
  const traffic = await startTraffic(port, 4)
  expect((await traffic.stop()).map(({ end }) => end)).toEqual(Array(4).fill('stopped'))
}

/** A copy of the package as an upgrade changes it, and programs that run it with two workers. */
async function openPackage() {
  const served = await openServed(holdSome)
  const { folder } = served
  const script = await copyPackage(folder, '9.0.0')
  const setVersion = async (version: string) => {
    const file = join(folder, 'package.json')
    await writeFile(
      file,
      (await readFile(file, 'utf8')).replace(/"version":"[^"]*"/, `"version":"${version}"`),
    )
  }
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
  const withWorkers = (changes: Readonly<Record<string, unknown>>) => ({ workers: 2, ...changes })
  return {
    ...{ upstream: served.upstream, folder, script, setVersion, allowOnePoint, refuseKeys },
    start: (changes = {}, node?: string) =>
      served.start(withWorkers(changes), node === undefined ? { script } : { script, node }),
    write: (config: Readonly<Record<string, unknown>> | string) =>
      served.write(typeof config === 'string' ? config : withWorkers(config)),
  }
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
