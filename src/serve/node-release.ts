import { renderFamily } from './exposition.ts'

/** The releases that this process runs on, as in `process.versions`. */
export interface Runtime {
  readonly node: string
  readonly openssl: string
}

/** Whether a release of Node has the security fixes that were known when this was written, and will get others. */
export function judgeNode(
  version: string,
  nowMs: number,
): { readonly state: 'safe' | 'unsafe' | 'unmaintained'; readonly advice?: string } {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  // Newer than the table, or a build that can't be compared with it.
  if (major > NEWEST || version.includes('-')) return { state: 'safe' }
  const line = LINES[major]
  if (line === undefined || nowMs >= Date.parse(line.fixesEnd)) {
    const advice = `this line of Node gets no more security fixes: use Node ${LINES[PREFERRED]?.firstSafe} or newer`
    return { state: 'unmaintained', advice }
  }
  const [, safeMinor = 0, safePatch = 0] = line.firstSafe.split('.').map(Number)
  if (minor > safeMinor || (minor === safeMinor && patch >= safePatch)) return { state: 'safe' }
  return {
    state: 'unsafe',
    advice: `this release of Node lacks security fixes: use Node ${line.firstSafe} or newer`,
  }
}

export function renderNodeInfo({ node, openssl }: Runtime, nowMs: number): Iterable<string> {
  const labels = { version: node, openssl, state: judgeNode(node, nowMs).state }
  const help = 'Node, and whether it has the security fixes known to this version.'
  return renderFamily('continuation_point_node_info', help, [{ labels, value: 1 }])
}

/**
 * The lines that the Node project maintains: the first release with all security fixes, and the day from which there
 * will be no more. As of the releases of 21 October 2026 (nodejs.org/en/blog/vulnerability/october-2026-security-releases).
 */
export const LINES: Readonly<Record<number, { readonly firstSafe: string; readonly fixesEnd: string }>> = {
  22: { firstSafe: '22.23.4', fixesEnd: '2027-05-01' },
  24: { firstSafe: '24.22.1', fixesEnd: '2028-05-01' },
  26: { firstSafe: '26.12.1', fixesEnd: '2029-05-01' },
}
/** What the documents and the image name. */
export const PREFERRED = 24
const NEWEST = 26
