import { type BadFrontEnd, bad, page } from './bad-front-end.ts'
import {
  add,
  caching,
  cuttingAnswers,
  drop,
  on,
  onCookie,
  onSetCookie,
  ownErrorPages,
  refusingLargeBodies,
  refusingLargeCookies,
  strip,
  strippingLargeCookies,
} from './faults.ts'
import { CONTINUATION, type Faults, firstOf, type Passing, withField, without } from './front-end.ts'

const CREDENTIALS = 'access-control-allow-credentials'

/** Front ends that don't carry cookies and answers as they should. */
export const badAnswers: readonly BadFrontEnd[] = [
  // cookies
  changingSetCookie('joins Set-Cookie', (lines) => [lines.join(', ')]),
  changingSetCookie('drops Set-Cookie', () => []),
  changingSetCookie('keeps the last Set-Cookie alone', (lines) => lines.slice(-1)),
  changingSetCookie('keeps one Set-Cookie for a name', (lines) => [
    ...new Map(lines.map((line) => [line.split('=')[0], line])).values(),
  ]),
  changingSetCookie('reorders Set-Cookie', (lines) => lines.toReversed()),
  changingSetCookie('rewrites the Path of cookies', (lines) =>
    lines.map((line) => line.replace('Path=/', `Path=${CONTINUATION}`)),
  ),
  changingSetCookie('rewrites the Domain of cookies', (lines) =>
    lines.map((line) => line.replace(/Domain=[^;]*/, 'Domain=www.shop.localhost')),
  ),
  changingSetCookie('adds Secure to cookies', (lines) => lines.map((line) => `${line}; Secure`)),
  bad('strips Cookie', 'live/set-cookie', drop('cookie')),
  changingCookie('merges cookies of one name', (line) =>
    [...new Map(line.split('; ').map((pair) => [pair.split('=')[0], pair])).values()].join('; '),
  ),
  bad('sends each cookie on a line of its own', 'live/set-cookie', {
    request: ({ fields }) => {
      const line = firstOf(fields, 'cookie')
      return line === undefined ? {} : { fields: withField(fields, 'Cookie', ...line.split('; ')) }
    },
  }),
  changingCookie('takes the blanks out of the Cookie line', (line) => line.replaceAll('; ', ';')),
  changingCookie('takes quotes off cookies', (line) => line.replaceAll('"', '')),
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
    ['Age', '7'],
    ['X-Cache', 'Hit from cloudfront'],
    ['CF-Cache-Status', 'HIT'],
    ['Cache-Status', 'edge; hit'],
    ['X-Cache-Status', 'STALE'],
  ].map(([name = '', value = '']) => bad(`says ${name}: ${value}`, 'live/cached', add(name, value))),
  ...['public, max-age=3600', 'private="x", max-age=600'].map((rules) =>
    bad(`lets caches store answers by ${rules}`, 'live/cached', {
      response: ({ fields }) => ({ fields: withField(fields, 'Cache-Control', rules) }),
    }),
  ),
  bad('lets CDNs store answers', 'live/cached', add('CDN-Cache-Control', 'public, max-age=600')),
  bad('lets caches store scripts', 'live/cached', {
    response: ({ fields }, _site, { target }) =>
      target.includes('.js?') ? { fields: withField(fields, 'Cache-Control', 'public, max-age=600') } : {},
  }),
  bad('takes Cache-Control off answers', 'live/cached', strip('cache-control')),
  // sizes
  bad('refuses more than 8 KiB', 'live/header-size', refusingLargeCookies),
  bad('strips Cookie over 8 KiB', 'live/header-size', strippingLargeCookies),
  bad('has error pages of its own', 'live/errors', ownErrorPages),
  bad('cuts answers after 64 KiB', 'live/body-size', cuttingAnswers),
  bad('refuses bodies of more than 100 KiB', 'live/body-size', refusingLargeBodies),
  bad('is left by the service in the middle of such a body', 'live/body-size', {
    answer: ({ body }) => (body.length > 102_400 ? page(502, '<center>nginx/1.22.1</center>') : undefined),
  }),
  bad('cuts bodies after 1 KiB', 'live/body-size', {
    request: ({ fields, body }) => ({
      fields: withField(fields, 'Content-Length', String(Math.min(body.length, 1024))),
      body: body.subarray(0, 1024),
    }),
  }),
  // cors
  across('answers preflights itself', on(/^OPTIONS /, { status: 204 })),
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
  across('refuses preflights', on(/^OPTIONS /, page(405, 'no'))),
  across('adds an Access-Control-Allow-Origin', add('Access-Control-Allow-Origin', '*')),
  across('drops Origin', drop('origin')),
  across('drops what a preflight asks for', drop('access-control-request-method')),
  across('drops which fields a preflight asks for', drop('access-control-request-headers')),
  across('takes Access-Control fields off', strip('access-control-allow-origin', CREDENTIALS)),
  bad('lets every website read its answers with cookies', 'live/cors', {
    response: ({ fields }, _site, arrived) => ({ fields: [...fields, ...allowing(arrived)] }),
  }),
  bad('lets every website read its answers', 'live/cors', add('Access-Control-Allow-Origin', '*')),
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

function changingSetCookie(name: string, change: Parameters<typeof onSetCookie>[0]): BadFrontEnd {
  return bad(name, 'live/set-cookie', onSetCookie(change))
}

function changingCookie(name: string, change: Parameters<typeof onCookie>[0]): BadFrontEnd {
  return bad(name, 'live/set-cookie', onCookie(change))
}
