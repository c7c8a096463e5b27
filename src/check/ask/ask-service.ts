import type { Secret } from '../../config/secret.ts'
import type { Fields } from '../../http/fields.ts'
import {
  type Endpoint,
  type Probe,
  type ProbeReply,
  type ProbeRequest,
  parseEndpoint,
} from '../../probe/probe.ts'
import type { ParsedUrl } from '../parsed-url.ts'
import { openAddress, type Question, type Reach, type Reply } from '../read/live-fact.ts'
import { READ_CHARACTERS } from '../read/reply.ts'
import { parseStandIn } from '../read/stand-in.ts'
import { waitOutLimit, withPatience } from './asker.ts'

/** Asks the service directly, below a path. */
export type AskService = ReturnType<typeof serviceAsker>

/** Resolves the service once, at the first question. */
export function serviceAsker(parsed: ParsedUrl, probe: Probe) {
  const endpoint = parseEndpoint(parsed.url)
  let address: Promise<string | undefined> | undefined
  const patient = withPatience(async (request: ProbeRequest): Promise<Reply> => {
    address ??= observeReach(endpoint, probe).then(openAddress)
    const open = await address
    if (open === undefined) return { kind: 'none', cause: 'refused', code: 'unreachable' }
    return probe.send(endpoint, open, request)
  }, PATIENCE_MS)
  const send = waitOutLimit(patient, probe.pause)
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

/** Asks the service as a correct point would, but for what is given; a field with an empty value is left out. */
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
    const own = [
      ['X-Widget-Key', widgetKey],
      ['X-Continuation-Origin', origin],
    ]
    const fields = own.filter(([, value]) => value !== '').flat()
    return askService(question, { ...rest, fields })
  }
}

/** The reply with no more of its body than rules read: all are kept until the end, and hostile ones could fill the memory. */
export function condense(reply: ProbeReply, { purpose }: Question): Reply {
  if (reply.kind === 'none') return reply
  const report = parseStandIn(reply.body)
  // How much came of the long answer is told.
  if (report === undefined && (purpose === 'long-answer' || reply.body.length <= READ_CHARACTERS))
    return reply
  // A slice would keep the whole in memory.
  const body = Buffer.from(reply.body.slice(0, READ_CHARACTERS)).toString()
  const isListed = purpose === 'verification'
  return { ...reply, body, standIn: report && { ...report, listedUrls: isListed ? report.listedUrls : [] } }
}

/** Resolves an endpoint and tries its addresses at once; of those of a loopback name, both this machine, only what is needed. */
export async function observeReach(endpoint: Endpoint, probe: Probe): Promise<Reach> {
  const resolution = await probe.resolve(endpoint)
  if (resolution.kind !== 'resolved') return { resolution, attempts: [] }
  const attempt = async (address: string) => ({ address, connection: await probe.connect(endpoint, address) })
  const addresses = resolution.addresses.slice(0, MOST_ADDRESSES)
  if (!resolution.isLoopback) return { resolution, attempts: await Promise.all(addresses.map(attempt)) }
  const attempts: Reach['attempts'][number][] = []
  for (const address of addresses)
    if (attempts.every(({ connection }) => connection.kind !== 'open')) attempts.push(await attempt(address))
  return { resolution, attempts }
}

const MOST_ADDRESSES = 8
/** One that hangs is waited for once. */
const PATIENCE_MS = 8_000
