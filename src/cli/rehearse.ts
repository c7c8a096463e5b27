import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Config } from '../config/config.ts'
import { findWriteFault } from '../config/file-fault.ts'
import { loadConfig } from '../config/load.ts'
import { parsePoints } from '../points/parse-points.ts'
import { networkProbe } from '../probe/network-probe.ts'
import { parseEndpoint } from '../probe/probe.ts'
import { startChromium } from '../rehearsal/chromium.ts'
import { type Rehearsal, rehearse } from '../rehearsal/rehearse.ts'
import { renderHtml, renderPretty, toJsonDocument } from '../rehearsal/report.ts'
import { renderNextSteps } from '../setup/next-steps.ts'
import { findUrlFault, toUrl } from '../setup/questions.ts'
import { toPlainText } from '../text/escape.ts'
import { toJsonText } from '../text/json-text.ts'
import { choosePaint } from '../text/paint.ts'
import { quotePath } from '../text/typed-command.ts'
import { type Arguments, configOption, defineCommand, type Outcome, prefixOption } from './command.ts'
import { type Io, loadCertificates, untilStopped } from './io.ts'
import { version } from './version.ts'

const options = {
  config: configOption,
  headless: { summary: 'show no window, and take the pages as they load' },
  browser: { value: 'PATH', summary: 'the Chromium or Chrome to use' },
  'no-sandbox': { summary: 'start the browser without its sandbox, which root needs' },
  'ca-file': { value: 'FILE', summary: 'trust only these certificate authorities (PEM)' },
  prefix: prefixOption,
  output: { value: 'DIR', summary: 'the folder for the report and its pictures (default: a new one)' },
  format: { value: 'FORMAT', choices: ['pretty', 'json', 'html'], summary: 'format of the report on stdout' },
  write: { value: 'FILE', summary: 'write a first config: points, pages, and cookies without values' },
} as const

export const command = defineCommand({
  details: `Opens Chromium or Chrome with an empty profile at the URL (default: the config’s pages). Sign in, go where sessions start, and press Enter. Then each point is asked once from each origin of your visit, and the page is loaded twice more, as agents would see it (with --headless once more before that, since a first visit is special). Nothing is installed or changed on the site. Several URLs are visited in order; the last one is shown. For basic authentication, put user name and password into the URL.

Exit code 1: a listed or httpOnly cookie of these sites reaches no point. One that the visit did not set is judged as check --offline does.`,
  options,
  operands: { usage: '[URL…]', min: 0, max: Number.POSITIVE_INFINITY },
  run,
})

type Values = Arguments<typeof options>['values']

async function run({ values, operands }: Arguments<typeof options>, io: Io): Promise<Outcome> {
  const loaded = await loadConfig({ file: values.config, ...io, flags: { prefix: values.prefix } })
  if ('problems' in loaded) return loaded
  const { config, file } = loaded
  const parsed = parsePoints(config.points, config.service.prefix)
  if ('problems' in parsed) return parsed
  const { write, headless } = values
  const told = `The points are those of ${file}${write ? ', of which the written config keeps service, points, pages and cookies alone' : ''}.\n`
  if (values.config === undefined && config.points.length > 0) io.stderr(told)
  const urls = operands.length > 0 ? operands.map(toUrl) : config.pages.map(({ url }) => url)
  const faults = urls.flatMap((url) => findUrlFault(url) ?? [])
  if (urls.length === 0) faults.push('name the URL of a page of your site')
  if (!headless && !io.ask) faults.push('there is no terminal at which to press Enter: add --headless')
  if (faults.length > 0) return { faults }
  if (write !== undefined && (await io.kindOf(write)) !== 'nothing')
    return { message: `${write} exists already: name another file with --write` }
  const executable = values.browser ?? (await findBrowser(io)) ?? ''
  if ((await io.kindOf(executable)) === 'nothing') return { message: NO_BROWSER }
  const trusting = await findTrustFlags([...urls, ...config.points.map(({ url }) => url)], values, io)
  if ('message' in trusting) return trusting
  const stopped = new AbortController()
  void untilStopped(io).then(() => stopped.abort())
  // The terminal was closed.
  io.onSignal('SIGHUP', () => stopped.abort())
  const flags = [...trusting, ...(headless ? HEADLESS : [])]
  if (values['no-sandbox']) flags.push('--no-sandbox')
  const untilReady = headless ? undefined : (ended: AbortSignal) => io.ask?.(READY, ended)
  const known = { ...config, hasRestKey: Boolean(io.env.API_KEY) }
  const browser = await startChromium(executable, flags, stopped.signal)
  const rehearsal = await rehearse(browser, urls, known, untilReady)
  io.endWithCommand()
  if (stopped.signal.aborted) return 'interrupted'
  if (typeof rehearsal === 'string') return { message: rehearsal, outcome: 'inconclusive' }
  return tell(rehearsal, values, config, io)
}

