// `npm run soak -- --minutes N` or `--short`: the program under load for a long time, in processes of its own.
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { openFilesLimit, stopAll } from './processes.mjs'
import { runFaults } from './stages/faults.mjs'
import { runFloods } from './stages/floods.mjs'
import { runLargeBodies } from './stages/large-bodies.mjs'
import { runMixed } from './stages/mixed.mjs'
import { runOverload } from './stages/overload.mjs'
import { runSlowClients } from './stages/slow-clients.mjs'

const STAGES = {
  mixed: runMixed,
  'slow-clients': runSlowClients,
  'large-bodies': runLargeBodies,
  overload: runOverload,
  floods: runFloods,
  faults: runFaults,
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '25' },
    short: { type: 'boolean', default: false },
    stage: { type: 'string', multiple: true },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(`npm run soak -- [--minutes N | --short] [--stage NAME]… [--out FILE.json]
stages: ${Object.keys(STAGES).join(', ')}
Most of the minutes go to the faults. Exit code 1: a bar was missed.`)
} else {
  try {
    await run(values.short ? toShortScale() : toScale(Number(values.minutes)))
  } finally {
    await stopAll()
  }
}

async function run(scale) {
  console.log(
    `Node ${process.version}, ${cpus().length} processors, load ${loadavg()[0].toFixed(1)} at the start, ${openFilesLimit()} files allowed`,
  )
  console.log(JSON.stringify(scale))
  const results = []
  for (const name of values.stage ?? Object.keys(STAGES)) {
    const startedAtMs = performance.now()
    const rows = await STAGES[name](scale)
    const seconds = Math.round((performance.now() - startedAtMs) / 1_000)
    results.push({ stage: name, seconds, rows })
    console.log(
      `\n${name} (${seconds} s, load ${loadavg()[0].toFixed(1)})\n\n| | measured | bar | |\n| --- | --- | --- | --- |`,
    )
    for (const { what, figure, bar, holds } of rows) {
      console.log(`| ${what} | ${figure} | ${bar} | ${holds ? 'holds' : '**MISSED**'} |`)
    }
  }
  if (values.out !== undefined)
    writeFileSync(values.out, `${JSON.stringify({ scale, results }, undefined, 1)}\n`)
  if (results.some(({ rows }) => rows.some(({ holds }) => !holds))) process.exitCode = 1
}

/** The full size; the faults stage gets the remaining time. */
function toScale(minutes) {
  if (!(minutes >= 3)) throw new Error('--minutes takes a number from 3 on; --short is shorter')
  return {
    slowClients: 5_000,
    latencyAt: 'p99Ms',
    seconds: 30,
    bodyMebibytes: 32,
    bodySeconds: 30,
    faultSeconds: Math.max(30, (minutes * 60 - 300) / 2),
    faultRounds: 10,
    // For each service.
    mixedSeconds: Math.max(10, (minutes * 60 - 300) / 10),
    mixedRounds: 5,
    mixedWaitMs: 500,
  }
}

/** For every commit: the same stages, less of each. A few seconds beside other programs say nothing of the 99th percentile. */
function toShortScale() {
  return {
    slowClients: 600,
    latencyAt: 'p50Ms',
    seconds: 2,
    bodyMebibytes: 4,
    bodySeconds: 2,
    faultSeconds: 4,
    faultRounds: 3,
    mixedSeconds: 3,
    mixedRounds: 2,
    mixedWaitMs: 5_000,
  }
}
