import { HOP_BEFORE, NOT_STORED } from '../../forward/field-rules.ts'
import type { FrontEnd } from '../front-end.ts'
import { renderConstants } from '../function-constants.ts'
import { listKeyNames } from '../origins.ts'
import { wholeFile } from '../part.ts'
import type { Site } from '../site.ts'

export const cloudfront: FrontEnd = {
  name: 'cloudfront',
  title: 'Amazon CloudFront',
  output: 'A Lambda@Edge function (Node.js, ES module) that makes a distribution forward by itself.',
  without: {
    route: 'CloudFront reaches only public origins, and serve should not be one: use --mode forward',
  },
  gaps: [
    'CloudFront refuses heads over 20 KiB, TRACE, CONNECT and non-standard methods.',
    'A distribution is for the points of one host, with one widget key: render each from its own config.',
    'limits.bodyBytes applies only to bodies with a Content-Length.',
    'service.ca is not supported: the service needs a public certificate.',
  ],
  reasonAgainst,
  parts: (site) => wholeFile('index.mjs', render(site)),
}

function reasonAgainst({ origins }: Site): string | undefined {
  if (origins.length > 1)
    return `a distribution of CloudFront is for the points of one host and scheme: ${ALONE}`
  return listKeyNames(origins).length > 1
    ? `a distribution of CloudFront sends one widget key: ${ALONE}`
    : undefined
}

function render(site: Site): readonly string[] {
  const { origins, target, bodyBytes } = site
  const points = origins.flatMap(({ url: origin, authorities, points: own }) =>
    own.map(({ path, strippedPath: { length: strip } }) => ({ authorities, origin, path, strip })),
  )
  return `// CloudFront as continuation point: forwards the widget’s calls to the service.
//
// An origin of the distribution:
//   ${target.host}, ${target.kind === 'forward' && target.scheme === 'http' ? 'HTTP' : 'HTTPS'} only, port ${target.port}, TLSv1.2, with the custom header X-Widget-Key: the key
// A behaviour for each path, in front of all others, with all methods, CachingDisabled, an origin request policy
// that passes all cookies, query strings and headers but Host, and this function on viewer request (only to keep
// the host of the viewer), origin request and origin response:
${points.map(({ origin, path }) => `//   ${path}*   (${origin})`).join('\n')}

${renderConstants(points, HOP_BEFORE, site)}
export async function handler(event) {
  const { config, request, response } = event.Records[0].cf
  if (config.eventType === 'viewer-request') return toViewerRequest(request, config.requestId)
  if (config.eventType === 'origin-response') return toResponse(response)
  return toOriginRequest(request)
}

function toViewerRequest(request, id) {
  const host = request.headers.host[0].value.toLowerCase()
  const point = points.find((each) => each.authorities.includes(host) && request.uri.startsWith(each.path))
  if (point === undefined) return { status: '404' }
  if (refusedPath.test(request.uri)) return { status: '400' }
${bodyBytes === undefined ? '' : "  if (Number(request.headers['content-length']?.[0].value) > bodyLimit) return { status: '413' }\n"}  for (const name of requestRemoved) delete request.headers[name]
  for (const name of Object.keys(request.headers)) if (forged.test(name)) delete request.headers[name]
  request.headers['x-continuation-origin'] = [{ key: 'X-Continuation-Origin', value: point.origin }]
  // Whatever the client sent; the log of CloudFront has it as x-edge-request-id.
  request.headers['x-request-id'] = [{ key: 'X-Request-Id', value: id }]
  return request
}

function toOriginRequest(request) {
  const origin = request.headers['x-continuation-origin']?.[0].value
  const point = points.find((each) => each.origin === origin && request.uri.startsWith(each.path))
  if (point === undefined) return { status: '404' }
  if (request.origin.custom.customHeaders['x-widget-key'] === undefined) return { status: '503' }
  request.uri = request.uri.slice(point.strip)
  request.headers.host = [{ key: 'Host', value: request.origin.custom.domainName }]
  return request
}

function toResponse(response) {
  for (const name of responseRemoved) delete response.headers[name]
  response.headers['cache-control'] ??= [{ key: 'Cache-Control', value: '${NOT_STORED}' }]
  return response
}`.split('\n')
}

const ALONE = 'render each from its own config, with --config'
