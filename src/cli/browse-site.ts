import { withoutTrailingDot } from '../http/host.ts'
import { parseHttpUrl } from '../http/parse-url.ts'
import { networkProbe } from '../probe/network-probe.ts'
import { parseEndpoint } from '../probe/probe.ts'
import { type FoundScopes, onlyOfSites } from '../scopes/found-scope.ts'
import { browseCookies } from '../setup/browse-cookies.ts'
import type { Arguments } from './command.ts'
import type { Io } from './io.ts'
import { loadCertificates } from './network-flags.ts'
import { version } from './version.ts'

export const browsingOptions = {
  headless: { summary: 'with --browse: show no window, list the cookies of the loaded page' },
  browser: { value: 'PATH', summary: 'with --browse: this Chromium or Chrome' },
  'ca-file': {
    value: 'FILE',
    summary: 'with --browse: trust only these authorities for the URL’s host (PEM)',
  },
  'no-sandbox': { summary: 'with --browse: start it without its sandbox, which root needs' },
} as const

export type Browsing = Arguments<typeof browsingOptions>['values']

export async function browseSite(url: string, browsing: Browsing, io: Io): Promise<FoundScopes | string> {
  const { browser, headless } = browsing
  const site = parseHttpUrl(url)
  if (site === undefined) return `--browse ${JSON.stringify(url)} is not an http or https URL`
  const executable = browser ?? (await findBrowser(io))
  if (executable === undefined)
    return 'there is no Chromium or Chrome in the usual places: name it with --browser PATH'
  if ((await io.kindOf(executable)) === 'nothing') return `--browser ${executable} does not exist`
  const certificates = await loadCertificates(browsing['ca-file'], io)
  if (certificates !== undefined && 'message' in certificates) return certificates.message
  const key = certificates === undefined ? undefined : await findKey(url, certificates)
  if (key !== undefined && 'fault' in key) return key.fault
  const scopes = await browseCookies(
    { url, executable, isHeadless: headless, hasSandbox: !browsing['no-sandbox'], keyHash: key?.hash },
    (closed) => untilDone(closed, io),
  )
  if (typeof scopes === 'string') return scopes
  return onlyOfSites({ scopes, notes: [] }, [withoutTrailingDot(site.hostname)])
}

/** Chromium trusts no file of authorities, but a key: that of the host, once its certificate proves to be from them. */
async function findKey(url: string, certificates: readonly string[]) {
  const probe = networkProbe({ version, overrides: [], trust: { kind: 'only', certificates } })
  const endpoint = parseEndpoint(url)
  const resolution = await probe.resolve(endpoint)
  const [address] = resolution.kind === 'resolved' ? resolution.addresses : []
  const opened = address === undefined ? undefined : await probe.connect(endpoint, address)
  if (opened?.kind !== 'open')
    return { fault: `${endpoint.host} can't be reached, so its certificate can't be judged` }
  const { fault, keyHash } = opened.certificate ?? {}
  return fault === undefined
    ? { hash: keyHash }
    : { fault: `the certificate of ${endpoint.host} is not valid by --ca-file: ${fault}` }
}

/** Waits for Enter at the terminal, or until the last window is closed. */
async function untilDone(closed: AbortSignal, io: Io): Promise<void> {
  const windows = new Promise<void>((resolve) => {
    if (closed.aborted) resolve()
    closed.addEventListener('abort', () => resolve())
  })
  const enter = io.ask?.(`${SIGN_IN} or press Enter here. `, closed)
  if (enter === undefined) io.stderr(`${SIGN_IN}.\n`)
  await Promise.race([windows, enter ?? windows])
}

export async function findBrowser({ env, kindOf }: Io): Promise<string | undefined> {
  for (const path of toBrowserPaths(env)) if ((await kindOf(path)) !== 'nothing') return path
  return undefined
}

/** Possible paths of a browser, the likeliest first. Those of other systems don't exist. */
function toBrowserPaths(env: Io['env']): readonly string[] {
  const separator = env.PATH?.includes(';') ? ';' : ':'
  const folders = (env.PATH ?? '').split(separator).filter((folder) => /^(?:\/|[A-Za-z]:\\)/.test(folder))
  const onPath = folders.flatMap((folder) => NAMES.map((name) => `${folder.replace(/[\\/]$/, '')}/${name}`))
  const onWindows = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA]
    .filter((folder) => folder !== undefined)
    .flatMap((folder) => [
      `${folder}\\Google\\Chrome\\Application\\chrome.exe`,
      `${folder}\\Chromium\\Application\\chrome.exe`,
    ])
  return [...onPath, ...PLACES, ...onWindows]
}

const SIGN_IN = 'Sign in, and visit the pages whose cookies matter. Then close the window'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

const PLACES = [
  ...NAMES.map((name) => `/usr/bin/${name}`),
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
