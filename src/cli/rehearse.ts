import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { findWriteFault } from '../config/file-fault.ts'
import { loadConfig } from '../config/load.ts'
import { networkProbe } from '../probe/network-probe.ts'
import { parseEndpoint } from '../probe/probe.ts'
import { explainMissingBrowser, findBrowser } from '../rehearsal/find-browser.ts'
import { type Rehearsal, rehearse } from '../rehearsal/rehearse.ts'
import { renderRehearsal, toJsonDocument, VIEWS } from '../rehearsal/report.ts'
import { renderRehearsalHtml } from '../rehearsal/report-html.ts'
import { renderNextSteps } from '../setup/next-steps.ts'
import { findUrlFault, toUrl } from '../setup/questions.ts'
import { toJsonText } from '../text/json-text.ts'
import { choosePaint } from '../text/paint.ts'
import { quotePath } from '../text/typed-command.ts'
import { type Arguments, configOption, defineCommand, type Outcome, prefixOption } from './command.ts'
import { type Io, loadCertificates, openProgress, untilStopped } from './io.ts'
import { version } from './version.ts'

const options = {
  config: configOption,
  headless: { summary: 'show no window, and take the pages as they load' },
  browser: { value: 'PATH', summary: 'this Chromium or Chrome' },
  'no-sandbox': { summary: 'start the browser without its sandbox, which root needs' },
  'ca-file': { value: 'FILE', summary: 'trust only these certificate authorities (PEM)' },
  prefix: prefixOption,
  output: { value: 'DIR', summary: 'the folder for the report and its pictures (default: a new one)' },
  format: { value: 'FORMAT', choices: ['pretty', 'json', 'html'], summary: 'format of the report on stdout' },
  write: { value: 'FILE', summary: 'write a first config: points, pages, and cookies without values' },
} as const

