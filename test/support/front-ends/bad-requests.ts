import { valuesOf } from '../../../src/http/fields.ts'
import { type BadFrontEnd, bad, page } from './bad-front-end.ts'
import { CONTINUATION, firstOf, type Passing, WIDGET_KEY, withField, without } from './front-end.ts'

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
  bad('redirects deep paths', 'live/redirect', {
    answer: ({ target }) => (target.split('?')[0] === CONTINUATION ? undefined : redirect('/')),
  }),
  bad('redirects deep paths that are not a resource', 'live/redirect', {
    answer: ({ target }) => (target.includes('/check/') ? redirect('/') : undefined),
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
  {
    name: 'forgets the key and drops PUT',
    blamed: ['live/widget-key', 'live/methods'],
    faults: {
      request: ({ fields }) => ({ fields: without(fields, 'x-widget-key') }),
      answer: ({ method }) => (method === 'PUT' ? page(405, 'no') : undefined),
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
  bad('forwards the root alone', 'live/methods', {
    answer: ({ target }) => (target.split('?')[0] === CONTINUATION ? undefined : page(404, 'no')),
  }),
  {
    name: 'forwards the root alone, without its cookies',
    blamed: ['live/methods', 'live/set-cookie'],
    faults: {
      answer: ({ target }) => (target.split('?')[0] === CONTINUATION ? undefined : page(404, 'no')),
      request: ({ fields }) => ({ fields: without(fields, 'cookie') }),
    },
  },
  bad('loses the body', 'live/methods', {
    request: ({ body, fields }) =>
      body.length === 0 ? {} : { body: Buffer.alloc(0), fields: withField(fields, 'Content-Length', '0') },
  }),
  bad('answers OPTIONS itself', 'live/methods', {
    answer: ({ method }) => (method === 'OPTIONS' ? { status: 204 } : undefined),
  }),
]

function redirect(location: string): Partial<Passing> {
  return { status: 301, fields: ['Location', location] }
}

function originLines({ fields }: Passing): string[] {
  return valuesOf(fields, 'x-continuation-origin').flatMap((value) => ['X-Continuation-Origin', value])
}
