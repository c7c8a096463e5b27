import { type AccountSource, readAccountSource } from '../account/account-source.ts'
import { fileFault, findWriteFault } from '../config/file-fault.ts'
import { judgeOrigin } from '../config/judge.ts'
import { LARGEST_TEXT_BYTES } from '../config/read-text-file.ts'
import { DEFAULT_PREFIX, FRONT_END_NAMES } from '../config/schema.ts'
import { isProtected } from '../http/host.ts'
import { findPrefix } from '../points/point.ts'
import { type FoundScopes, onlyOfSites } from '../scopes/found-scope.ts'
import { readScopes, readTypedCookies } from '../scopes/read-scopes.ts'
import { toFirstConfig } from '../setup/first-config.ts'
import { renderNextSteps } from '../setup/next-steps.ts'
import {
  type Asking,
  askForCookies,
  askForMissing,
  findUrlFault,
  type InitAnswers,
  toHosts,
  toKnownPoints,
  toPages,
  toUrl,
} from '../setup/questions.ts'
import { escapeControls } from '../text/escape.ts'
import { wrap } from '../text/prose.ts'
import {
  type Arguments,
  defineCommand,
  findPrefixFault,
  type Outcome,
  prefixOption,
  type Refusal,
} from './command.ts'
import type { Io } from './io.ts'
import { unsafeStartReason } from './refuse.ts'
import { refuseCall, tellingClock } from './with-account.ts'

const options = {
  'from-cookies': {
    value: 'FILE',
    summary: 'add cookies of the URLs’ sites from a browser’s export, and their points',
  },
  'from-account': {
    summary: 'take points, cookies and back-transfer from the account whose key is in API_KEY or WIDGET_KEY',
  },
  service: { value: 'URL', summary: 'the service’s origin' },
  prefix: prefixOption,
  'front-end': {
    value: 'NAME',
    choices: FRONT_END_NAMES,
    summary: 'the server in front of the site, for the commands to run next and the fixes of check',
  },
  output: { value: 'FILE', summary: 'the file to write (default: config.json; - for standard output)' },
  force: { summary: 'replace the file if it exists' },
  yes: { summary: 'ask no questions' },
} as const

export const command = defineCommand({
  details: `The URLs are pages where the widget runs, or existing continuation points. On a terminal it asks for what is missing, unless --yes is given. An existing file is kept, unless --force is given, and no key is copied.

The FILE of --from-cookies is a HAR archive (in the browser's developer tools: Network, Export HAR), a cookies.txt, the JSON of an extension or of Playwright, rows copied from Chrome's table, or a response head with Set-Cookie lines; - reads standard input. Only names and attributes are kept, never values.`,
  options,
  operands: { usage: '[URL…]', min: 0, max: Number.POSITIVE_INFINITY },
  run,
})

type Values = Arguments<typeof options>['values']

async function run(args: Arguments<typeof options>, io: Io): Promise<Outcome> {
  const operands = args.operands.map((word) => (word.includes(':') ? word : toUrl(word)))
  const values = { ...args.values, service: args.values.service && toUrl(args.values.service) }
  const file = values.output ?? 'config.json'
  const ofService = values.service === undefined ? undefined : judgeOrigin(values.service)
  const faults = [
    ...operands.flatMap((url) => findUrlFault(url) ?? []),
    ...(ofService === undefined ? [] : [`--service ${JSON.stringify(values.service)}: ${ofService}`]),
    ...[findPrefixFault(values.prefix)].flatMap((fault) => fault ?? []),
  ]
  if (faults.length > 0) return { faults }
  if (file !== '-' && !values.force && (await io.kindOf(file)) !== 'nothing') {
    return {
      message: `${file} exists already: name another file with --output, replace it with --force, or print with --output -`,
    }
  }
  const prefix =
    values.prefix ?? operands.map(findPrefix).find((found) => found !== undefined) ?? DEFAULT_PREFIX
  const account = values['from-account'] ? await askAccount(values.service, prefix, io) : undefined
  if (account !== undefined && !('urls' in account)) return account
  tellNotes(account?.notes ?? [], io)
  const hasRestKey = Boolean(io.env.API_KEY)
  const told = {
    urls: [...operands, ...(account?.urls ?? [])],
    service: values.service,
    frontEnd: values['front-end'],
  }
  const make = ({ urls, service, frontEnd }: InitAnswers, scopes: FoundScopes['scopes'] = []) =>
    toFirstConfig({
      pages: toPages(urls),
      points: toKnownPoints(urls, prefix),
      scopes: [...(account?.scopes ?? []), ...scopes],
      ...(account && { account }),
      hasRestKey,
      serviceUrl: service,
      frontEnd,
      prefix,
    })
  const ofArguments = make(told)
  if (typeof ofArguments === 'string') return { messages: ofArguments.split('\n') }
  const asking = values.yes ? undefined : toAsking(file, io)
  const answers =
    asking === undefined
      ? told
      : await askForMissing(told, asking, (urls, service) => {
          const made = make({ ...told, urls, service: service ?? told.service })
          return typeof made === 'string' ? made.split('\n')[0] : undefined
        })
  if (answers === undefined) return UNANSWERED
  const found = await findCookies(values, answers.urls, asking, io)
  if (found === undefined) return UNANSWERED
  if (typeof found === 'string') return { message: found }
  tellNotes(found.notes, io)
  const made = make(answers, found.scopes)
  if (typeof made === 'string') return { messages: made.split('\n') }
  tellNotes(made.notes, io)
  if (file === '-') {
    io.stdout(made.text)
    return 'done'
  }
  const fault = await findWriteFault(io.writeFile(file, made.text))
  if (fault !== undefined)
    return { message: `${file} can't be written: ${fault}. Name another file with --output, or - to print` }
  io.stdout(renderNextSteps({ file, made, answers, program: io.program }))
  return 'done'
}

