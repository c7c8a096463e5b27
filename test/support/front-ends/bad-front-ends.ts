import { valuesOf } from '../../../src/http/fields.ts'
import {
  CONTINUATION,
  type Faults,
  firstOf,
  type Passing,
  WIDGET_KEY,
  withField,
  without,
} from './front-end.ts'

/** A front end that does one thing wrong, and the rules that must say so, and no others. */
export interface BadFrontEnd {
  readonly name: string
  readonly blamed: readonly string[]
  readonly faults: Faults
  /** With a page on another origin. */
  readonly across?: true
}

export const badFrontEnds: readonly BadFrontEnd[] = [
  // redirect
  bad('follows redirects', 'live/redirect', { follows: true }),
  bad('rewrites Location to the site', 'live/redirect', {
    response: ({ fields }, { origin }) => {
      const location = firstOf(fields, 'location')?.replace(/^http:\/\/[^/]+/, origin)
      return location === undefined ? {} : { fields: withField(fields, 'Location', location) }
    },
  }),
  bad('drops Location', 'live/redirect', {
    response: ({ fields }) => ({ fields: without(fields, 'location') }),
  }),
  bad('redirects to https', 'live/redirect', {
    answer: ({ target }, { authority }) => redirect(`https://${authority}${target}`),
  }),
  bad('redirects to another host', 'live/redirect', {
    answer: ({ target }) => redirect(`http://shop.localhost${target}`),
  }),
  bad('redirects to a login', 'live/redirect', { answer: () => redirect('/login?next=x') }),
  bad('adds a slash to deep paths', 'live/redirect', {
    answer: ({ target }) => {
      const [path = '', query = ''] = target.split('?')
      return path.endsWith('/') ? undefined : redirect(`${path}/?${query}`)
    },
  }),
  bad('redirects to a private address', 'live/redirect', { answer: () => redirect('http://10.0.0.1/') }),
  // forwarded
  bad('answers from the site', 'live/forwarded', { answer: () => page(200, '<h1>Welcome to the shop</h1>') }),
  bad('answers that there is no such page', 'live/forwarded', {
    answer: () => page(404, '<h1>Not found</h1>'),
  }),
  bad('answers 502', 'live/forwarded', { answer: () => page(502, '<h1>Bad gateway</h1>') }),
  bad("sends the customer's Host", 'live/forwarded', {
    request: ({ fields }, _arrived, { authority }) => ({ fields: withField(fields, 'Host', authority) }),
  }),
  bad('takes the prefix off', 'live/forwarded', {
    request: ({ target }) => ({ target: target.replace(CONTINUATION, '/') }),
  }),
  bad('forwards to another path of the service', 'live/forwarded', {
    request: ({ target }) => ({ target: target.replace(CONTINUATION, `${CONTINUATION}x/`) }),
  }),
  // fields
  bad('forgets X-Continuation-Origin', 'live/origin', {
    request: ({ fields }) => ({ fields: without(fields, 'x-continuation-origin') }),
  }),
  bad('names https as origin', 'live/origin', {
    request: ({ fields }, _arrived, { origin }) => ({
      fields: withField(fields, 'X-Continuation-Origin', origin.replace('http:', 'https:')),
    }),
  }),
  bad('ends the origin with a slash', 'live/origin', {
    request: ({ fields }, _arrived, { origin }) => ({
      fields: withField(fields, 'X-Continuation-Origin', `${origin}/`),
    }),
  }),
  bad("adds its origin to the client's", 'live/origin', {
    request: ({ fields }, arrived) => ({
      fields: [...originLines(arrived), ...fields],
    }),
  }),
  bad("lets the client's origin through", 'live/origin', {
    request: ({ fields }, arrived) => {
      const own = originLines(arrived)
      return own.length === 0 ? {} : { fields: [...without(fields, 'x-continuation-origin'), ...own] }
    },
  }),
  bad('forgets X-Widget-Key', 'live/widget-key', {
    request: ({ fields }) => ({ fields: without(fields, 'x-widget-key') }),
  }),
  bad('has a wrong key', 'live/widget-key', {
    request: ({ fields }) => ({ fields: withField(fields, 'X-Widget-Key', 'demo-api-key') }),
  }),
  bad('sends the key twice', 'live/widget-key', {
    request: ({ fields }) => ({ fields: withField(fields, 'X-Widget-Key', WIDGET_KEY, WIDGET_KEY) }),
  }),
  bad("lets the client's key through", 'live/widget-key', {
    request: ({ fields }, arrived) => {
      const key = firstOf(arrived.fields, 'x-widget-key')
      return key === undefined ? {} : { fields: withField(fields, 'X-Widget-Key', key) }
    },
  }),
  {
    name: 'forgets both fields',
    blamed: ['live/origin', 'live/widget-key'],
    faults: {
      request: ({ fields }) => ({ fields: without(fields, 'x-continuation-origin', 'x-widget-key') }),
    },
  },
  // methods
  bad('drops PUT', 'live/methods', {
    answer: ({ method }) => (method === 'PUT' ? page(405, 'no') : undefined),
  }),
  bad('lets GET and HEAD through alone', 'live/methods', {
    answer: ({ method }) => (['GET', 'HEAD'].includes(method) ? undefined : page(403, 'no')),
  }),
  bad('turns HEAD into GET', 'live/methods', {
    request: ({ method }) => (method === 'HEAD' ? { method: 'GET' } : {}),
  }),
  bad('turns PATCH into POST', 'live/methods', {
    request: ({ method }) => (method === 'PATCH' ? { method: 'POST' } : {}),
  }),
  bad('decodes the path', 'live/methods', {
    request: ({ target }) => ({ target: target.replace('%2F', '/').replace('%7E', '~') }),
  }),
  bad('encodes the query again', 'live/methods', {
    request: ({ target }) => ({ target: target.replace('%41', 'A') }),
  }),
  bad('drops the query', 'live/methods', {
    request: ({ target }) => ({ target: target.replace(/\?.*$/, '') }),
  }),
  bad('knows no deep path', 'live/methods', {
    answer: ({ target }) => (target.includes('/check/') ? page(404, 'no') : undefined),
  }),
  bad('loses the body', 'live/methods', {
    request: ({ body, fields }) =>
      body.length === 0 ? {} : { body: Buffer.alloc(0), fields: withField(fields, 'Content-Length', '0') },
  }),
  bad('answers OPTIONS itself', 'live/methods', {
    answer: ({ method }) => (method === 'OPTIONS' ? { status: 204 } : undefined),
  }),
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
  // sizes
  bad('refuses more than 8 KiB', 'live/header-size', {
    answer: ({ fields }) => ((firstOf(fields, 'cookie') ?? '').length > 8192 ? page(431, 'no') : undefined),
  }),
  bad('strips Cookie over 8 KiB', 'live/header-size', {
    request: ({ fields }) => ({
      fields: (firstOf(fields, 'cookie') ?? '').length > 8192 ? without(fields, 'cookie') : fields,
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
  across('takes Access-Control fields off', {
    response: ({ fields }) => ({
      fields: without(fields, 'access-control-allow-origin', 'access-control-allow-credentials'),
    }),
  }),
]

/** What a front end may do without being wrong. */
export const harmlessFrontEnds: readonly { readonly name: string; readonly faults: Faults }[] = [
  { name: 'does all right', faults: {} },
  {
    name: 'adds a cookie of its own',
    faults: {
      response: ({ fields }) => ({
        fields: ['Set-Cookie', 'lb=1; Path=/', ...fields, 'Set-Cookie', 'lb2=1'],
      }),
    },
  },
  {
    name: 'adds fields of its own',
    faults: {
      request: ({ fields }) => ({ fields: [...fields, 'Via', '1.1 front', 'X-Forwarded-For', '192.0.2.1'] }),
      response: ({ fields }) => ({ fields: [...fields, 'Via', '1.1 front', 'Age', '0', 'X-Cache', 'MISS'] }),
    },
  },
  {
    name: 'adds a cookie to the request',
    faults: { request: onCookie((line) => `lb=1; ${line}`, 'short') },
  },
  {
    name: 'forbids to cache',
    faults: {
      response: ({ fields }) => ({ fields: withField(fields, 'Cache-Control', 'private, no-store') }),
    },
  },
]

function bad(name: string, blamed: string, faults: Faults): BadFrontEnd {
  return { name, blamed: [blamed], faults }
}

function across(name: string, faults: Faults): BadFrontEnd {
  return { name, blamed: ['live/cors'], faults, across: true }
}

function redirect(location: string): Partial<Passing> {
  return { status: 301, fields: ['Location', location] }
}

function page(status: number, text: string): Partial<Passing> {
  return { status, fields: ['Content-Type', 'text/html'], body: Buffer.from(text) }
}

function originLines({ fields }: Passing): string[] {
  return valuesOf(fields, 'x-continuation-origin').flatMap((value) => ['X-Continuation-Origin', value])
}

function onSetCookie(change: (lines: string[]) => string[]): NonNullable<Faults['response']> {
  return ({ fields }) => {
    const lines = valuesOf(fields, 'set-cookie')
    return lines.length === 0 ? {} : { fields: withField(fields, 'Set-Cookie', ...change(lines)) }
  }
}

function onCookie(
  change: (line: string) => string,
  which: 'all' | 'short' = 'all',
): NonNullable<Faults['request']> {
  return ({ fields }) => {
    const line = firstOf(fields, 'cookie')
    if (line === undefined || (which === 'short' && line.length > 1000)) return {}
    return { fields: withField(fields, 'Cookie', change(line)) }
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
