import type { FrontEndName } from '../config/front-end-names.ts'
import { judgeOrigin } from '../config/judge.ts'
import type { Secret } from '../config/secret.ts'
import { isProtected } from '../http/host.ts'
import type { Found, FoundRule } from './found.ts'
import { frontEnds } from './index.ts'
import { findInDump } from './nginx/tree.ts'
import { isFault } from './words.ts'

/** What a first config of ours can take over from the config of a web server. */
export type Adopted = Readonly<ReturnType<typeof toAdopted>>

/**
 * Reads an existing config of a front end that has a reader, detected from the text. Includes are not opened, and nothing is
 * run or looked up.
 *
 * @returns what can be taken over, or why nothing could be read, as a clause
 */
export function adoptFrontEnd(text: string, prefix: string): Adopted | string {
  if (text.length > MOST_CHARACTERS) return 'it is larger than 1 MiB: name the file of one site'
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text))
    return 'it contains control characters, so it is not a config'
  if (text.trim() === '') return 'it is empty'
  const found = surestFirst.find(({ reader }) => reader.marks.every((mark) => mark.test(text)))
  if (found === undefined) return `it is not a config of ${READABLE}`
  const { name, title, reader } = found
  const tree = reader.parse(text)
  if (isFault(tree)) return `as a config of ${title} it can't be read past line ${tree.line}: ${tree.fault}`
  const adopted = toAdopted(name, reader.read(tree, prefix), prefix)
  return { ...adopted, notes: adopted.notes.map((note) => nameFiles(note, text)) }
}

/** Of all files as `nginx -T` prints them, nobody sees the lines of the whole text. */
function nameFiles(note: string, text: string): string {
  return note.replace(/^Lines? ([\d, ]+):/, (place, lines: string) => {
    const found = lines.split(', ').map((line) => findInDump(text, Number(line)))
    return found.includes(undefined) ? place : `${found.join(', ')}:`
  })
}

function toAdopted(server: FrontEndName, { hosts, notes }: Found, prefix: string) {
  const rules = hosts.flatMap((host) => host.rules)
  const wanted = (rules.length === 0 ? hosts : rules).flatMap((each) => each.origins)
  const origins = withoutPlain([...new Set(wanted)])
  const variables = nameVariables(rules)
  const points = rules.flatMap((rule) =>
    rule.origins
      .filter((origin) => origins.includes(origin))
      .map((origin) => ({ url: `${origin}${rule.path}`, widgetKey: `env:${variables(rule.key)}` })),
  )
  const services = [...new Set(rules.flatMap((rule) => chooseService(rule) ?? []))]
  const left = hosts.flatMap((host) => (rules.length > 0 && host.rules.length === 0 ? host.origins : []))
  const unread = notes.map(({ line, text }) => `Line ${line}: ${text}.`)
  return {
    server,
    /** Those with rules for the prefix, or all if there is no such rule. */
    origins,
    points: [...new Map(points.map((point) => [point.url, point])).values()],
    /** Its origin, if a rule names it. */
    service: services[0],
    /** What was not understood or not taken over. Sentences without secrets. */
    notes: [
      ...(rules.length === 0 ? [`It has no rule for ${prefix}, so its hosts are used as pages.`] : []),
      ...noteKeys(rules, variables),
      ...noteServices(rules, services),
      ...noteReplaced(rules),
      ...(left.length === 0
        ? []
        : [`Left out because they have no rule for ${prefix}: ${[...new Set(left)].join(', ')}.`]),
      ...unread.slice(0, MOST_NOTES),
      ...(unread.length > MOST_NOTES
        ? [`${unread.length - MOST_NOTES} more lines were not understood.`]
        : []),
    ],
  }
}

