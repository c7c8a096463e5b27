// `npm run release:check`: packs what would be published and looks at it as a user's tools would. The package and its
// bill of materials are left in release/out. With --update, what is found becomes what is expected.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, env, exit } from 'node:process'
import { toBill } from './bill-of-materials.mjs'

const PUBLINT = 'publint@0.3.25'
const TYPES_CHECK = '@arethetypeswrong/cli@0.18.5'
const SIZE_TOLERANCE = 0.1

const top = join(import.meta.dirname, '..')
const out = join(import.meta.dirname, 'out')
const expectation = join(import.meta.dirname, 'expected.json')
const faults = []

rmSync(out, { recursive: true, force: true })
mkdirSync(out)
const [{ filename, size, unpackedSize, files }] = JSON.parse(
  npm('pack', '--json', '--pack-destination', out).replace(/^[^[]*/, ''),
)
const archive = join(out, filename)
const paths = files.map(({ path }) => path)
const components = writeBillOfMaterials()

checkAgainstGit(paths)
checkExpectation({
  files: paths.filter((path) => !/^(?:docs|deploy|dist\/(?:program|library))\/|\.d\.ts$/.test(path)).sort(),
  kilobytes: { packed: Math.round(size / 1e3), unpacked: Math.round(unpackedSize / 1e3) },
  licences: Object.fromEntries(components.map(({ name, licence }) => [name, licence])),
})
runTool('publint', PUBLINT, ['publint', 'run', archive, '--strict'])
// CommonJS programs load the package with import(); the resolution of Node 10 knows no exports.
runTool('are-the-types-wrong', TYPES_CHECK, [
  'attw',
  archive,
  '--profile',
  'esm-only',
  '--format',
  'table-flipped',
])

for (const fault of faults) console.error(`✖ ${fault}`)
if (faults.length > 0) exit(1)
console.log(
  `${filename}: ${paths.length} files, ${Math.round(size / 1e3)} kB packed, ${components.length} packages; all as expected`,
)

function npm(...words) {
  return execFileSync('npm', words, { cwd: top, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Every package that is installed with this one, with its licence. */
function writeBillOfMaterials() {
  const bill = toBill()
  const file = join(out, filename.replace(/\.tgz$/, '.cdx.json'))
  writeFileSync(file, `${JSON.stringify(bill, undefined, 2)}\n`)
  return bill.components
    .map((each) => ({
      name: nameOf(each),
      licence:
        each.licenses?.map(({ license, expression }) => expression ?? license.id).join(' AND ') ?? 'none',
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function nameOf({ group, name }) {
  return group === undefined ? name : `${group}/${name}`
}

/** Of what is not built, what is committed is published: nothing of one machine, and no document is forgotten. */
function checkAgainstGit(paths) {
  const tracked = execFileSync('git', ['ls-files'], { cwd: top, encoding: 'utf8' }).trim().split('\n')
  const stray = paths.filter((path) => !path.startsWith('dist/') && !tracked.includes(path))
  if (stray.length > 0) faults.push(`packed, but not committed: ${stray.join(', ')}`)
  const wanted = tracked.filter(
    (path) => /^(?:docs|deploy)\//.test(path) && !/^(?:deploy\/secrets|docs\/images)\//.test(path),
  )
  const missing = wanted.filter((path) => !paths.includes(path))
  if (missing.length > 0) faults.push(`committed, but not packed: ${missing.join(', ')}`)
}

function checkExpectation(found) {
  if (argv.includes('--update')) writeFileSync(expectation, `${JSON.stringify(found, undefined, 2)}\n`)
  const expected = JSON.parse(readFileSync(expectation, 'utf8'))
  const update = 'if this is right: npm run release:check -- --update'
  const difference = (what, before, after) => {
    const more = after.filter((each) => !before.includes(each))
    const less = before.filter((each) => !after.includes(each))
    if (more.length > 0) faults.push(`${what} that are not expected: ${more.join(', ')}; ${update}`)
    if (less.length > 0) faults.push(`${what} that are missing: ${less.join(', ')}; ${update}`)
  }
  const toWords = (licences) => Object.entries(licences).map(([name, licence]) => `${name} (${licence})`)
  difference('files', expected.files, found.files)
  difference('packages', toWords(expected.licences), toWords(found.licences))
  for (const [how, kilobytes] of Object.entries(found.kilobytes)) {
    const ratio = kilobytes / expected.kilobytes[how]
    if (Math.abs(ratio - 1) <= SIZE_TOLERANCE) continue
    faults.push(`${how}, it has ${kilobytes} kB instead of ${expected.kilobytes[how]}; ${update}`)
  }
}

function runTool(name, tool, words) {
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['exec', '--yes', `--package=${tool}`, '--', ...words],
    {
      cwd: out,
      encoding: 'utf8',
      env: { ...env, npm_config_update_notifier: 'false' },
    },
  )
  if (status !== 0) faults.push(`${name}:\n${stdout}${stderr}`)
}
