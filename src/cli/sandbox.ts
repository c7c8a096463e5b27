import { parseDocument } from '../config/document.ts'
import { fileFault } from '../config/file-fault.ts'
import { loadConfig } from '../config/load.ts'
import { byPosition, type OrProblems } from '../config/problem.ts'
import { resolveSecrets } from '../config/resolve-secrets.ts'
import { parseAuthority } from '../http/authority.ts'
import { parseUrl } from '../http/url.ts'
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts'
import { parseSeed, type Seed } from '../sandbox/state/parse-seed.ts'
import { defineCommand, prefixOption } from './command.ts'
import { type Io, untilStopped } from './io.ts'
import { refusePort } from './refuse.ts'

export const command = defineCommand({
  details: `Its continuation end and its REST API keep their state in memory. Tests control it
at /_sandbox/: reset, requests, failures, clock, deliveries.

A seed may have apiKey, widgetKey, resellerKey, settings, agents, sessions, webhooks,
clients, servers and plans; what it omits is the same as without a seed, except that
cookie_transfer_proxying is on if there are other settings:

  { "settings": { "cookie_transfer_urls":
      ["https://www.example.com/service_cookie_transfer/"] } }`,
  options: {
    port: { value: 'N', isPort: true, summary: 'port on loopback, 0 for a free one (default: 8090)' },
    prefix: prefixOption,
    config: {
      value: 'FILE',
      summary: 'stand in for the service of this config: prefix, Host, widget key, points and cookies',
    },
    authority: {
      value: 'HOST[:PORT]',
      summary: 'another Host to accept, besides localhost, 127.0.0.1 and [::1]',
      multiple: true,
    },
    seed: { value: 'FILE', summary: 'JSON file with the initial state of the account' },
    'rate-limit': {
      value: 'WORD',
      summary: 'limit REST calls to 100 a minute per address',
      choices: ['on', 'off'],
    },
  },
  async run({ values }, io) {
    const { port = DEFAULT_PORT } = values
    const stray = values.authority.find((text) => parseAuthority(text) === undefined)
    if (stray !== undefined) return { fault: `--authority ${JSON.stringify(stray)} is not HOST or HOST:PORT` }
    const [loaded, configured] = [await loadSeed(values.seed, io), await loadConfigured(values, io)]
    if ('problems' in loaded) return loaded
    if ('problems' in configured) return configured
    const { seed } = loaded
    let sandbox: Sandbox
    try {
      sandbox = await startSandbox({
        port,
        authorities: [...values.authority, ...configured.authorities],
        prefix: configured.prefix,
        seed: { ...configured.seed, ...seed },
        rateLimit: values['rate-limit'] ?? 'on',
      })
    } catch (error) {
      return refusePort(error, `the stand-in can't open port ${port}`, '--port')
    }
    io.stdout(welcome(sandbox, configured.seed))
    await untilStopped(io)
    await sandbox.close()
    return 'done'
  },
})

/** What the config says of the service: the prefix, or that of the flag over it; its Host, its widget key, and what the account lists. */
async function loadConfigured(
  { config: file, prefix }: { readonly config: string | undefined; readonly prefix: string | undefined },
  io: Io,
) {
  const noFile = () => Promise.reject(Object.assign(new Error('No file'), { code: 'ENOENT' }))
  const readFile = file === undefined ? noFile : io.readFile
  const loaded = await loadConfig({ file, flags: { prefix }, env: {}, readFile })
  if ('problems' in loaded) return loaded
  const { service, points, cookies, widgetKey } = loaded.config
  const { problems, of } = await resolveSecrets([[widgetKey, 'field value']], io)
  if (problems.length > 0) return { problems }
  const settings = {
    cookie_transfer_urls: points.map(({ url }) => url),
    cookie_transfer_scopes: cookies.map(({ name, domain, path, httponly }) => ({
      name,
      domain,
      path,
      httponly,
    })),
  }
  const seed: Seed = {
    ...(widgetKey && { widgetKey: of(widgetKey)?.reveal() }),
    ...(points.length > 0 && { settings }),
  }
  const { host } = parseUrl(service.url ?? '') ?? {}
  return { prefix: service.prefix, authorities: host === undefined ? [] : [host], seed }
}

async function loadSeed(file: string | undefined, io: Io): Promise<OrProblems<{ readonly seed: Seed }>> {
  if (file === undefined) return { seed: {} }
  let text: string
  try {
    text = await io.readFile(file)
  } catch (error) {
    const message = `the seed can't be read: ${fileFault(error, 'read')}`
    return { problems: [{ location: { file, pointer: '' }, message, expected: 'a readable JSON file' }] }
  }
  const parsed = parseDocument(text, file)
  if ('problems' in parsed) return parsed
  const { value, duplicates, locate } = parsed.document
  const seed = parseSeed(value)
  if ('value' in seed && duplicates.length === 0) return { seed: seed.value }
  const faults = 'faults' in seed ? seed.faults : []
  const problems = faults.map(({ path, message }) => {
    const step = path.at(-1) ?? 'the seed'
    const name = typeof step === 'number' ? 'this item' : step
    return { location: locate(path, 'value'), message: `${name} ${message}` }
  })
  return { problems: [...duplicates, ...problems].sort(byPosition) }
}

/** A widget key of the config is a secret; other keys are for tests. */
function welcome({ url, prefix, account }: Sandbox, { widgetKey: secret }: Seed): string {
  const widgetKey = account.widgetKey === secret ? 'as in the config' : account.widgetKey
  return `A stand-in for the service, a mock, is running.

  Service            ${url}
  REST API           ${url}/v2
  Continuation end   ${url}${prefix}

  REST key           ${account.apiKey}
  Widget key         ${widgetKey}

It imitates what is documented, keeps its state in memory, and is for tests only.
Stop with Ctrl-C.
`
}

const DEFAULT_PORT = 8090
