import { toCanonicalHost, withoutTrailingDot } from '../http/host.ts'
import { parseUrl } from '../http/parse-url.ts'
import { escapeControls } from '../text/escape.ts'
import { browseSite, browsingOptions } from './browse-site.ts'
import { defineCommand } from './command.ts'
import { loadScopes } from './load-scopes.ts'

export const command = defineCommand({
  details: (
    program,
  ) => `Prints the "cookies" of a config: names and attributes, never values. FILE is a HAR archive (in
the browser's developer tools: Network, Export HAR), a cookies.txt, the JSON of Cookie-Editor or EditThisCookie, or
a response head with Set-Cookie lines; - reads standard input:

  curl -si https://www.example.com/ |
    ${program} scopes - --host www.example.com

--browse opens an installed Chromium or Chrome with a new profile. Sign in, visit the pages whose cookies matter, then close the window or press Enter. It needs the package playwright-core next to this program.`,
  options: {
    host: { value: 'HOST', summary: 'the host that sent Set-Cookie lines, for cookies without a Domain' },
    browse: {
      value: 'URL',
      summary: 'open a browser at the URL, and list its site’s cookies after you have signed in',
    },
    ...browsingOptions,
  },
  operands: { usage: '[FILE]', min: 0, max: 1 },
  async run({ values, operands }, io) {
    const [file] = operands
    const host = values.host === undefined ? undefined : parseHost(values.host)
    if (values.host !== undefined && host === undefined) {
      return { fault: `--host ${JSON.stringify(values.host)} is not a host: write it as www.example.com` }
    }
    const { browse } = values
    if ((file === undefined) === (browse === undefined))
      return { fault: 'name one source: FILE, or --browse URL' }
    const ofBrowsing = [values.headless, values['no-sandbox'], values.browser, values['ca-file']]
    if (browse === undefined && ofBrowsing.some(Boolean)) {
      return { fault: '--headless, --browser, --ca-file and --no-sandbox belong to --browse URL' }
    }
    const found =
      browse === undefined ? await loadScopes(file ?? '-', host, io) : await browseSite(browse, values, io)
    if (typeof found === 'string') return { message: found }
    for (const note of found.notes) io.stderr(`${escapeControls(note)}\n`)
    const lines = found.scopes.map((scope) => `    ${JSON.stringify(scope)}`)
    io.stdout(
      lines.length === 0 ? '{ "cookies": [] }\n' : `{\n  "cookies": [\n${lines.join(',\n')}\n  ]\n}\n`,
    )
    return 'done'
  },
})

/** The host of a URL or an authority, canonical and without a trailing dot: only the host matters for cookies. */
function parseHost(text: string): string | undefined {
  const url = parseUrl(/^https?:\/\//i.test(text) ? text : `http://${text}`)
  if (text.replace(/^https?:\/\//i, '').includes('://') || url === undefined) return undefined
  return toCanonicalHost(withoutTrailingDot(url.hostname))
}
