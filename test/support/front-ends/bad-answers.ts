import { valuesOf } from '../../../src/http/fields.ts'
import { type BadFrontEnd, bad, page } from './bad-front-end.ts'
import { CONTINUATION, type Faults, firstOf, type Passing, withField, without } from './front-end.ts'
import { onCookie } from './on-cookie.ts'

const CREDENTIALS = 'access-control-allow-credentials'

/** Front ends that don't carry cookies and answers as they should. */
export const badAnswers: readonly BadFrontEnd[] = [
  // cookies
  bad('joins Set-Cookie', 'live/set-cookie', { response: onSetCookie((lines) => [lines.join(', ')]) }),
  bad('drops Set-Cookie', 'live/set-cookie', { response: onSetCookie(() => []) }),
  bad('keeps the last Set-Cookie alone', 'live/set-cookie', {
    response: onSetCookie((lines) => lines.slice(-1)),
  }),
  bad('keeps one Set-Cookie for a name', 'live/set-cookie', {
    response: onSetCookie((lines) => [...new Map(lines.map((line) => [line.split('=')[0], line])).values()]),
  }),
  bad('reorders Set-Cookie', 'live/set-cookie', { response: onSetCookie((lines) => lines.toReversed()) }),
  bad('rewrites the Path of cookies', 'live/set-cookie', {
    response: onSetCookie((lines) => lines.map((line) => line.replace('Path=/', `Path=${CONTINUATION}`))),
  }),
  bad('rewrites the Domain of cookies', 'live/set-cookie', {
    response: onSetCookie((lines) =>
      lines.map((line) => line.replace(/Domain=[^;]*/, 'Domain=www.shop.localhost')),
    ),
  }),
  bad('adds Secure to cookies', 'live/set-cookie', {
    response: onSetCookie((lines) => lines.map((line) => `${line}; Secure`)),
  }),
  bad('strips Cookie', 'live/set-cookie', {
    request: ({ fields }) => ({ fields: without(fields, 'cookie') }),
  }),
  bad('merges cookies of one name', 'live/set-cookie', {
    request: onCookie((line) =>
      [...new Map(line.split('; ').map((pair) => [pair.split('=')[0], pair])).values()].join('; '),
    ),
  }),
  bad('sends each cookie on a line of its own', 'live/set-cookie', {
    request: ({ fields }) => {
      const line = firstOf(fields, 'cookie')
      return line === undefined ? {} : { fields: withField(fields, 'Cookie', ...line.split('; ')) }
    },
  }),
  bad('takes the blanks out of the Cookie line', 'live/set-cookie', {
    request: onCookie((line) => line.replaceAll('; ', ';')),
  }),
  bad('takes quotes off cookies', 'live/set-cookie', {
    request: onCookie((line) => line.replaceAll('"', '')),
  }),
  // caches
  bad(
    'caches by URL',
    'live/cached',
    caching(({ target }) => target),
  ),
  bad(
    'caches by path',
    'live/cached',
    caching(({ target }) => target.replace(/\?.*$/, '')),
  ),
  ...[
    'Age: 7',
    'X-Cache: Hit from cloudfront',
    'CF-Cache-Status: HIT',
    'Cache-Status: edge; hit',
    'X-Cache-Status: STALE',
  ].map((line) =>
    bad(`says ${line}`, 'live/cached', {
      response: ({ fields }) => ({ fields: [...fields, ...line.split(': ')] }),
    }),
  ),
  bad('lets every cache store answers', 'live/cached', {
    response: ({ fields }) => ({ fields: withField(fields, 'Cache-Control', 'public, max-age=3600') }),
  }),
  bad('takes Cache-Control off answers', 'live/cached', {
    response: ({ fields }) => ({ fields: without(fields, 'cache-control') }),
  }),
  // sizes
  bad('refuses more than 8 KiB', 'live/header-size', {
    answer: ({ fields }) => ((firstOf(fields, 'cookie') ?? '').length > 8192 ? page(431, 'no') : undefined),
  }),
  bad('strips Cookie over 8 KiB', 'live/header-size', {
    request: ({ fields }) => ({
      fields: (firstOf(fields, 'cookie') ?? '').length > 8192 ? without(fields, 'cookie') : fields,
    }),
  }),
  bad('has error pages of its own', 'live/errors', {
    response: ({ status }) => (status >= 400 ? page(status, 'sorry') : {}),
  }),
  bad('cuts answers after 64 KiB', 'live/body-size', {
    response: ({ body }) => ({ body: body.subarray(0, 65_536) }),
  }),
  bad('refuses bodies of more than 100 KiB', 'live/body-size', {
    answer: ({ body }) => (body.length > 102_400 ? page(413, 'no') : undefined),
  }),
  bad('cuts bodies after 1 KiB', 'live/body-size', {
    request: ({ fields, body }) => ({
      fields: withField(fields, 'Content-Length', String(Math.min(body.length, 1024))),
      body: body.subarray(0, 1024),
    }),
  }),
  // cors
  across('answers preflights itself', {
    answer: ({ method }) => (method === 'OPTIONS' ? { status: 204 } : undefined),
  }),
  across('answers preflights itself, as a page would like it', {
    answer: ({ method, fields }) =>
      method === 'OPTIONS'
        ? {
            status: 204,
            fields: [
              ...['Access-Control-Allow-Origin', firstOf(fields, 'origin') ?? ''],
              ...['Access-Control-Allow-Credentials', 'true'],
              ...['Access-Control-Allow-Methods', 'GET, POST'],
              ...['Access-Control-Allow-Headers', 'content-type'],
            ],
          }
        : undefined,
  }),
  across('refuses preflights', {
    answer: ({ method }) => (method === 'OPTIONS' ? page(405, 'no') : undefined),
  }),
  across('adds an Access-Control-Allow-Origin', {
    response: ({ fields }) => ({ fields: [...fields, 'Access-Control-Allow-Origin', '*'] }),
  }),
  across('drops Origin', { request: ({ fields }) => ({ fields: without(fields, 'origin') }) }),
  across('drops what a preflight asks for', {
    request: ({ fields }) => ({ fields: without(fields, 'access-control-request-method') }),
  }),
  across('drops which fields a preflight asks for', {
    request: ({ fields }) => ({ fields: without(fields, 'access-control-request-headers') }),
  }),
  across('takes Access-Control fields off', {
    response: ({ fields }) => ({
      fields: without(fields, 'access-control-allow-origin', 'access-control-allow-credentials'),
    }),
  }),
  bad('lets every website read its answers with cookies', 'live/cors', {
    response: ({ fields }, _site, arrived) => ({ fields: [...fields, ...allowing(arrived)] }),
  }),
  bad('lets every website read its answers', 'live/cors', {
    response: ({ fields }) => ({ fields: [...fields, 'Access-Control-Allow-Origin', '*'] }),
  }),
  bad('answers the preflights of every website', 'live/cors', {
    answer: (arrived) =>
      firstOf(arrived.fields, 'access-control-request-method') === undefined
        ? undefined
        : { status: 204, fields: allowing(arrived) },
  }),
  bad('answers OPTIONS itself, and allows every website', 'live/methods', {
    answer: (arrived) =>
      arrived.method === 'OPTIONS' ? { status: 204, fields: allowing(arrived) } : undefined,
  }),
  across('lets other websites than the page read its answers', {
    response: ({ fields }, _site, arrived) => ({
      fields: [...without(fields, 'access-control-allow-origin', CREDENTIALS), ...allowing(arrived)],
    }),
  }),
]

function allowing({ fields }: Passing): string[] {
  const origin = firstOf(fields, 'origin')
  return origin === undefined ? [] : ['Access-Control-Allow-Origin', origin, CREDENTIALS, 'true']
}

function across(name: string, faults: Faults): BadFrontEnd {
  return { name, blamed: ['live/cors'], faults, across: true }
}

function onSetCookie(change: (lines: string[]) => string[]): NonNullable<Faults['response']> {
  return ({ fields }) => {
    const lines = valuesOf(fields, 'set-cookie')
    return lines.length === 0 ? {} : { fields: withField(fields, 'Set-Cookie', ...change(lines)) }
  }
}

/** Stores whatever answer to GET sets no cookie, as many do; HEAD is answered from it too. */
function caching(toKey: (arrived: Passing) => string): Faults {
  return {
    answer: (arrived, { memory }) =>
      ['GET', 'HEAD'].includes(arrived.method) ? memory.get(toKey(arrived)) : undefined,
    response: (answer, { memory }, arrived) => {
      const isStored = arrived.method === 'GET' && valuesOf(answer.fields, 'set-cookie').length === 0
      if (isStored) memory.set(toKey(arrived), answer)
      return {}
    },
  }
}
