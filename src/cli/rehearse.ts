import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { findWriteFault } from '../config/file-fault.ts'
import { loadConfig } from '../config/load.ts'
import { networkProbe } from '../probe/network-probe.ts'
import { parseEndpoint } from '../probe/probe.ts'
import { findBrowser } from '../rehearsal/find-browser.ts'
import { type Rehearsal, rehearse } from '../rehearsal/rehearse.ts'
import { renderRehearsal, toJsonDocument } from '../rehearsal/report.ts'
import { renderRehearsalHtml } from '../rehearsal/report-html.ts'
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
  details: `Opens Chromium or Chrome with an empty profile at the URL (default: the config’s pages). Sign in, go where sessions start, and press Enter. Then each point is asked once from each origin of your visit, and the page is loaded twice more, as agents would see it. Nothing is installed or changed on the site. Several URLs are visited in order; the last one is shown. For basic authentication, put user name and password into the URL.

Exit code 1: a listed or httpOnly cookie of these sites reaches no point.`,
  options,
  operands: { usage: '[URL…]', min: 0, max: Number.POSITIVE_INFINITY },
  run,
})

type Values = Arguments<typeof options>['values']

async function run({ values, operands }: Arguments<typeof options>, io: Io): Promise<Outcome> {
  const loaded = await loadConfig({ file: values.config, ...io, flags: { prefix: values.prefix } })
  if ('problems' in loaded) return loaded
  const { config } = loaded
  const { write, headless } = values
  const given = operands.map((word) => (word.includes(':') ? word : toUrl(word)))
  const urls = given.length > 0 ? given : config.pages.map(({ url }) => url)
  const faults = [
    ...(urls.length === 0 ? ['name the URL of a page of your site'] : []),
    ...urls.flatMap((url) => findUrlFault(url) ?? []),
    ...(headless || io.ask ? [] : ['there is no terminal at which to press Enter: add --headless']),
  ]
  if (faults.length > 0) return { faults }
  if (write !== undefined && (await io.kindOf(write)) !== 'nothing')
    return { message: `${write} exists already: name another file with --write` }
  const executable = values.browser ?? (await findBrowser(io))
  if (executable === undefined) return { message: NO_BROWSER }
  if ((await io.kindOf(executable)) === 'nothing')
    return { message: `--browser ${executable} does not exist` }
  const points = config.points.map(({ url }) => url)
  const trusting = await findTrustFlags([...urls, ...points], values, io)
  if (!Array.isArray(trusting)) return trusting
  const stopped = new AbortController()
  void untilStopped(io).then(() => stopped.abort())
  const { prefix, url: serviceUrl = PLACEHOLDER } = config.service
  const rehearsal = await rehearse({
    ...{ executable, urls, listed: config.cookies, signal: stopped.signal },
    flags: [...trusting, ...(headless ? HEADLESS : []), ...(values['no-sandbox'] ? ['--no-sandbox'] : [])],
    known: { prefix, points, serviceUrl, frontEnd: config.frontEnd, hasRestKey: Boolean(io.env.API_KEY) },
    untilReady: headless ? undefined : async (ended) => io.ask?.(READY, ended),
  })
  io.endWithCommand()
  if (stopped.signal.aborted) return 'interrupted'
  if (typeof rehearsal === 'string') return { message: rehearsal, outcome: 'inconclusive' }
  return tell(rehearsal, values, config, io)
}

/** Writes the files, then the report; the last line names the folder. */
async function tell(rehearsal: Rehearsal, values: Values, config: Config, io: Io): Promise<Outcome> {
  const { made, views } = rehearsal
  const { format = 'pretty', write, output: folder = join(tmpdir(), `rehearsal-${randomUUID()}`) } = values
  const report = join(folder, 'report.html')
  const fileOf = (view: string) => join(folder, `${view}.png`)
  const html = renderRehearsalHtml(rehearsal, Date.now())
  const written = write === undefined || typeof made === 'string' ? undefined : { file: write, made }
  const files: (readonly [path: string, content: string | Buffer])[] = [[report, html]]
  for (const [key, { picture }] of Object.entries(views ?? {}))
    files.push([fileOf(key), Buffer.from(picture, 'base64')])
  if (written !== undefined) files.push([written.file, written.made.text])
  const messages: string[] = []
  for (const [path, content] of files) {
    const fault = await findWriteFault(io.placeFile(path, content, path === write ? undefined : OWNER_ONLY))
    if (fault !== undefined) messages.push(`${path} can't be written: ${fault}`)
  }
  if (format === 'json') io.stdout(toJsonText(toJsonDocument(rehearsal, fileOf, written?.file)))
  if (format === 'html') io.stdout(html)
  if (format === 'pretty') io.stdout(renderRehearsal(rehearsal, choosePaint(io)))
  const tellLast = format === 'pretty' ? io.stdout : io.stderr
  if (written !== undefined && messages.length === 0) {
    const answers = { urls: [], service: config.service.url, frontEnd: config.frontEnd }
    tellLast(`\n${renderNextSteps({ ...written, answers, program: io.program })}\n`)
  }
  if (typeof made === 'string') io.stderr(`${toPlainText(made)}\n`)
  tellLast(`Pictures and report: ${quotePath(report)}\n`)
  if (messages.length > 0) return { messages }
  if (views === undefined) return 'inconclusive'
  return rehearsal.cookies.some(({ isLost }) => isLost) ? 'findings' : 'done'
}

/** Chromium trusts no file of authorities, but keys: those of hosts whose certificates prove to be from them. */
async function findTrustFlags(urls: readonly string[], { 'ca-file': file }: Values, io: Io) {
  const certificates = await loadCertificates(file, io)
  if (certificates === undefined || 'message' in certificates) return certificates ?? []
  const probe = networkProbe({ version, overrides: [], trust: { kind: 'only', certificates } })
  const hashes = new Set<string>()
  for (const endpoint of urls.filter((url) => /^https:/i.test(url)).map(parseEndpoint)) {
    const resolution = await probe.resolve(endpoint)
    const [address] = resolution.kind === 'resolved' ? resolution.addresses : []
    const opened = address === undefined ? undefined : await probe.connect(endpoint, address)
    const certificate = opened?.kind === 'open' ? opened.certificate : undefined
    const { fault, keyHash } = certificate ?? { fault: 'it can’t be reached', keyHash: undefined }
    const message = `the certificate of ${endpoint.host} is not valid by --ca-file: ${fault}`
    if (fault !== undefined) return { message, outcome: 'inconclusive' as const }
    hashes.add(keyHash ?? '')
  }
  return [`--ignore-certificate-errors-spki-list=${[...hashes].join()}`]
}

const NO_BROWSER =
  'there is no Chromium or Chrome in the usual places: install one (apt install chromium, brew install --cask google-chrome, winget install Google.Chrome), or name it with --browser PATH'
const HEADLESS = ['--headless', '--window-size=1280,800', '--hide-scrollbars', '--block-new-web-contents']
const READY = 'Sign in, and go where sessions start. Then press Enter here. '
const OWNER_ONLY = 0o600
const PLACEHOLDER = 'https://cobrowse.example.net'