/** Reads the account of the key in API_KEY or WIDGET_KEY. */
async function askAccount(
  service: string | undefined,
  prefix: string,
  io: Io,
): Promise<AccountSource | Refusal> {
  const unsafe = unsafeStartReason(io)
  if (unsafe !== undefined) return { message: unsafe }
  const { API_KEY: apiKey, WIDGET_KEY: widgetKey } = io.env
  if (!apiKey && !widgetKey)
    return {
      fault: '--from-account needs the REST key in the variable API_KEY, or the widget key in WIDGET_KEY',
    }
  if (service === undefined) return { fault: '--from-account needs the service: --service URL' }
  if (!isProtected(new URL(service)))
    return { fault: '--from-account needs a service on https: the key is in the URL' }
  const baseUrl = `${service.replace(/\/$/, '')}/v2`
  const settings = { baseUrl, apiKey, budget: io.budgetOf(baseUrl), clock: tellingClock(io) }
  return readAccountSource(settings, widgetKey, prefix).catch(refuseCall)
}

/** Before the first question it says what it will do. */
function toAsking(file: string, io: Io): Asking | undefined {
  const { ask } = io
  if (ask === undefined) return undefined
  const what = file === '-' ? 'prints a config' : `writes ${file}`
  let start = `This ${what}, which tells the other commands about your site, and changes nothing else. Each question says what Enter alone means; Ctrl-C ends it, and nothing is written.\n\n`
  return {
    ask: (text) => {
      const lines = `${start}${text}`.split('\n').map((line) => toLines(line, io))
      start = ''
      return ask(lines.join('\n'))
    },
    tell: (line) => tellNotes([line], io),
  }
}

function tellNotes(notes: readonly string[], io: Io): void {
  for (const note of notes) io.stderr(`${toLines(note, io)}\n`)
}

/** A text without control characters, in the lines that a terminal has room for. */
function toLines(text: string, { stderrColumns }: Io): string {
  const columns = stderrColumns === undefined ? Number.POSITIVE_INFINITY : Math.min(stderrColumns, WIDTH)
  return wrap('', escapeControls(text), columns).join('\n')
}

/** From the file of the flag; at a terminal by a question, unless the account lists them. */
async function findCookies(
  { 'from-cookies': file, 'from-account': isListed }: Values,
  urls: readonly string[],
  asking: Asking | undefined,
  io: Io,
): Promise<FoundScopes | string | undefined> {
  if (file !== undefined) return loadCookies(file, urls, io)
  if (asking === undefined || isListed) return { scopes: [], notes: [] }
  return askForCookies((answer) => readCookies(answer, urls, io), asking)
}

/** What an answer means: the path of a file, or cookies. */
async function readCookies(typed: string, urls: readonly string[], io: Io): Promise<FoundScopes | string> {
  const answer = typed.replace(/^~(?=[\\/])/, () => io.env.HOME ?? '~')
  const isFile = /\.(?:har|json|txt)$/i.test(answer) || (await io.kindOf(answer)) !== 'nothing'
  return isFile ? loadCookies(answer, urls, io) : readTypedCookies(answer, toHosts(urls)[0] ?? '')
}

/** Reads an export; `-` is standard input. */
async function loadCookies(file: string, urls: readonly string[], io: Io): Promise<FoundScopes | string> {
  const name = file === '-' ? 'standard input' : file
  let text: string
  try {
    text = file === '-' ? await io.readStdin() : await io.readFile(file, LARGEST_TEXT_BYTES)
  } catch (error) {
    return `${name} can't be read: ${fileFault(error, 'read')}`
  }
  // For example UTF-16, which redirections in PowerShell write.
  if (text.includes('\0')) return `${name} is not text in UTF-8: save it as UTF-8`
  const hosts = toHosts(urls)
  const host = hosts.length === 1 ? hosts[0] : undefined
  const found = readScopes(text, { host, nowMs: Date.now() })
  return typeof found === 'string' ? `${name}: ${found}` : onlyOfSites(found, hosts)
}

const WIDTH = 80
const UNANSWERED = { message: 'nothing was written: the input ended before the last answer' }
