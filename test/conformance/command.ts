import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Io, loadCertificates, showProgress } from '../../src/cli/io.ts'
import { parseAuthority } from '../../src/http/authority.ts'
import { parseHttpUrl, parseUrl } from '../../src/http/url.ts'
import { isPoint, parsePoint } from '../../src/points/point.ts'
import { parseNameOverrides } from '../../src/probe/name-override.ts'
import { choosePaint } from '../../src/text/paint.ts'
import { startOriginServer } from './suite/origin-server.ts'
import { renderConformance, tallyOf } from './suite/report.ts'
import { runSuite } from './suite/suite.ts'

/** What the command uses of its process. */
export type Output = Pick<Io, 'env' | 'stdoutIsTty' | 'stderrColumns' | 'stdout' | 'stderr'>

const USAGE = `npm run conformance -- --point URL [options]

  --point URL              the continuation point to test
  --page URL               a page where the widget runs (default: the point's own origin)
  --sandbox-port N         port of the stand-in service, to which the point forwards (default: 8090)
  --authority HOST[:PORT]  another Host that the stand-in accepts; may be repeated
  --resolve HOST:IP        the point's address, instead of resolving it; may be repeated
  --ca-file FILE           trust only these certificate authorities (PEM)

Make the front end forward to http://127.0.0.1:8090 as its service, with the widget key demo-widget-key or the
one in CONTINUATION_WIDGET_KEY. Nothing else may use the point meanwhile.
`

/**
 * Runs a stand-in service, sends every case to the point that forwards to it, and compares what was sent, arrived and came back.
 *
 * @returns the exit code: 0 if no *must* failed, 1 if one failed, 2 for a usage error, 3 if no request came through
 */
export async function judge(words: readonly string[], output: Output): Promise<0 | 1 | 2 | 3> {
  const request = await readRequest(words).catch((error: Error) => error.message)
  if (typeof request === 'string') {
    output.stderr(`${request}\n\n${USAGE}`)
    return 2
  }
  const originServer = await startOriginServer(request.port).catch((error: Error) => error)
  if (originServer instanceof Error) {
    output.stderr(`The stand-in can't listen: ${originServer.message}. Choose a port with --sandbox-port.\n`)
    return 2
  }
  const result = await runSuite({
    ...request,
    originServer,
    widgetKey: output.env.CONTINUATION_WIDGET_KEY || 'demo-widget-key',
    userAgent: 'continuation-point/0',
    onCase: ({ id }) => showProgress(`Running ${id}`, output),
  }).finally(() => {
    showProgress('', output)
    return originServer.close()
  })
  if ('reason' in result) {
    output.stderr(`The point can't be tested: ${result.reason}.
Its service must be http://127.0.0.1:${originServer.port}, where the stand-in listened.\n`)
    return 3
  }
  output.stdout(renderConformance(request.point.url, result.outcomes, choosePaint(output)))
  return tallyOf(result.outcomes, 'must').failed > 0 ? 1 : 0
}

/** What is to be tested, or what is wrong with the arguments. */
async function readRequest(words: readonly string[]) {
  const { values } = parseArgs({
    args: [...words],
    options: {
      point: { type: 'string', default: '' },
      page: { type: 'string' },
      'sandbox-port': { type: 'string', default: '8090' },
      authority: { type: 'string', multiple: true, default: [] },
      resolve: { type: 'string', multiple: true, default: [] },
      'ca-file': { type: 'string' },
    },
  })
  // The last segment of the point's path, with both slashes.
  const prefix = /\/[^/]+\/$/.exec(parseUrl(values.point)?.pathname ?? '')?.[0]
  if (prefix === undefined)
    return '--point is not a continuation point: a URL whose path ends with the prefix and a slash'
  const point = parsePoint(values.point, prefix)
  if (!isPoint(point)) return `--point is not a continuation point: ${point.reason}`
  const pageOrigin = parseHttpUrl(values.page ?? point.origin)?.origin
  if (pageOrigin === undefined) return '--page is not an absolute http or https URL'
  const port = Number(values['sandbox-port'])
  if (!(port >= 0 && port < 65_536)) return '--sandbox-port is not a port'
  const stray = values.authority.find((text) => parseAuthority(text) === undefined)
  if (stray !== undefined) return `--authority ${JSON.stringify(stray)} is not HOST or HOST:PORT`
  const resolved = parseNameOverrides(values.resolve)
  if ('faults' in resolved) return resolved.faults.join('\n')
  const certificates = await loadCertificates(values['ca-file'], {
    readFile: (path) => readFile(path, 'utf8'),
  })
  if (certificates !== undefined && 'message' in certificates) return certificates.message
  return {
    port,
    point,
    prefix,
    pageOrigin,
    authorities: values.authority.map((text) => text.toLowerCase()),
    ...resolved,
    trust: certificates && { kind: 'only' as const, certificates },
  }
}