export const command = defineCommand({
  details: `Opens Chromium or Chrome with an empty profile at the URL (default: the config’s pages). Sign in, go where sessions start, and press Enter. Then each point is asked once from each page, and the page is loaded twice more, as agents would see it. Nothing is installed or changed on the site. Several URLs are visited in order; the last one is shown.

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
  const given = operands.map((word) => (word.includes(':') ? word : toUrl(word)))
  const urls = given.length > 0 ? given : config.pages.map(({ url }) => url)
  const { write, headless } = values
  const { prefix } = config.service
  const faults = [
    ...(urls.length === 0 ? ['name the URL of a page of your site'] : []),
    ...urls.flatMap((url) => findUrlFault(url) ?? []),
    ...(headless || io.ask ? [] : ['there is no terminal at which to press Enter: add --headless']),
  ]
  if (faults.length > 0) return { faults }
  if (write !== undefined && (await io.kindOf(write)) !== 'nothing')
    return { message: `${write} exists already: name another file with --write` }
  const executable = values.browser ?? (await findBrowser(io))
  if (executable === undefined) return { message: explainMissingBrowser() }
  if ((await io.kindOf(executable)) === 'nothing')
    return { message: `--browser ${executable} does not exist` }
  const points = config.points.map(({ url }) => url)
  const keys = await findKeys([...urls, ...points], values, io)
  if ('message' in keys) return keys
  const stopped = new AbortController()
  void untilStopped(io).then(() => stopped.abort())
  const progress = openProgress(io)
  const rehearsal = await rehearse({
    ...{ executable, isHeadless: headless, hasSandbox: !values['no-sandbox'], keyHashes: keys.hashes, urls },
    known: {
      ...{ prefix, points, serviceUrl: config.service.url ?? PLACEHOLDER, frontEnd: config.frontEnd },
      hasRestKey: Boolean(io.env.API_KEY),
    },
    listed: config.cookies,
    untilReady: headless ? undefined : async (ended) => io.ask?.(READY, ended),
    onProgress: progress.show,
    signal: stopped.signal,
  })
  progress.close()
  io.endWithCommand()
  if (stopped.signal.aborted) return 'interrupted'
  if (typeof rehearsal === 'string') return { message: rehearsal, outcome: 'inconclusive' }
  return tell(rehearsal, values, config, io)
}

/** Writes the files, then the report; the last line names the folder. */
async function tell(rehearsal: Rehearsal, values: Values, config: Config, io: Io): Promise<Outcome> {
  const { made, views, cookies, comparison } = rehearsal
  const { format = 'pretty', write } = values
  const folder = values.output ?? join(tmpdir(), `rehearsal-${randomUUID()}`)
  const fileOf = (name: string) => join(folder, name)
  const html = renderRehearsalHtml(rehearsal, Date.now())
  const writing: [path: string, write: () => Promise<void>][] = [
    [fileOf('report.html'), () => io.placeFile(fileOf('report.html'), html, OWNER_ONLY)],
  ]
  for (const [key, , file] of VIEWS) {
    const picture = Buffer.from(views?.[key].picture ?? '', 'base64')
    if (picture.length > 0)
      writing.push([fileOf(file), () => io.placeFile(fileOf(file), picture, OWNER_ONLY)])
  }
  const written = write === undefined || typeof made === 'string' ? undefined : { file: write, made }
  if (written !== undefined) writing.push([written.file, () => io.writeFile(written.file, written.made.text)])
  const faults: string[] = []
  for (const [path, write] of writing) {
    const fault = await findWriteFault(write())
    if (fault !== undefined) faults.push(`${path} can't be written: ${fault}`)
  }
  if (format === 'json') io.stdout(toJsonText(toJsonDocument(rehearsal, fileOf, written?.file)))
  if (format === 'html') io.stdout(html)
  if (format === 'pretty') io.stdout(renderRehearsal(rehearsal, choosePaint(io)))
  const tellLast = format === 'pretty' ? io.stdout : io.stderr
  const answers = { urls: [], service: config.service.url, frontEnd: config.frontEnd }
  const { program, env } = io
  if (written !== undefined && faults.length === 0)
    tellLast(`\n${renderNextSteps({ ...written, answers, hasRestKey: Boolean(env.API_KEY), program })}\n`)
  if (typeof made === 'string') io.stderr(`${made}\n`)
  tellLast(`Pictures and report: ${quotePath(fileOf('report.html'))}\n`)
  if (faults.length > 0) return { messages: faults }
  if (comparison === undefined) return 'inconclusive'
  return cookies.some(({ isLost }) => isLost) ? 'findings' : 'done'
}

/** Chromium trusts no file of authorities, but keys: those of hosts whose certificates prove to be from them. */
async function findKeys(urls: readonly string[], { 'ca-file': file }: Values, io: Io) {
  const certificates = await loadCertificates(file, io)
  if (certificates === undefined || 'message' in certificates) return certificates ?? { hashes: [] }
  const probe = networkProbe({ version, overrides: [], trust: { kind: 'only', certificates } })
  const hashes = new Set<string>()
  const unjudged = (message: string) => ({ message, outcome: 'inconclusive' as const })
  for (const origin of new Set(urls.map((url) => new URL(url).origin))) {
    const endpoint = parseEndpoint(origin)
    if (endpoint.scheme === 'http') continue
    const resolution = await probe.resolve(endpoint)
    const [address] = resolution.kind === 'resolved' ? resolution.addresses : []
    const opened = address === undefined ? undefined : await probe.connect(endpoint, address)
    if (opened?.kind !== 'open')
      return unjudged(`${endpoint.host} can't be reached, so its certificate can't be judged`)
    const { fault, keyHash } = opened.certificate ?? {}
    if (fault !== undefined)
      return unjudged(`the certificate of ${endpoint.host} is not valid by --ca-file: ${fault}`)
    if (keyHash !== undefined) hashes.add(keyHash)
  }
  return { hashes: [...hashes] }
}

const READY = 'Sign in, and go where sessions start. Then press Enter here. '
const OWNER_ONLY = 0o600
const PLACEHOLDER = 'https://cobrowse.example.net'
