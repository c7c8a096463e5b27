import { NOT_STORED } from '../../forward/field-rules.ts'
import { requestRemoved } from '../fields.ts'
import type { FrontEnd } from '../front-end.ts'
import { renderConstants } from '../function-constants.ts'
import { listKeyNames } from '../origins.ts'
import { wholeFile } from '../part.ts'
import { type Site, toTargetUrl } from '../site.ts'

export const cloudflareWorker: FrontEnd = {
  name: 'cloudflare-worker',
  title: 'Cloudflare Workers',
  output: 'A module Worker that forwards by itself.',
  without: { route: 'a Worker can’t keep Host when it calls another server: use --mode forward' },
  gaps: [
    'Field names arrive in lower case, repeated request fields joined.',
    'The URL parser rewrites dot segments before the Worker sees them.',
    'Cloudflare adds fields of its own (CF-Connecting-IP, CF-Ray, X-Forwarded-Proto), and may recompress a body.',
    'limits.bodyBytes applies only to bodies with a Content-Length.',
    'service.ca is not supported: the service needs a public certificate.',
  ],
  parts: (site) => wholeFile('worker.mjs', render(site)),
}

function render(site: Site): readonly string[] {
  const { origins, target, bodyBytes } = site
  const points = origins.flatMap(({ url: origin, points: own }) =>
    own.map(({ path, strippedPath: { length: strip }, keyName: key }) => ({ origin, path, strip, key })),
  )
  return `// Cloudflare Worker as continuation point: forwards the widget’s calls to the service.
//
// Routes of the Worker:
${points.map(({ origin, path }) => `//   ${origin}${path}*`).join('\n')}
// Widget keys:
${listKeyNames(origins)
  .map((key) => `//   wrangler secret put ${key}`)
  .join('\n')}

const service = ${JSON.stringify(toTargetUrl(target))}

${renderConstants(points, requestRemoved(site), site)}
export default {
  async fetch(request, env) {
    const { origin, pathname, search } = new URL(request.url)
    const point = points.find((each) => each.origin === origin && pathname.startsWith(each.path))
    if (point === undefined) return new Response(null, { status: 404 })
    if (refusedPath.test(pathname)) return new Response(null, { status: 400 })
    // TRACE would echo httpOnly cookies.
    if (request.method === 'TRACE' || request.method === 'CONNECT') return new Response(null, { status: 405 })
${bodyBytes === undefined ? '' : "    if (Number(request.headers.get('Content-Length')) > bodyLimit) return new Response(null, { status: 413 })\n"}    if (!env[point.key]) return new Response(null, { status: 503 })

    const headers = new Headers(request.headers)
    for (const name of requestRemoved) headers.delete(name)
    for (const name of [...headers.keys()]) if (forged.test(name)) headers.delete(name)
    headers.set('X-Widget-Key', env[point.key])
    headers.set('X-Continuation-Origin', point.origin)
    // A new id for each request, whatever the client sent.
    const id = crypto.randomUUID()
    headers.set('X-Request-Id', id)

    // Redirects are left to the browser, and nothing is cached.
    const answer = await fetch(service + pathname.slice(point.strip) + search, {
      method: request.method,
      headers,
      body: request.body,
      redirect: 'manual',
      cache: 'no-store',
      duplex: 'half',
    }).catch(() => new Response(null, { status: 502 }))

    console.log(id, request.method, answer.status)
    const response = new Response(answer.body, answer)
    for (const name of responseRemoved) response.headers.delete(name)
    if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', '${NOT_STORED}')
    return response
  },
}`.split('\n')
}
