// Measures the proxy beside its peers, all in one run. The peers of a load run at the same time and take turns, half a
// second each, so that a slow moment of the machine meets all of them alike. `npm run bench -- --help` lists the flags.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measureCosts } from './costs.mjs'
import { loads } from './loads.mjs'
import { capture, cpuSeconds, peakMebibytes, start, stop } from './measure.mjs'
import { isInstalled, peers } from './peers.mjs'
import { guard, renderCosts, renderReport } from './report.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '0.5' },
    warmup: { type: 'string', default: '2' },
    load: { type: 'string', multiple: true },
    peer: { type: 'string', multiple: true },
    out: { type: 'string' },
    guard: { type: 'boolean', default: false },
    costs: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(`npm run bench -- [--rounds N] [--seconds N] [--warmup N] [--load NAME]… [--peer NAME]… [--out FOLDER] [--guard] [--costs]
loads: ${loads.map(({ name }) => name).join(', ')}
peers: ${peers.map(({ name }) => name).join(', ')}
--guard compares with the bare floor of the same run and fails where a ratio is far above what it has been.
--costs measures start, memory, latency, growth and size instead.`)
  process.exit(0)
}
if (values.costs) {
  console.log(renderCosts(await measureCosts()))
  process.exit(0)
}

const certificate = (name) =>
  fileURLToPath(new URL(`../test/support/certificates/${name}.pem`, import.meta.url))
const chosenPeers = peers
  .filter(({ name }) =>
    (values.guard ? ['floor', 'ours', 'ours-log'] : (values.peer ?? [name])).includes(name),
  )
  .filter((peer) => {
    const installed = isInstalled(peer)
    if (!installed) console.error(`${peer.title}: not installed, left out`)
    return installed
  })
const chosenLoads = loads.filter(({ name }) =>
  (values.guard ? ['small'] : (values.load ?? [name])).includes(name),
)

// One processor for the proxy under test, the other for what stands around it.
const [proxyCpu, otherCpu] = cpus().length > 1 ? ['0', '1'] : [undefined, undefined]
const folder = mkdtempSync(join(tmpdir(), 'bench-'))
const results = []
let nextPort = 21_000
try {
  const upstreams = { http: nextPort++, https: nextPort++ }
  const running = [
    await start(
      [process.execPath, fileURLToPath(new URL('upstream.mjs', import.meta.url)), String(upstreams.http)],
      otherCpu,
      upstreams.http,
    ),
    await start(
      [
        process.execPath,
        fileURLToPath(new URL('upstream.mjs', import.meta.url)),
        String(upstreams.https),
        certificate('service.key'),
        certificate('service.cert'),
      ],
      otherCpu,
      upstreams.https,
    ),
  ]
  for (const load of chosenLoads) {
    const proxies = []
    for (const peer of chosenPeers) {
      const port = nextPort++
      // undici and node:http verify the name of the certificate: it is good for localhost.
      const origin = `${load.upstream}://${load.upstream === 'https' ? 'localhost' : '127.0.0.1'}:${upstreams[load.upstream]}`
      const place = { port, origin, ca: certificate('authority.cert'), folder }
      const env =
        load.upstream === 'https' && peer.name === 'hono/proxy' ? { NODE_EXTRA_CA_CERTS: place.ca } : {}
      const child = await start(peer.command(place), proxyCpu, port, env)
      proxies.push({ peer, port, child })
      await generate(port, load, values.warmup)
    }
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const { peer, port, child } of proxies) {
        const before = cpuSeconds(child.pid)
        const measured = await generate(port, load, values.seconds)
        const cpu = cpuSeconds(child.pid) - before
        const result = {
          load: load.name,
          peer: peer.name,
          round,
          ...measured,
          cpuMicroseconds: (cpu / Math.max(1, measured.requests)) * 1e6,
          requestsPerSecond: measured.requests / measured.elapsedSeconds,
          peakMebibytes: peakMebibytes(child.pid),
        }
        results.push(result)
        const { cpuMicroseconds, requestsPerSecond, failures } = result
        console.error(
          `${load.name} round ${round + 1} ${peer.name}: ${cpuMicroseconds.toFixed(1)} µs CPU, ${requestsPerSecond.toFixed(0)}/s${failures > 0 ? `, ${failures} FAILED` : ''}`,
        )
      }
    }
    for (const { child } of proxies) await stop(child)
  }
  for (const child of running) await stop(child)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

const report = renderReport(results, chosenLoads, chosenPeers)
console.log(report.markdown)
if (values.out !== undefined) {
  writeFileSync(join(values.out, 'results.json'), `${JSON.stringify(results, undefined, 1)}\n`)
  writeFileSync(
    join(values.out, 'results.md'),
    `# Results\n\nWritten by \`npm run bench -- --out\`, which prints the last table for every load.\n\n${report.summary}`,
  )
  writeFileSync(join(values.out, 'results.svg'), report.svg)
}
if (values.guard) process.exitCode = guard(results)

/** Sends a load for some seconds and gives what the generator counted. */
async function generate(port, load, seconds) {
  const script = fileURLToPath(new URL('generator.mjs', import.meta.url))
  const words = [String(port), 'www.example.com', JSON.stringify(load), String(seconds)]
  return JSON.parse(await capture([process.execPath, script, ...words], otherCpu))
}
