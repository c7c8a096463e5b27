import type { Secret } from '../../config/secret.ts'
import type { Place } from '../facts.ts'
import type { Endpoint, Probe, Reply } from '../probe/probe.ts'
import type { DirectFact, LiveFact } from './live-fact.ts'
import { FORGED, type Question } from './question.ts'
import { observeReach, openAddress } from './reach.ts'

/** Puts questions to the service itself, as a good continuation point would. */
export interface ServiceDesk {
  ask(question: Question, fact: LiveFact, widgetKey: Secret): Promise<Reply>
  askWith(question: Question, fact: LiveFact, fields: readonly string[]): Promise<Reply>
}

/** The service is looked up once, when the first question is there. */
export function serviceDesk(place: Place, probe: Probe): ServiceDesk {
  const endpoint: Endpoint = {
    scheme: place.scheme,
    host: place.host,
    port: Number(new URL(place.url).port) || (place.scheme === 'https' ? 443 : 80),
  }
  let address: Promise<string | undefined> | undefined
  const askWith: ServiceDesk['askWith'] = async (question, { servicePath }, fields) => {
    address ??= observeReach(endpoint, probe).then(openAddress)
    const open = await address
    if (open === undefined) return { kind: 'none', cause: 'refused', code: 'unreachable' }
    const { method, rest, body } = question
    return probe.send(endpoint, open, {
      method,
      target: `${servicePath}${rest}`,
      fields: [...question.fields, ...fields],
      body,
    })
  }
  return {
    askWith,
    ask: (question, fact, widgetKey) =>
      askWith(question, fact, toFields(widgetKey.reveal(), fact.point.origin)),
  }
}

/** Asks the verification question with the right fields, twice, and with each of them wrong. */
export async function askDirectly(
  desk: ServiceDesk,
  question: Question,
  fact: LiveFact,
  widgetKey: Secret | undefined,
): Promise<DirectFact> {
  if (widgetKey === undefined) return { kind: 'not-asked', settle: 'name the widget key in the config' }
  const key = widgetKey.reveal()
  const { origin } = fact.point
  return {
    kind: 'asked',
    right: await desk.ask(question, fact, widgetKey),
    again: await desk.ask(question, fact, widgetKey),
    wrongOrigin: await desk.askWith(question, fact, toFields(key, FORGED.origin)),
    wrongKey: await desk.askWith(question, fact, toFields(FORGED.widgetKey, origin)),
    bare: await desk.askWith(question, fact, []),
  }
}

function toFields(widgetKey: string, origin: string): readonly string[] {
  return ['X-Widget-Key', widgetKey, 'X-Continuation-Origin', origin]
}
