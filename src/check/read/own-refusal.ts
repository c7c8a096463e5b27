import { listMembers, splitUnquoted, valuesOf } from '../../http/fields.ts'
import type { ProbeReply } from '../../probe/probe.ts'
import { escapeAndCut } from './reply.ts'

/** An answer of this program instead of the service's. */
export type OwnRefusal = NonNullable<ReturnType<typeof readOwnRefusal>>

/** Recognises an answer of this program by its Proxy-Status field (RFC 9209). */
export function readOwnRefusal(reply: ProbeReply | undefined) {
  if (reply?.kind !== 'response') return undefined
  const error = findError(reply.fields)
  if (error === undefined) return undefined
  const { code, arrived } = parseProblem(reply.body)
  const { authority, scheme } = isRecord(arrived) ? arrived : {}
  return {
    status: reply.status,
    /** The kind of failure, `unknown-authority`; if the body was lost, the error in Proxy-Status. */
    reason: readText(code) ?? error,
    // The host and scheme that arrived, if the answer says them.
    authority: readText(authority),
    scheme: scheme === 'http' || scheme === 'https' ? scheme : undefined,
  }
}

/** The error that this program reports; other proxies on the way may have added members. */
function findError(fields: readonly string[]): string | undefined {
  for (const member of listMembers(valuesOf(fields, 'proxy-status'))) {
    const [name, ...parameters] = splitUnquoted(member, ';')
    if (name !== 'continuation-point') continue
    const error = parameters.find((each) => each.startsWith('error='))
    if (error !== undefined) return escapeAndCut(error.slice('error='.length))
  }
  return undefined
}

function parseProblem(body: string): Readonly<Record<string, unknown>> {
  try {
    const problem: unknown = JSON.parse(body)
    return isRecord(problem) ? problem : {}
  } catch {
    return {}
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? escapeAndCut(value) : undefined
}
