import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { demoAccount } from '../../../src/sandbox/state/company.ts'
import { fakeIo, runCommand } from '../../cli/fake-io.ts'
import { freePort, startServer } from '../../front-ends/support/real-server.ts'
import { pemOf } from '../../support/certificates/certificate.ts'
import { openFolderOfTest } from '../../support/folder.ts'
import { closedPort } from '../../support/front-ends/raw-front-end.ts'
import { openForTest } from '../../support/open-for-test.ts'
import { startProxy } from '../../support/start-proxy.ts'
import { apache, caddy, type FrontEndText, haproxy, nginx, PAGE, type Place } from './front-end-text.ts'
import type { Healthy } from './healthy.ts'
import { node, toServer, varnish } from './other-servers.ts'
import type { Change, Changing, SetUp } from './set-up.ts'

interface Checked {
  readonly code: number
  /** As at a terminal of 80 columns. */
  readonly pretty: string
  readonly failures: readonly Failure[]
}

interface Failure {
  readonly id: string
  readonly message: string
  readonly fix: string
}

/** Builds the set-up with its mistake and checks it, then once more with the fix. */
export function runSetUp(setUp: SetUp) {
  return withPlace(setUp, async (checkWith) => {
    const before = await checkWith((place) => breakIt(setUp, place))
    const after = await checkWith((place) => merge(breakIt(setUp, place), fixIt(setUp, place)))
    return { place: before.place, before: before.checked, after: after.checked }
  })
}

/** Builds a set-up without a mistake and checks it. */
export function runHealthy(setUp: Healthy): Promise<Checked & { readonly asked: number }> {
  return withPlace(setUp, async (checkWith) => {
    const { checked, asked } = await checkWith((place) => toChange(setUp, setUp.given, place))
    return { ...checked, asked }
  })
}

type Server = Pick<SetUp, 'server' | 'through' | 'scheme'>

async function withPlace<Result>(
  setUp: Server,
  use: (checkWith: (toChange: (place: Place) => Change) => ReturnType<typeof checkPlace>) => Promise<Result>,
): Promise<Result> {
  const port = await freePort()
  const { scheme } = setUp
  const host = scheme === 'https' ? 'localhost' : 'www.shop.localhost'
  const origin = `${scheme}://${host}:${port}`
  const point = `${origin}${PREFIX}`
  const seed = { clients: [toOther(point)] }
  const sandbox = await openForTest(startSandbox({ authorities: [SERVICE_NAME, `localhost:${port}`], seed }))
  const folder = openFolderOfTest()
  // Workers of the servers are other users.
  await chmod(folder, 0o777)
  await writeFile(join(folder, 'index.html'), PAGE)
  const up = new URL(sandbox.url).host
  const base = { port, host, origin, scheme, point, folder, service: up, next: up }
  const listed = { cookie_transfer_urls: [point], cookie_transfer_scopes: toCookies(host) }
  return use((toChange) => {
    sandbox.setAccount(demoAccount({ ...listed, ...toChange(base).account }))
    return checkPlace(setUp, base, toChange)
  })
}

/** Another customer, whose account would take the cookies of this site. */
function toOther(point: string) {
  const settings = {
    cookie_transfer_enabled: true,
    cookie_transfer_proxying: true,
    cookie_transfer_urls: [point],
  }
  return { company_name: 'Other', rest_key: 'other-api-key', widget_key: 'other-widget-key', settings }
}

function breakIt(setUp: SetUp, place: Place): Change {
  return toChange(setUp, setUp.broken, place)
}

/** What is right after the fix: what it says, or what is right for each broken part. */
export function fixIt(setUp: SetUp, place: Place): Change {
  if (setUp.fixed !== undefined) return toChange(setUp, setUp.fixed, place)
  const { serve, service, parts, ...rest } = breakIt(setUp, place)
  const right = TEXTS[setUp.server].parts(place, setUp.through)
  const names = Object.keys(parts ?? {})
  return { ...rest, parts: Object.fromEntries(names.map((name) => [name, right[name] ?? ''])) }
}

function toChange(
  { server, isNamed }: Pick<SetUp, 'server' | 'isNamed'>,
  changing: Changing,
  place: Place,
): Change {
  const change = typeof changing === 'function' ? changing(place) : { parts: changing }
  return isNamed ? { ...change, config: { ...change.config, frontEnd: server } } : change
}

/** The parts that the fix names; all else of the mistake is gone with it. */
function merge(broken: Change, fixed: Change): Change {
  return { ...fixed, served: fixed.served ?? broken.served ?? [], parts: { ...broken.parts, ...fixed.parts } }
}

async function checkPlace(setUp: Server, base: Place, toChange: (place: Place) => Change) {
  const { service: serviceState, serve: serveState, serveKey, served = [] } = toChange(base)
  const service = serviceState === 'down' ? `127.0.0.1:${await closedPort()}` : base.service
  const serve =
    setUp.through === 'service' || serveState === 'down'
      ? undefined
      : await startProxy(`http://${service}`, {
          widgetKey: serveKey ?? 'demo-widget-key',
          points: [base.point, ...served],
        })
  const nextPort = serve?.port ?? (await closedPort())
  const next = setUp.through === 'service' ? service : `127.0.0.1:${nextPort}`
  const place: Place = { ...base, service, next }
  const change = toChange(place)
  const { parts, text } = TEXTS[setUp.server]
  const whole = text(place, { ...parts(place, setUp.through), ...change.parts })
  const frontEnd = await startServer(toServer(setUp.server, whole, place.port), whole, place.port)
  try {
    const checked = await checkConfig(place, change)
    return { place, checked, asked: serve?.records.length ?? 0 }
  } finally {
    await frontEnd.close()
    await serve?.close()
  }
}

async function checkConfig(place: Place, change: Change): Promise<Checked> {
  const config = {
    service: { url: `http://${place.service}` },
    widgetKey: 'demo-widget-key',
    apiKey: 'demo-api-key',
    points: [place.point],
    pages: [`${place.origin}/`],
    cookies: toCookies(place.host),
    listen: { port: Number(place.next.replace(/^.*:/, '')) },
    ...change.config,
  }
  const files = {
    'config.json': JSON.stringify(config, undefined, 2),
    'ca.pem': `${pemOf('authority.cert')}${pemOf('early-authority.cert')}`,
    'root.pem': pemOf('root.cert'),
  }
  const words = ['--config', 'config.json', '--format', 'pretty', '--output', 'json=report.json']
  const { code, pretty, json } = await runCheck([...words, ...(change.flags ?? [])], files)
  const { checks } = JSON.parse(json) as {
    readonly checks: readonly (Failure & { readonly outcome: string; readonly severity: string })[]
  }
  const failures = checks.filter(({ outcome, severity }) => outcome === 'fail' && severity !== 'info')
  return { code, pretty, failures }
}

async function runCheck(words: readonly string[], files: Readonly<Record<string, string>>) {
  let json = ''
  const writeFile = async (_path: string, text: string) => {
    json = text
  }
  const io = { ...fakeIo(files), writeFile, stdoutColumns: 80 }
  const { code, stdout: pretty } = await runCommand(['check', ...words], io)
  return { code, pretty, json }
}

function toCookies(domain: string) {
  return [{ name: 'sid', domain, path: '/', httponly: true }]
}

const PREFIX = '/service_cookie_transfer/'
const SERVICE_NAME = 'cobrowse.shop.localhost'
const TEXTS: Readonly<Record<SetUp['server'], FrontEndText>> = {
  nginx,
  apache,
  caddy,
  haproxy,
  varnish,
  node,
}
