/*
 * Breaks each invariant of src/README.md on purpose, one small edit at a time, in a copy of the program: some test has
 * to fail. `npm run mutants` tries all of them, `npm run mutants -- TEXT` those whose description holds the text.
 *
 * `--stale` only looks whether each edit still finds its lines.
 *
 * Exits 1 when a mutant survives, does not compile, or names lines that its file does not hold exactly once.
 */

import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { mutants } from './mutants.mjs'

const top = fileURLToPath(new URL('../..', import.meta.url))
const onlyLooks = argv[2] === '--stale'
const words = argv.slice(onlyLooks ? 3 : 2).join(' ')
const chosen = mutants.filter((mutant) => describe(mutant).includes(words))
if (chosen.length === 0) fail(`No mutant's description holds "${words}".`)

const stale = chosen.filter(
  ({ file, from }) => readFileSync(join(top, file), 'utf8').split(from).length !== 2,
)
if (stale.length > 0) {
  fail(
    `Rewrite these edits: their file does not hold the text to replace exactly once.\n${stale.map(describe).join('\n')}`,
  )
}

if (onlyLooks) exit(0)

const copies = Array.from({ length: Math.min(availableParallelism(), chosen.length) }, makeCopy)
const failures = []
try {
  const [first] = copies
  const complaint =
    (await build(first)) ?? (await findFailingTest(first, [...new Set(chosen.flatMap(({ tests }) => tests))]))
  if (complaint !== undefined) failures.push(`without any edit: ${complaint}`)
  else {
    const rest = [...chosen]
    await Promise.all(
      copies.map(async (copy) => {
        for (let mutant = rest.shift(); mutant !== undefined; mutant = rest.shift())
          report(mutant, await tryMutant(copy, mutant))
      }),
    )
  }
} finally {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true })
}
if (failures.length > 0) fail(`\n${failures.length} of ${chosen.length} failed:\n${failures.join('\n')}`)
console.log(`\nAll ${chosen.length} mutants were noticed.`)

/** @returns the test that noticed the edit, or what is wrong with it */
async function tryMutant(copy, { file, from, to, tests }) {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
  const complaint = await build(copy)
  const noticedBy = complaint === undefined ? await findFailingTest(copy, tests) : undefined
  writeFileSync(path, text)
  return { noticedBy, fault: complaint ?? 'no test failed' }
}

function report(mutant, { noticedBy, fault }) {
  console.log(`${noticedBy === undefined ? '✖' : '✔'} ${describe(mutant)}\n    ${noticedBy ?? fault}`)
  if (noticedBy === undefined) failures.push(`${describe(mutant)}: ${fault}`)
}

function describe({ invariant, what }) {
  return `${invariant}. ${what}`
}

/** The working tree, with the packages of this one linked. */
function makeCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'continuation-point-mutants-'))
  const leftOut = ['.git', 'dist', 'node_modules'].map((name) => join(top, name))
  cpSync(top, folder, { recursive: true, filter: (path) => !leftOut.includes(path) })
  symlinkSync(join(top, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** @returns what the compiler or the bundler complains about */
async function build(copy) {
  // An edit may leave a name behind that nothing uses.
  const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false }
  const project = { extends: './tsconfig.json', include: ['src'], compilerOptions }
  writeFileSync(join(copy, 'tsconfig.mutants.json'), JSON.stringify(project))
  const compiler = join(top, 'node_modules/typescript/bin/tsc')
  const types = await run(copy, compiler, ['--noEmit', '-p', 'tsconfig.mutants.json'])
  if (types.status !== 0) return `it does not compile: ${types.stdout.trim()}`
  const bundle = await run(copy, join(copy, 'bundle.mjs'), [])
  return bundle.status === 0 ? undefined : `it can't be bundled: ${bundle.stderr.trim()}`
}

/** @returns the first test that fails, by its full name */
async function findFailingTest(copy, tests) {
  const output = join(copy, 'report.json')
  rmSync(output, { force: true })
  const vitest = join(top, 'node_modules/vitest/vitest.mjs')
  const { stdout, stderr } = await run(copy, vitest, [
    'run',
    ...tests,
    '--reporter=json',
    `--outputFile=${output}`,
  ])
  const { testResults, success } = readReport(output) ?? stop(`The tests did not run:\n${stdout}${stderr}`)
  if (success) return undefined
  for (const { name, message, assertionResults } of testResults) {
    const failed = assertionResults.find(({ status }) => status === 'failed')
    const where = name.slice(copy.length + 1)
    if (failed !== undefined) return `${where}: ${failed.fullName}`
    if (message !== '') return `${where}: ${message}`
  }
  return stop(`Vitest names no test that failed:\n${stdout}${stderr}`)
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function run(cwd, script, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(execPath, [script, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    const printed = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => {
        printed[name] += text
      })
    }
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, ...printed }))
  })
}

/** Ends the run, with the copies removed. */
function stop(message) {
  throw new Error(message)
}

function fail(message) {
  console.error(message)
  exit(1)
}
