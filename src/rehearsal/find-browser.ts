import { platform } from 'node:os'

interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>
  kindOf(path: string): Promise<'nothing' | 'file' | 'other'>
}

/** The path of an installed Chromium or Chrome: that of CHROME_PATH, on PATH, or in one of the usual places. */
export async function findBrowser({ env, kindOf }: Machine): Promise<string | undefined> {
  const folders = (env.PATH ?? '').split(env.PATH?.includes(';') ? ';' : ':')
  const onPath = folders
    .filter((folder) => /^(?:\/|[A-Za-z]:\\)/.test(folder))
    .flatMap((folder) => NAMES.map((name) => `${folder.replace(/[\\/]$/, '')}/${name}`))
  const onWindows = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].flatMap((folder) =>
    folder === undefined ? [] : WINDOWS_PLACES.map((place) => `${folder}\\${place}`),
  )
  // Those of other systems don't exist.
  for (const path of [...(env.CHROME_PATH ? [env.CHROME_PATH] : []), ...onPath, ...PLACES, ...onWindows])
    if ((await kindOf(path)) !== 'nothing') return path
  return undefined
}

export function explainMissingBrowser(system: string = platform()): string {
  return `there is no Chromium or Chrome in the usual places: install one (${INSTALL.get(system) ?? 'apt install chromium'}), or name it with --browser PATH`
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

const PLACES = [
  ...NAMES.map((name) => `/usr/bin/${name}`),
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Edge is a Chromium that every Windows has. */
const WINDOWS_PLACES = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
]

const INSTALL: ReadonlyMap<string, string> = new Map([
  ['darwin', 'brew install --cask google-chrome'],
  ['win32', 'winget install Google.Chrome'],
])