/** Prints the report, then writes the files; the last line names the folder. */
async function tell(rehearsal: Rehearsal, values: Values, config: Config, io: Io): Promise<Outcome> {
  const { made, views, cookies } = rehearsal
  const { format = 'pretty', write, output: folder = join(tmpdir(), `rehearsal-${randomUUID()}`) } = values
  const report = join(folder, 'report.html')
  const fileOf = (view: string) => join(folder, `${view}.png`)
  const html = renderHtml(rehearsal)
  const isEmpty = typeof made === 'object' && made.scopes.length === 0
  const unmade = isEmpty ? NOTHING_TO_WRITE : typeof made === 'string' ? made : undefined
  const written =
    write === undefined || typeof made === 'string' || isEmpty ? undefined : { file: write, made }
  if (format === 'json') io.stdout(toJsonText(toJsonDocument(rehearsal, fileOf, written?.file)))
  if (format === 'html') io.stdout(html)
  if (format === 'pretty') io.stdout(renderPretty(rehearsal, choosePaint(io)))
  const files = new Map<string, string | Buffer>([[report, html]])
  for (const [view, { picture }] of Object.entries(views ?? {}))
    files.set(fileOf(view), Buffer.from(picture, 'base64'))
  if (written !== undefined) files.set(written.file, written.made.text)
  for (const [path, content] of files) {
    const fault = await findWriteFault(io.placeFile(path, content, path === write ? undefined : OWNER_ONLY))
    if (fault !== undefined) return { message: `${path} can't be written: ${fault}` }
  }
  const tellLast = format === 'pretty' ? io.stdout : io.stderr
  if (written !== undefined) {
    const answers = { urls: [], service: config.service.url, frontEnd: config.frontEnd }
    for (const note of written.made.notes) tellLast(`\n${toPlainText(note)}`)
    tellLast(`\n${renderNextSteps({ ...written, answers, program: io.program })}\n`)
  }
  tellLast(`Pictures and report: ${quotePath(report)}\n`)
  if (write !== undefined && unmade !== undefined) return { message: unmade }
  if (views === undefined) return 'inconclusive'
  return cookies.some(({ isLost }) => isLost) ? 'findings' : 'done'
}

/** An installed Chromium or Chrome: that of CHROME_PATH, on PATH, or in one of the usual places; none of the current folder. */
async function findBrowser({ env, kindOf }: Io): Promise<string | undefined> {
  const onWindows = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA]
  const places = [
    env.CHROME_PATH ?? '',
    ...(env.PATH ?? '')
      .split(delimiter)
      .filter(isAbsolute)
      .flatMap((folder) => NAMES.map((name) => `${folder}/${name}`)),
    ...['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`),
    ...onWindows.flatMap((folder) => (folder ? WINDOWS.map((place) => `${folder}\\${place}`) : [])),
  ]
  const kinds = await Promise.all(places.map(kindOf))
  return places.find((_, at) => kinds[at] !== 'nothing')
}

/** Chromium trusts no file of authorities, but keys: those of hosts whose certificates prove to be from them. */
async function findTrustFlags(urls: readonly string[], { 'ca-file': file }: Values, io: Io) {
  const certificates = await loadCertificates(file, io)
  if (certificates === undefined || 'message' in certificates) return certificates ?? []
  const probe = networkProbe({ version, overrides: [], trust: { kind: 'only', certificates } })
  const hashes: string[] = []
  for (const endpoint of urls.filter((url) => /^https:/i.test(url)).map(parseEndpoint)) {
    const found = await probe.resolve(endpoint)
    const [address] = found.kind === 'resolved' ? found.addresses : []
    const opened = address === undefined ? undefined : await probe.connect(endpoint, address)
    const certificate = opened?.kind === 'open' ? opened.certificate : undefined
    const { fault, keyHash = '' } = certificate ?? { fault: 'it can’t be reached' }
    const message = `the certificate of ${endpoint.host} is not valid by --ca-file: ${fault}`
    if (fault !== undefined) return { message, outcome: 'inconclusive' as const }
    hashes.push(keyHash)
  }
  return [`--ignore-certificate-errors-spki-list=${hashes.join()}`]
}

const NOTHING_TO_WRITE = 'no config was written, since no cookies were seen'
const NO_BROWSER =
  'no Chromium or Chrome was found: install one (apt install chromium, brew install --cask google-chrome, winget install Google.Chrome), or name it with --browser PATH'
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
// Edge is a Chromium that every Windows has.
const WINDOWS = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe']
const HEADLESS = ['--headless', '--window-size=1280,800', '--hide-scrollbars', '--block-new-web-contents']
const READY = 'Sign in, and go where sessions start. Then press Enter here. '
const OWNER_ONLY = 0o600
