import type { Facts, PointFact } from './facts.ts'
import { type Finding, toFindingKey, toSubjectKey } from './finding.ts'
import { withPointUrls } from './offline-facts.ts'
import { pointCase } from './subjects.ts'
import { rank } from './summary.ts'

/** Marks each failed finding that another rule's fix resolves, found by trial: what passes, without new errors, with the URLs of its fixes. */
export function markConsequences(
  findings: readonly Finding[],
  facts: Facts,
  evaluate: (facts: Facts) => readonly Finding[],
): readonly Finding[] {
  const ids = new Set(findings.filter(isCause).map(({ id }) => id))
  return [...ids].reduce((marked, id) => {
    const causes = marked.filter((finding) => finding.id === id && isCause(finding))
    const [cause] = causes
    if (cause === undefined) return marked
    // The cause of other findings can't be a consequence itself, so that no chain or circle arises.
    const causing = new Set(marked.filter(isFailure).map(({ because }) => because))
    const isNoWorse = ({ severity }: Finding) => rank(severity) >= rank(cause.severity)
    const candidates = marked.filter(
      (each) => each.id !== id && isNoWorse(each) && isOpen(each) && !causing.has(each.id),
    )
    if (candidates.length === 0) return marked
    const urls = new Map(causes.map((finding) => [toSubjectKey(finding), finding.fix?.url]))
    const urlOf = (point: PointFact) => urls.get(toSubjectKey(pointCase(point)))
    const ended = findEnded(candidates, marked, evaluate(withPointUrls(facts, urlOf)))
    return marked.map((finding) => (ended.has(finding) ? { ...finding, because: id } : finding))
  }, findings)
}

/** The candidates that pass after the correction, on subjects that have no new error. */
function findEnded(
  candidates: readonly Finding[],
  findings: readonly Finding[],
  corrected: readonly Finding[],
): ReadonlySet<Finding> {
  const passed = new Set(corrected.filter(({ outcome }) => outcome === 'pass').map(toFindingKey))
  const failedBefore = new Set(findings.filter(isFailure).map(toFindingKey))
  const worse = corrected.filter((finding) => finding.severity === 'error' && isFailure(finding))
  const worsened = new Set(worse.filter((each) => !failedBefore.has(toFindingKey(each))).map(toSubjectKey))
  const isEnded = (each: Finding) => passed.has(toFindingKey(each)) && !worsened.has(toSubjectKey(each))
  return new Set(candidates.filter(isEnded))
}

function isCause(finding: Finding): boolean {
  return isOpen(finding) && finding.fix?.replacesPoint === true
}

function isOpen(finding: Finding): boolean {
  return isFailure(finding) && finding.suppressed === undefined && finding.because === undefined
}

function isFailure({ outcome }: Finding): boolean {
  return outcome === 'fail'
}
