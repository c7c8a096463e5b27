/*
 * Breaks each invariant of src/README.md on purpose, one small edit at a time, in a copy of the program: some test has
 * to fail. `npm run mutants` tries all of them, `npm run mutants -- TEXT` those whose description holds the text.
 *
 * Exits 1 when a mutant survives, does not compile, or names lines that its file does not hold exactly once.
 */

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { mutants } from './mutants.mjs'

const top = fileURLToPath(new URL('../..', import.meta.url))
const words = argv.slice(2).join(' ')
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

const copy = makeCopy()
const failures = []
try {
  const tests = [...new Set(chosen.flatMap((mutant) => mutant.tests))]
  const complaint = build() ?? findFailingTest(tests)
  if (complaint !== undefined) failures.push(`without any edit: ${complaint}`)
  else for (const mutant of chosen) report(mutant, tryMutant(mutant))
} finally {
  rmSync(copy, { recursive: true, force: true })
}
if (failures.length > 0) fail(`\n${failures.length} of ${chosen.length} failed:\n${failures.join('\n')}`)
console.log(`\nAll ${chosen.length} mutants were noticed.`)

/** @returns the test that noticed the edit, or what is wrong with it */
function tryMutant({ file, from, to, tests }) {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
  const complaint = build()
  const noticedBy = complaint === undefined ? findFailingTest(tests) : undefined
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
function build() {
  // An edit may leave a name behind that nothing uses.
  const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false }
  const project = { extends: './tsconfig.json', include: ['src'], compilerOptions }
  writeFileSync(join(copy, 'tsconfig.mutants.json'), JSON.stringify(project))
  const types = run(join(top, 'node_modules/typescript/bin/tsc'), ['--noEmit', '-p', 'tsconfig.mutants.json'])
  if (types.status !== 0) return `it does not compile: ${types.stdout.trim()}`
  const bundle = run(join(copy, 'bundle.mjs'), [])
  return bundle.status === 0 ? undefined : `it can't be bundled: ${bundle.stderr.trim()}`
}

/** @returns the first test that fails, by its full name */
function findFailingTest(tests) {
  const output = join(copy, 'report.json')
  rmSync(output, { force: true })
  const vitest = join(top, 'node_modules/vitest/vitest.mjs')
  const { stdout, stderr } = run(vitest, [
    'run',
    ...tests,
    '--bail=1',
    '--reporter=json',
    `--outputFile=${output}`,
  ])
  const { testResults, success } = readReport(output) ?? fail(`The tests did not run:\n${stdout}${stderr}`)
  if (success) return undefined
  for (const { name, message, assertionResults } of testResults) {
    const failed = assertionResults.find(({ status }) => status === 'failed')
    const where = name.slice(copy.length + 1)
    if (failed !== undefined) return `${where}: ${failed.fullName}`
    if (message !== '') return `${where}: ${message}`
  }
  return fail(`Vitest names no test that failed:\n${stdout}${stderr}`)
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function run(script, args) {
  return spawnSync(execPath, [script, ...args], { cwd: copy, encoding: 'utf8', maxBuffer: 2 ** 28 })
}

function fail(message) {
  console.error(message)
  exit(1)
}