/** The http origin of a host that is on https too is left out, since no session should start there. */
function withoutPlain(origins: readonly string[]): readonly string[] {
  const urls = origins.map((origin) => new URL(origin))
  const secure = new Set(urls.filter(({ protocol }) => protocol === 'https:').map(({ hostname }) => hostname))
  return urls
    .filter(({ protocol, hostname }) => protocol === 'https:' || !secure.has(hostname))
    .map(({ origin }) => origin)
}

/** One variable for each different key; a key that the config takes from the environment keeps its variable. */
function nameVariables(rules: readonly FoundRule[]): (key: Secret | undefined) => string {
  const texts = [...new Set(rules.flatMap(({ key }) => (key === undefined ? [] : [key.reveal()])))]
  return (key) => {
    const text = key?.reveal()
    const index = text === undefined ? -1 : texts.indexOf(text)
    return parseEnvironmentName(text) ?? (index < 1 ? 'WIDGET_KEY' : `WIDGET_KEY_${index + 1}`)
  }
}

function parseEnvironmentName(text: string | undefined): string | undefined {
  const [, ...names] = /^(?:\{env\.(\w+)\}|\{\$(\w+)\}|\$\{(\w+)\}|%\{(\w+)\}e)$/.exec(text ?? '') ?? []
  const name = names.find((each) => each !== undefined)
  return name !== undefined && /^[A-Za-z_]/.test(name) ? name : undefined
}

function noteKeys(
  rules: readonly FoundRule[],
  variables: (key: Secret | undefined) => string,
): readonly string[] {
  const lines = new Map<string, number>()
  for (const { key, line } of rules) {
    if (key !== undefined && !lines.has(variables(key))) lines.set(variables(key), line)
  }
  return [...lines].map(
    ([variable, line]) =>
      `Line ${line}: the widget key of this rule is not copied; put it into the variable ${variable}.`,
  )
}

/**
 * The origin that a rule forwards to. If the rule sets a Host, that names the service better than an address. Without our
 * fields a rule over plain http leads to a proxy such as `serve`, and one over https to the service.
 */
function chooseService({ leadsTo, target, hostField }: FoundRule): string | undefined {
  if (target === undefined || (leadsTo === 'proxy' && !target.startsWith('https:'))) return undefined
  const scheme = new URL(target).protocol
  const named = hostField === undefined || leadsTo === 'proxy' ? target : `${scheme}//${hostField}`
  if (judgeOrigin(named) !== undefined) return undefined
  const url = new URL(named)
  return isProtected(url) ? url.origin : undefined
}

function noteServices(rules: readonly FoundRule[], services: readonly string[]): readonly string[] {
  if (services.length > 1)
    return [`Its rules forward to more than one service; the first is used: ${services.join(', ')}.`]
  const [rule] = rules.filter(({ leadsTo }) => leadsTo === 'service')
  if (rule === undefined || services.length > 0) return []
  return [`Line ${rule.line}: the rule does not name the service by an https origin.`]
}

/** Two rules for one path are an error in nginx and confusing elsewhere. A rule that leads to `serve` may be ours. */
function noteReplaced(rules: readonly FoundRule[]): readonly string[] {
  const old = rules.filter((rule) => rule.leadsTo === 'service' || chooseService(rule) !== undefined)
  const lines = [...new Set(old.map(({ line }) => line))]
  if (lines.length === 0) return []
  const where = `${lines.length === 1 ? 'Line' : 'Lines'} ${lines.join(', ')}`
  return [`${where}: the output of render replaces these rules; remove them when you include it.`]
}

const readable = frontEnds.flatMap(({ name, title, reader }) => (reader ? [{ name, title, reader }] : []))
const surestFirst = readable.toSorted((a, b) => b.reader.certainty - a.reader.certainty)
/** nginx, Apache httpd or Caddy. */
const READABLE = readable
  .map(({ title }) => title)
  .join(', ')
  .replace(/, ([^,]*)$/, ' or $1')
const MOST_CHARACTERS = 1_048_576
const MOST_NOTES = 10
