// `npm run fuzz -- --seconds N [--seed N]`: both properties, half of the time each, from a seed that is printed.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } },
})
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31))
const seconds = Number(values.seconds)
if (!(seconds > 0)) throw new Error('--seconds takes a number above 0')
console.log(`seed ${seed}; again with: npm run fuzz -- --seconds ${seconds} --seed ${seed}`)
const { status } = spawnSync('npx', ['vitest', 'run', 'test/fuzz', '--no-file-parallelism'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_SECONDS: String(seconds / 2), FUZZ_SEED: seed },
})
process.exitCode = status ?? 1
