import { renderFamily } from './exposition.ts'

/** The releases that this process runs on, as in `process.versions`. */
export interface Runtime {
  readonly node: string
  readonly openssl: string
}

export interface NodeVerdict {
  readonly state: 'safe' | 'unsafe' | 'unmaintained'
  /** What is wrong and what to do; absent if it is safe. */
  readonly advice?: string
}

/** Whether a release of Node has the security fixes that were known when this was written, and will get others. */
export function judgeNode(version: string, nowMs: number): NodeVerdict {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  // Newer than the table, or a build that can't be compared with it.
  if (major > NEWEST || version.includes('-')) return { state: 'safe' }
  const line = LINES[major]
  if (line === undefined || nowMs > Date.parse(line.fixesUntil)) {
    return {
      state: 'unmaintained',
      advice: `this line of Node gets no more security fixes: use Node ${LINES[PREFERRED]?.firstSafe} or newer`,
    }
  }
  const [, safeMinor = 0, safePatch = 0] = line.firstSafe.split('.').map(Number)
  if (minor > safeMinor || (minor === safeMinor && patch >= safePatch)) return { state: 'safe' }
  return {
    state: 'unsafe',
    advice: `this release of Node lacks security fixes: use Node ${line.firstSafe} or newer`,
  }
}

export function renderNodeInfo({ node, openssl }: Runtime, nowMs: number): string {
  const labels = { version: node, openssl, state: judgeNode(node, nowMs).state }
  const help = 'Node, and whether it has the security fixes known to this version.'
  return `${renderFamily('continuation_point_node_info', 'gauge', help, [{ labels, value: 1 }]).join('\n')}\n`
}

/**
 * The lines that the Node project maintains: the first release with all security fixes, and the last day on which there
 * will be any. As of the releases of 21 October 2026 (nodejs.org/en/blog/vulnerability/october-2026-security-releases).
 */
export const LINES: Readonly<Record<number, { readonly firstSafe: string; readonly fixesUntil: string }>> = {
  22: { firstSafe: '22.23.4', fixesUntil: '2027-04-30' },
  24: { firstSafe: '24.22.1', fixesUntil: '2028-04-30' },
  26: { firstSafe: '26.12.1', fixesUntil: '2029-04-30' },
}
/** What the documents and the image name. */
export const PREFERRED = 24
const NEWEST = 26
