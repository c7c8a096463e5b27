// How long the program takes to start, as a ratio to Node alone, on this Node and on Node 24.
import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { coveredCookies } from './check-costs.mjs'
import { folder, here, median, writeConfig } from './own.mjs'

const NODE_24 = 'Node 24'

/** @param program our main.js as it is installed */
export async function measureStarts(program) {
  const large = join(folder, '200.json')
  writeFileSync(large, JSON.stringify(coveredCookies(200)))
  const check = (config) => [program, 'check', '--offline', '--config', config]
  const starts = [
    ['`serve` until it listens', [program, 'serve', '--config', writeConfig({})], '"listening"'],
    ['`check --offline` of the example config', check(here('../config.example.json'))],
    ['`check --offline` of 200 points and 200 cookies', check(large)],
  ]
  return [
    ...(await measureOn(process.execPath, '', starts, [2, 1.7, 2.6])),
    ...(await measureOn(findNode24(), ` on ${NODE_24}`, starts, [4, 3, 4])),
  ]
}

async function measureOn(node, where, starts, limits) {
  if (node === undefined) {
    return starts.map(([what], at) => [
      `start of ${what}${where}`,
      'not measured: no registry',
      `${limits[at]} ×`,
    ])
  }
  const empty = []
  const times = starts.map(() => [])
  for (let round = 0; round < 15; round += 1) {
    empty.push(await spawnMs(node, ['-e', '0']))
    for (const [at, [, words, waitFor]] of starts.entries())
      times[at].push(await spawnMs(node, words, waitFor))
  }
  return starts.map(([what], at) => {
    const ratio = median(times[at]) / median(empty)
    const figure = `${ratio.toFixed(2)} × \`node -e 0\` (${median(times[at]).toFixed(0)} ms)`
    return [`start of ${what}${where}`, figure, `${limits[at]} ×`, ratio <= limits[at]]
  })
}

function findNode24() {
  try {
    const words = ['exec', '--yes', '--package=node@24', '--', 'node', '-p', 'process.execPath']
    return execFileSync('npm', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

/** Until the program ends, or prints what is waited for and is ended then. */
function spawnMs(node, words, waitFor) {
  return new Promise((resolve) => {
    const startedAtMs = performance.now()
    const child = spawn(node, words, { stdio: ['ignore', 'pipe', 'ignore'] })
    let text = ''
    let readyMs
    child.stdout.on('data', (chunk) => {
      text += chunk
      if (waitFor === undefined || readyMs !== undefined || !text.includes(waitFor)) return
      readyMs = performance.now() - startedAtMs
      child.kill('SIGTERM')
    })
    child.on('close', () => resolve(readyMs ?? performance.now() - startedAtMs))
  })
}
