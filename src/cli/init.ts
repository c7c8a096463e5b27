import { toOfflineFacts } from '../check/offline-facts.ts'
import { suggestPoints } from '../check/suggest-points.ts'
import { judgeOrigin } from '../config/judge.ts'
import { parseConfig } from '../config/parse.ts'
import { toCanonicalHost, withoutTrailingDot } from '../http/host.ts'
import { isPoint, parsePoint } from '../points/point.ts'
import type { FoundScope } from '../scopes/found-scope.ts'
import { toSite } from '../site/site.ts'
import { type Arguments, defineCommand } from './command.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import type { Io } from './io.ts'
import { loadScopes } from './scopes.ts'
import { writeFaultReason } from './write-fault.ts'

const options = {
  'from-cookies': {
    type: 'string',
    value: 'FILE',
    summary:
      'list the cookies of a browser’s export (see scopes) on the sites of the URLs, and the points that carry them',
  },
  service: { type: 'string', value: 'URL', summary: 'the service’s origin' },
  output: { type: 'string', value: 'FILE', summary: 'where to write (default: config.json; - prints)' },
} as const

export const command = defineCommand({
  name: 'init',
  summary: 'write a first config',
  details: `The URLs are pages where the widget runs, or continuation points already known. An existing file is never replaced.`,
  options,
  operands: { usage: '[URL…]', min: 0, max: Number.POSITIVE_INFINITY },
  run,
})

async function run({ values, operands }: Arguments<typeof options>, io: Io): Promise<ExitCode> {
  const refuse = (message: string): ExitCode => {
    io.stderr(`continuation-point: ${message.replace(/\p{Cc}/gu, '\ufffd')}\n`)
    return exitCode.usage
  }
  const bad = operands.find((url) => !/^https?:\/\//i.test(url) || !URL.canParse(url))
  if (bad !== undefined) return refuse(`${JSON.stringify(bad)} is no http or https URL`)
  const { service = 'https://cobrowse.example.net' } = values
  const fault = judgeOrigin(service)
  if (fault !== undefined) return refuse(`--service ${JSON.stringify(service)}: ${fault}`)
  const file = values.output ?? 'config.json'
  if (file !== '-' && (await exists(file, io))) {
    return refuse(`${file} is there already: name another file with --output, or - to print`)
  }
  const from = values['from-cookies']
  const hosts = new Set(operands.map((url) => toUndotted(url).hostname))
  const found =
    from === undefined
      ? { scopes: [], notes: [] }
      : await loadScopes(from, hosts.size === 1 ? [...hosts][0] : undefined, io)
  if (typeof found === 'string') return refuse(found)
  for (const note of found.notes) io.stderr(`${note.replace(/\p{Cc}/gu, '\ufffd')}\n`)
  const scopes = found.scopes.filter((scope) => belongsTo(operands, scope))
  const foreignCount = found.scopes.length - scopes.length
  if (foreignCount > 0) io.stderr(toForeignNote(foreignCount))
  const text = toFirstConfig(operands, scopes, service)
  if (file === '-') io.stdout(text)
  else {
    try {
      await io.writeFile(file, text)
    } catch (error) {
      return refuse(
        `${file} can't be written: ${writeFaultReason(error)}. Name another file with --output, or - to print`,
      )
    }
    const address = values.service === undefined ? "the service's address in and " : ''
    const next = `put ${address}the widget key in the variable WIDGET_KEY`
    io.stdout(`Wrote ${file}. Next: ${next}, then: continuation-point check --config ${file}\n`)
  }
  return exitCode.done
}

/** Whether a cookie is of a URL's site. Without URLs all are kept, and so is a domain that no site can be told of. */
function belongsTo(urls: readonly string[], { domain }: FoundScope): boolean {
  const host = toCanonicalHost(domain.replace(/^\./, ''))
  if (urls.length === 0 || host === undefined) return true
  return urls.some((url) => toSite(toUndotted(url).hostname) === toSite(host))
}

function toForeignNote(count: number): string {
  return count === 1
    ? '1 cookie of another site than the URLs was left out.\n'
    : `${count} cookies of other sites than the URLs were left out.\n`
}

async function exists(file: string, io: Io): Promise<boolean> {
  try {
    await io.readFile(file)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT')
  }
}

/** The text of a first config, comments included. Pure. */
export function toFirstConfig(
  urls: readonly string[],
  scopes: readonly FoundScope[],
  serviceUrl: string,
): string {
  const known = urls.filter((url) => isPoint(parsePoint(url, PREFIX))).map((url) => toUndotted(url).href)
  const pages = [...new Set(urls.map((url) => `${toUndotted(url).origin}/`))]
  const onPages = pages.map((page) => `${page.slice(0, -1)}${PREFIX}`)
  const points = [...new Set([...known, ...(suggestedFor(pages, scopes) ?? onPages)])].sort()
  const list = (name: string, values: readonly unknown[]) =>
    values.length === 0
      ? `  "${name}": [],`
      : `  "${name}": [\n${values.map((value) => `    ${JSON.stringify(value)},`).join('\n')}\n  ],`
  return `{
  // The service's origin, as the vendor tells it.
  "service": { "url": ${JSON.stringify(serviceUrl)} },
  "widgetKey": "env:WIDGET_KEY",
  // One for each origin where the widget runs, and one for each cookie path that is not "/".
${list('points', points)}
${list('pages', pages)}
${list('cookies', scopes)}
}
`
}

/** Without the dot that may end a host: with it, the host is another site, which no visitor asks for. */
function toUndotted(text: string): URL {
  const url = new URL(text)
  url.hostname = withoutTrailingDot(url.hostname)
  return url
}

/** The smallest set of points that carries every cookie from every page, as `check` suggests it. */
function suggestedFor(
  pages: readonly string[],
  scopes: readonly FoundScope[],
): readonly string[] | undefined {
  const parsed = parseConfig(JSON.stringify({ pages, cookies: scopes }), 'init')
  return 'problems' in parsed ? undefined : suggestPoints(toOfflineFacts(parsed.config))?.urls
}

const PREFIX = '/service_cookie_transfer/'
