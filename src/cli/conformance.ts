import { type OriginServer, startOriginServer } from '../conformance/origin-server.ts'
import { renderJsonConformance, renderPrettyConformance, tallyOf } from '../conformance/report.ts'
import { runSuite, type SuiteResult } from '../conformance/suite.ts'
import { parseAuthority } from '../http/authority.ts'
import { parseHttpUrl, parseUrl } from '../http/parse-url.ts'
import { isPoint, parsePoint } from '../points/point.ts'
import { choosePaint } from '../text/paint.ts'
import { type Arguments, defineCommand, type Outcome, type Refusal } from './command.ts'
import type { Io } from './io.ts'
import { refusePort } from './listen-fault.ts'
import { loadCertificates, parseOverrides } from './network-flags.ts'
import { openProgress } from './progress.ts'
import { tool, version } from './version.ts'

const options = {
  point: { value: 'URL', summary: 'the continuation point to test' },
  page: { value: 'URL', summary: "a page where the widget runs (default: the point's own origin)" },
  'sandbox-port': {
    value: 'N',
    isPort: true,
    summary: 'port of the stand-in service, to which the point forwards (default: 8090)',
  },
  authority: { value: 'HOST[:PORT]', summary: 'another Host that the stand-in accepts', multiple: true },
  resolve: { value: 'HOST:IP', summary: "the point's address, instead of resolving it", multiple: true },
  'ca-file': { value: 'FILE', summary: 'trust only these certificate authorities (PEM)' },
  format: { value: 'FORMAT', summary: 'format of the report on stdout', choices: ['pretty', 'json'] },
} as const

export const command = defineCommand({
  details: `Make the front end forward to http://127.0.0.1:8090 as its service, with the widget key
demo-widget-key or the one in CONTINUATION_WIDGET_KEY. The command runs a stand-in
service there, sends every case to the point, and compares what was sent, what arrived
and what came back. Nothing else may use the point meanwhile.

The exit code is 0 if no "must" failed, 1 if one failed, 3 if no request came through.`,
  options,
  run,
})

async function run({ values }: Arguments<typeof options>, io: Io): Promise<Outcome> {
  const request = await readRequest(values, io)
  if (!('point' in request)) return request
  let originServer: OriginServer
  try {
    originServer = await startOriginServer(request.port)
  } catch (error) {
    return refusePort(error, `the stand-in can't open port ${request.port}`, '--sandbox-port')
  }
  const result = await runShowingProgress(request, originServer, io)
  if ('reason' in result) {
    return {
      message: `the point can't be tested: ${result.reason}.`,
      lines: [`Its service must be http://127.0.0.1:${originServer.port}, where the stand-in listened.`],
      outcome: 'inconclusive',
    }
  }
  const report = { tool, point: request.point.url, outcomes: result.outcomes }
  io.stdout(
    values.format === 'json'
      ? renderJsonConformance(report)
      : renderPrettyConformance(report, choosePaint(io)),
  )
  return tallyOf(result.outcomes, 'must').failed > 0 ? 'findings' : 'done'
}

async function runShowingProgress(
  request: Exclude<Awaited<ReturnType<typeof readRequest>>, Refusal>,
  originServer: OriginServer,
  io: Io,
): Promise<SuiteResult> {
  const progress = openProgress(io)
  try {
    return await runSuite({
      ...request,
      originServer,
      widgetKey: io.env.CONTINUATION_WIDGET_KEY || 'demo-widget-key',
      userAgent: `continuation-point/${version}`,
      onCase: ({ id }) => progress.show(`Running ${id}`),
    })
  } finally {
    progress.close()
    await originServer.close()
  }
}

type Values = Arguments<typeof options>['values']

async function readRequest(values: Values, io: Io) {
  if (values.point === undefined)
    return {
      fault:
        '--point is missing: the continuation point to test, such as --point https://www.example.com/service_cookie_transfer/',
    }
  const prefix = prefixOf(values.point)
  if (prefix === undefined) {
    return { fault: '--point is not a continuation point: its path must end with the prefix and a slash' }
  }
  const point = parsePoint(values.point, prefix)
  if (!isPoint(point)) return { fault: `--point is not a continuation point: ${point.reason}` }
  const pageOrigin = parseHttpUrl(values.page ?? point.origin)?.origin
  if (pageOrigin === undefined) return { fault: '--page is not an absolute http or https URL' }
  const stray = values.authority.find((text) => parseAuthority(text) === undefined)
  if (stray !== undefined) return { fault: `--authority ${JSON.stringify(stray)} is not HOST or HOST:PORT` }
  const resolved = parseOverrides(values.resolve)
  if ('faults' in resolved) return resolved
  const certificates = await loadCertificates(values['ca-file'], io)
  if (certificates !== undefined && 'message' in certificates) return certificates
  return {
    port: values['sandbox-port'] ?? DEFAULT_PORT,
    point,
    prefix,
    pageOrigin,
    authorities: values.authority.map((text) => text.toLowerCase()),
    ...resolved,
    trust: certificates && { kind: 'only' as const, certificates },
  }
}

/** The last segment of a point's path, with both slashes. */
function prefixOf(url: string): string | undefined {
  return /\/[^/]+\/$/.exec(parseUrl(url)?.pathname ?? '')?.[0]
}

const DEFAULT_PORT = 8090
