import { valuesOf } from '../../../src/http/fields.ts'
import { page } from './bad-front-end.ts'
import { type Faults, firstOf, type Passing, withField, without } from './front-end.ts'

/* What a front end does to a request, to an answer, or in place of forwarding: one fault each. */

/** Answers requests whose method and target are like this. */
export const on = (pattern: RegExp, answer: Partial<Passing>): Faults => ({
  answer: ({ method, target }) => (pattern.test(`${method} ${target}`) ? answer : undefined),
})
export const drop = (...lowerNames: string[]): Faults => ({
  request: ({ fields }) => ({ fields: without(fields, ...lowerNames) }),
})
export const set = (name: string, ...values: string[]): Faults => ({
  request: ({ fields }) => ({ fields: withField(fields, name, ...values) }),
})
export const replacing = (from: string | RegExp, to: string): Faults => ({
  request: ({ target }) => ({ target: target.replace(from, to) }),
})
export const turning = (from: string, to: string): Faults => ({
  request: ({ method }) => (method === from ? { method: to } : {}),
})
/** Lets what the client sends replace what the front end sets. */
export const passingOn = (name: string): Faults => ({
  request: ({ fields }, arrived) => {
    const sent = firstOf(arrived.fields, name.toLowerCase())
    return sent === undefined ? {} : { fields: withField(fields, name, sent) }
  },
})
export const onCookie = (change: (line: string) => string): Faults => ({
  request: ({ fields }) => {
    const line = firstOf(fields, 'cookie')
    return line === undefined ? {} : { fields: withField(fields, 'Cookie', change(line)) }
  },
})
export const add = (name: string, value: string): Faults => ({
  response: ({ fields }) => ({ fields: [...fields, name, value] }),
})
export const strip = (...lowerNames: string[]): Faults => ({
  response: ({ fields }) => ({ fields: without(fields, ...lowerNames) }),
})
export const onSetCookie = (change: (lines: string[]) => string[]): Faults => ({
  response: ({ fields }) => {
    const lines = valuesOf(fields, 'set-cookie')
    return lines.length === 0 ? {} : { fields: withField(fields, 'Set-Cookie', ...change(lines)) }
  },
})
/** Stores whatever answer to GET sets no cookie, as many do; HEAD is answered from it too. */
export const caching = (toKey: (arrived: Passing) => string): Faults => ({
  answer: (arrived, { memory }) =>
    ['GET', 'HEAD'].includes(arrived.method) ? memory.get(toKey(arrived)) : undefined,
  response: (answer, { memory }, arrived) => {
    const isStored = arrived.method === 'GET' && valuesOf(answer.fields, 'set-cookie').length === 0
    if (isStored) memory.set(toKey(arrived), answer)
    return {}
  },
})
export const sitesHost: Faults = {
  request: ({ fields }, _arrived, { authority }) => ({ fields: withField(fields, 'Host', authority) }),
}
export const noBody: Faults = {
  request: ({ fields }) => ({
    fields: without(fields, 'content-length', 'transfer-encoding'),
    body: Buffer.alloc(0),
  }),
}
export const refusingLargeCookies: Faults = {
  answer: ({ fields }) => ((firstOf(fields, 'cookie') ?? '').length > 8192 ? page(431, 'no') : undefined),
}
export const strippingLargeCookies: Faults = {
  request: ({ fields }) =>
    (firstOf(fields, 'cookie') ?? '').length > 8192 ? { fields: without(fields, 'cookie') } : {},
}
export const refusingLargeBodies: Faults = {
  answer: ({ body }) => (body.length > 102_400 ? page(413, 'no') : undefined),
}
export const cuttingAnswers: Faults = { response: ({ body }) => ({ body: body.subarray(0, 65_536) }) }
export const ownErrorPages: Faults = {
  response: ({ status }) => (status >= 400 ? page(status, 'sorry') : {}),
}
