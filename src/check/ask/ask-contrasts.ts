import {
  type Contrast,
  FORGED,
  type LiveFact,
  type Observation,
  type Question,
  type Reply,
} from '../read/live-fact.ts'
import type { AskAsPoint } from './ask-service.ts'
import { DEEP_PATH } from './questions.ts'

/** Asks the verification question with the right fields (twice), and with each of them wrong, or missing. */
export async function askDirectly(
  question: Question,
  bare: Reply,
  ask: AskAsPoint,
): Promise<NonNullable<LiveFact['direct']>> {
  // A service that hangs is not waited for again.
  if (bare.kind === 'none')
    return { right: bare, again: bare, wrongOrigin: bare, wrongKey: bare, noOrigin: bare, noKey: bare }
  return {
    right: await ask(question),
    again: await ask(question),
    wrongOrigin: await ask(question, { origin: FORGED.origin }),
    wrongKey: await ask(question, { widgetKey: FORGED.widgetKey }),
    noOrigin: await ask(question, { origin: '' }),
    noKey: await ask(question, { widgetKey: '' }),
  }
}

/** The service's own answers if the point's Host arrived in place of its own, or the path cut, or with the cookie path. */
export async function askWithOthers(
  question: Question,
  { point: { authority, path }, servicePath }: LiveFact,
  ask: AskAsPoint,
): Promise<readonly Contrast[]> {
  const contrasts: Contrast[] = [{ aspect: 'host', reply: await ask(question, { host: authority }) }]
  for (const other of path === servicePath ? ['/'] : [path, '/'])
    contrasts.push({ aspect: 'path', path: other, reply: await ask(question, { path: other }) })
  return contrasts
}

/** The service's own answers to a question with one aspect changed; the other methods would arrive as GET. */
export async function askContrasts(
  question: Question,
  asked: readonly Observation[],
  right: Reply,
  ask: AskAsPoint,
): Promise<readonly Contrast[]> {
  const { purpose, method, rest, body } = question
  if (purpose === 'cookie' || purpose === 'header-size') return [{ aspect: 'cookie', reply: right }]
  if (purpose !== 'method') return []
  const contrasts: Contrast[] = []
  const change = async (aspect: Contrast['aspect'], changed: Partial<Question>) =>
    contrasts.push({ aspect, reply: await ask({ ...question, ...changed }) })
  const get = asked.find((each) => each.question.purpose === purpose && each.question.method === 'GET')
  // A HEAD that arrives as GET gets the same answer.
  if (get?.direct !== undefined && method !== 'HEAD') contrasts.push({ aspect: 'method', reply: get.direct })
  if (body !== undefined) await change('body', { body: undefined })
  if (method !== 'GET') return contrasts
  await change('path', { rest: rest.replace(DEEP_PATH, decodeURIComponent(DEEP_PATH)) })
  await change('query', { rest: DEEP_PATH })
  return contrasts
}
