import * as v from 'valibot'
import { listMembers, splitUnquoted, valuesOf } from '../../http/fields.ts'
import type { ProbeReply } from '../../probe/probe.ts'
import { escapeAndCut } from './reply.ts'
import { ifPresent } from './stand-in.ts'

/** An answer of this program instead of the service's. */
export type OwnRefusal = NonNullable<ReturnType<typeof readOwnRefusal>>

/** Recognises an answer of this program by its Proxy-Status field (RFC 9209). */
export function readOwnRefusal(reply: ProbeReply | undefined) {
  if (reply?.kind !== 'response') return undefined
  const error = findError(reply.fields)
  if (error === undefined) return undefined
  const { code, arrived } = v.parse(problemJson, reply.body)
  return {
    status: reply.status,
    /** The kind of failure, `unknown-authority`; if the body was lost, the error in Proxy-Status. */
    reason: code ?? error,
    // The host and scheme that arrived, if the answer says them.
    authority: arrived?.authority,
    scheme: arrived?.scheme,
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

const text = ifPresent(v.pipe(v.string(), v.nonEmpty(), v.transform(escapeAndCut)))

const arrivedJson = v.object({ authority: text, scheme: ifPresent(v.picklist(['http', 'https'])) })

const problemJson = v.fallback(
  v.pipe(v.string(), v.parseJson(), v.object({ code: text, arrived: ifPresent(arrivedJson) })),
  {},
)
