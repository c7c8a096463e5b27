import { valuesOf } from '../../../src/http/fields.ts'
import { type BadFrontEnd, bad, page } from './bad-front-end.ts'
import { drop, on, passingOn, replacing, set, sitesHost, strip, turning } from './faults.ts'
import {
  CONTINUATION,
  type Faults,
  firstOf,
  type Passing,
  WIDGET_KEY,
  withField,
  without,
} from './front-end.ts'

/** Front ends that change the request on its way to the service. */
export const badRequests: readonly BadFrontEnd[] = [
  // redirect
  bad('follows redirects', 'live/redirect', { follows: true }),
  bad('rewrites Location to the site', 'live/redirect', {
    response: ({ fields }, { origin }) => {
      const location = firstOf(fields, 'location')?.replace(/^http:\/\/[^/]+/, origin)
      return location === undefined ? {} : { fields: withField(fields, 'Location', location) }
    },
  }),
  bad('drops Location', 'live/redirect', strip('location')),
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
  bad('redirects deep paths', 'live/redirect', onDeep(redirect('/'))),
  bad('redirects deep paths that are not a resource', 'live/redirect', on(/\/check\//, redirect('/'))),
  bad('redirects to a private address', 'live/redirect', { answer: () => redirect('http://10.0.0.1/') }),
  // forwarded
  bad('answers from the site', 'live/forwarded', { answer: () => page(200, '<h1>Welcome to the shop</h1>') }),
  bad('answers that there is no such page', 'live/forwarded', {
    answer: () => page(404, '<h1>Not found</h1>'),
  }),
  bad('answers 502', 'live/forwarded', { answer: () => page(502, '<h1>Bad gateway</h1>') }),
  bad("sends the customer's Host", 'live/forwarded', sitesHost),
  bad('takes the prefix off', 'live/forwarded', replacing(CONTINUATION, '/')),
  bad(
    'forwards to another path of the service',
    'live/forwarded',
    replacing(CONTINUATION, `${CONTINUATION}x/`),
  ),
  // fields
  bad('forgets X-Continuation-Origin', 'live/origin', drop('x-continuation-origin')),
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
    request: ({ fields }, arrived) => ({ fields: [...originLines(arrived), ...fields] }),
  }),
  bad("lets the client's origin through", 'live/origin', {
    request: ({ fields }, arrived) => {
      const own = originLines(arrived)
      return own.length === 0 ? {} : { fields: [...without(fields, 'x-continuation-origin'), ...own] }
    },
  }),
  bad('forgets X-Widget-Key', 'live/widget-key', drop('x-widget-key')),
  bad('has a wrong key', 'live/widget-key', set('X-Widget-Key', 'demo-api-key')),
  bad('sends the key twice', 'live/widget-key', set('X-Widget-Key', WIDGET_KEY, WIDGET_KEY)),
  bad("lets the client's key through", 'live/widget-key', passingOn('X-Widget-Key')),
  {
    name: 'forgets both fields',
    blamed: ['live/origin', 'live/widget-key'],
    faults: drop('x-continuation-origin', 'x-widget-key'),
  },
  {
    name: 'forgets the key and drops PUT',
    blamed: ['live/widget-key', 'live/methods'],
    faults: { ...drop('x-widget-key'), ...on(/^PUT /, page(405, 'no')) },
  },
  // methods
  bad('drops PUT', 'live/methods', on(/^PUT /, page(405, 'no'))),
  bad('lets GET and HEAD through alone', 'live/methods', on(/^(?!GET |HEAD )/, page(403, 'no'))),
  bad('turns HEAD into GET', 'live/methods', turning('HEAD', 'GET')),
  bad('turns PATCH into POST', 'live/methods', turning('PATCH', 'POST')),
  bad('decodes the path', 'live/methods', {
    request: ({ target }) => ({ target: target.replace('%2F', '/').replace('%7E', '~') }),
  }),
  bad('encodes the query again', 'live/methods', replacing('%41', 'A')),
  bad('drops the query', 'live/methods', replacing(/\?.*$/, '')),
  bad('knows no deep path', 'live/methods', on(/\/check\//, page(404, 'no'))),
  bad('forwards the root alone', 'live/methods', onDeep(page(404, 'no'))),
  {
    name: 'forwards the root alone, without its cookies',
    blamed: ['live/methods', 'live/set-cookie'],
    faults: { ...onDeep(page(404, 'no')), ...drop('cookie') },
  },
  bad('loses the body', 'live/methods', {
    request: ({ body, fields }) =>
      body.length === 0 ? {} : { body: Buffer.alloc(0), fields: withField(fields, 'Content-Length', '0') },
  }),
  bad('answers OPTIONS itself', 'live/methods', on(/^OPTIONS /, { status: 204 })),
]

function onDeep(answer: Partial<Passing>): Faults {
  return { answer: ({ target }) => (target.split('?')[0] === CONTINUATION ? undefined : answer) }
}

function redirect(location: string): Partial<Passing> {
  return { status: 301, fields: ['Location', location] }
}

function originLines({ fields }: Passing): string[] {
  return valuesOf(fields, 'x-continuation-origin').flatMap((value) => ['X-Continuation-Origin', value])
}
