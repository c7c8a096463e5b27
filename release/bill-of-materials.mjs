// `npm run --silent sbom`: prints the bill of materials of what is installed for users, in CycloneDX. In a project that has
// installed this package, `npm sbom --omit=dev` is right. In a checkout it leaves out what development packages need too,
// such as pino and tldts, and where those packages were left out it fails.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { argv } from 'node:process'
import packageJson from '../package.json' with { type: 'json' }

if (argv[1] === import.meta.filename) console.log(JSON.stringify(toBill(), undefined, 2))

/** By the lock file alone. */
export function toBill() {
  const words = 'sbom --package-lock-only --sbom-format cyclonedx --sbom-type application'
  const printed = execFileSync('npm', words.split(' '), {
    cwd: join(import.meta.dirname, '..'),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const bill = JSON.parse(printed)
  // npm takes the name of the folder.
  bill.metadata.component.name = packageJson.name
  const components = bill.components.filter(({ scope }) => scope === 'required')
  const references = new Set([bill.metadata.component, ...components].map((each) => each['bom-ref']))
  const dependencies = bill.dependencies
    .filter(({ ref }) => references.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => references.has(each)) }))
  return { ...bill, components, dependencies }
}
