import type { Secret } from '../../config/secret.ts'
import type { Fields } from '../../http/fields.ts'
import { type Probe, type ProbeRequest, parseEndpoint } from '../../probe/probe.ts'
import type { ParsedUrl } from '../parsed-url.ts'
import { openAddress, type Question, type Reply } from '../read/live-fact.ts'
import { waitOutLimit } from './asker.ts'
import { condense } from './condense.ts'
import { observeReach } from './reach.ts'

/** Asks the service directly, below a path. */
export type AskService = ReturnType<typeof serviceAsker>

/** Resolves the service once, at the first question. */
export function serviceAsker(parsed: ParsedUrl, probe: Probe) {
  const endpoint = parseEndpoint(parsed.url)
  let address: Promise<string | undefined> | undefined
  const send = waitOutLimit(async (request: ProbeRequest): Promise<Reply> => {
    address ??= observeReach(endpoint, probe).then(openAddress)
    const open = await address
    if (open === undefined) return { kind: 'none', cause: 'refused', code: 'unreachable' }
    return probe.send(endpoint, open, request)
  }, probe.pause)
  return async (
    question: Question,
    sent: { readonly path: string; readonly fields: Fields; readonly host?: string },
  ) => {
    const { method, rest, body } = question
    const { path, ...others } = sent
    const fields = [...question.fields, ...sent.fields]
    return condense(await send({ method, target: `${path}${rest}`, body, ...others, fields }), question)
  }
}

/** Asks the service as a correct point would, but for what is given. */
export type AskAsPoint = ReturnType<typeof pointAsker>

export function pointAsker(
  askService: AskService,
  right: { readonly origin: string; readonly widgetKey: Secret; readonly path: string },
) {
  return (
    question: Question,
    given: Partial<Record<'origin' | 'widgetKey' | 'path' | 'host', string>> = {},
  ) => {
    const { origin, widgetKey, ...rest } = { ...right, widgetKey: right.widgetKey.reveal(), ...given }
    const fields = ['X-Widget-Key', widgetKey, 'X-Continuation-Origin', origin]
    return askService(question, { ...rest, fields })
  }
}
