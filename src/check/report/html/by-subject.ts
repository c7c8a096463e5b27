import { toMarkup } from '../../../text/escape.ts'
import type { Finding } from '../../finding.ts'
import { bySubject, toWeight, type Weight } from '../report.ts'
import { toQuietBox } from './box.ts'

/** Everything that asks for nothing, folded by what it is about. */
export function toQuietSections(findings: readonly Finding[]): string {
  return [...bySubject(findings.filter(isQuiet))]
    .map(([subject, group]) => toSection(subject, group))
    .join('\n')
}

function toSection(subject: string, findings: readonly Finding[]): string {
  return `<details class="quiet"><summary><span class="subject">${toMarkup(subject)}</span> <span class="extent">${toTally(findings)}</span></summary>
<div class="boxes">
${findings.map(toQuietBox).join('\n')}
</div></details>`
}

function toTally(findings: readonly Finding[]): string {
  return quiet
    .map((weight) => [findings.filter((finding) => toWeight(finding) === weight).length, weight] as const)
    .filter(([count]) => count > 0)
    .map(([count, weight]) => `${count} ${weight === 'pass' ? 'passed' : weight}`)
    .join(', ')
}

function isQuiet(finding: Finding): boolean {
  return quiet.includes(toWeight(finding))
}

const quiet: readonly Weight[] = ['pass', 'skipped', 'suppressed']
