import { readFaultReason } from '../config/read-fault.ts'
import { toCanonicalHost, withoutTrailingDot } from '../http/host.ts'
import { readScopes } from '../scopes/read-scopes.ts'
import { type Arguments, defineCommand } from './command.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import type { Io } from './io.ts'

const options = {
  host: {
    type: 'string',
    value: 'HOST',
    summary: 'the host that sent Set-Cookie lines, for cookies without a Domain',
  },
} as const

export const command = defineCommand({
  name: 'scopes',
  summary: 'turn a cookies.txt, a HAR export or Set-Cookie lines into cookies',
  details: `Prints the "cookies" of a config: names and attributes, never values. The JSON of Cookie-Editor and
EditThisCookie is read too. FILE is - for standard input:

  curl -si https://www.example.com/ |
    continuation-point scopes - --host www.example.com`,
  options,
  operands: { usage: 'FILE', min: 1, max: 1 },
  run,
})

async function run({ values, operands }: Arguments<typeof options>, io: Io): Promise<ExitCode> {
  const [file = ''] = operands
  const host = values.host === undefined ? undefined : toHost(values.host)
  if (values.host !== undefined && host === undefined) {
    const word = visible(JSON.stringify(values.host))
    io.stderr(`continuation-point: --host ${word} is no host: write it as www.example.com\n`)
    return exitCode.usage
  }
  const found = await loadScopes(file, host, io)
  if (typeof found === 'string') {
    io.stderr(`continuation-point: ${found}\n`)
    return exitCode.usage
  }
  for (const note of found.notes) io.stderr(`${visible(note)}\n`)
  io.stdout(`${renderCookies(found.scopes)}\n`)
  return exitCode.done
}

/** The host of a URL or an authority, canonical and without a dot at its end; cookies compare no other part. */
function toHost(text: string): string | undefined {
  const url = /^https?:\/\//i.test(text) ? text : `http://${text}`
  if (text.replace(/^https?:\/\//i, '').includes('://') || !URL.canParse(url)) return undefined
  return toCanonicalHost(withoutTrailingDot(new URL(url).hostname))
}

/**
 * Reads the scopes of a file, `-` for standard input; or gives the message of what went wrong.
 *
 * @param host canonical; whose answer Set-Cookie lines stood in
 */
export async function loadScopes(
  file: string,
  host: string | undefined,
  io: Io,
): Promise<Exclude<ReturnType<typeof readScopes>, string> | string> {
  let text: string
  try {
    text = await (file === '-' ? io.readStdin() : io.readFile(file))
  } catch (error) {
    return `${visible(file)} can't be read: ${readFaultReason(error)}. Name a file, or - for standard input`
  }
  const found = readScopes(text, { host, nowMs: Date.now() })
  return typeof found === 'string' ? `${file === '-' ? 'Standard input' : visible(file)}: ${found}` : found
}

/** A config that holds the cookies and nothing else, one line each; JSON. */
function renderCookies(scopes: readonly object[]): string {
  const lines = scopes.map((scope) => `    ${JSON.stringify(scope)}`)
  return lines.length === 0 ? '{ "cookies": [] }' : `{\n  "cookies": [\n${lines.join(',\n')}\n  ]\n}`
}

function visible(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd')
}
