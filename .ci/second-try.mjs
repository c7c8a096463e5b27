/*
 * After a test run that failed: node second-try.mjs REPORT.json
 *
 * Prints what failed, and runs the files in question once more, by themselves: on a busy machine a test that waits for
 * several programs may miss its time once. So are files in which an error was thrown outside of every test. What passes then
 * is replaced in the report, and named at the end of the CI run. Nothing is tried again if more than a few files failed, or
 * if the run failed for another reason.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'

const MOST_FILES = 4
const [report] = process.argv.slice(2)
const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
const first = read(report)
// Written by test/support/reporter.ts.
const errors = read(`${report}.errors`)
const failed = first.testResults.filter(
  ({ status, name }) => status === 'failed' || errors.some(({ file }) => file === name),
)
const files = failed.map(({ name }) => relative(process.cwd(), name))
for (const { message, assertionResults } of failed) {
  if (message) console.log(message)
  for (const { status, fullName, failureMessages } of assertionResults)
    if (status === 'failed') console.log(`failed: ${fullName}\n${failureMessages.join('\n')}`)
}
for (const { file, text } of errors) console.log(`outside of tests, in ${file ?? 'no file'}: ${text}`)
if (errors.some(({ file }) => !failed.some(({ name }) => name === file))) process.exit(1)
if (files.length === 0 || files.length > MOST_FILES) process.exit(1)

const again = `${report}.again`
const env = { ...process.env, CI_REPORT: again }
const { status } = spawnSync('npx', ['vitest', 'run', ...files], { env, stdio: 'inherit' })
if (status !== 0) process.exit(1)
const { testResults } = read(again)
const others = first.testResults.filter((each) => !failed.includes(each))
const isWhole = failed.every(({ name }) => testResults.some((each) => each.name === name))
if (!isWhole) process.exit(1)
writeFileSync(
  report,
  JSON.stringify({ ...first, testResults: [...others, ...testResults], secondTry: files }),
)
