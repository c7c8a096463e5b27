import type { Environment } from '../config/environment.ts'

interface Machine {
  readonly env: Environment
  /** What is at a path. */
  kindOf(path: string): Promise<'nothing' | 'file' | 'other'>
}

/** The first installed Chromium or Chrome: on PATH, then in the usual places. */
export async function findBrowser({ env, kindOf }: Machine): Promise<string | undefined> {
  for (const path of toBrowserPaths(env)) if ((await kindOf(path)) !== 'nothing') return path
  return undefined
}

/** Possible paths of a browser, the likeliest first. Those of other systems don't exist. */
function toBrowserPaths(env: Environment): readonly string[] {
  const separator = env.PATH?.includes(';') ? ';' : ':'
  const folders = (env.PATH ?? '').split(separator).filter((folder) => /^(?:\/|[A-Za-z]:\\)/.test(folder))
  const onPath = folders.flatMap((folder) => NAMES.map((name) => `${folder.replace(/[\\/]$/, '')}/${name}`))
  const onWindows = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].flatMap((folder) =>
    folder === undefined
      ? []
      : [
          `${folder}\\Google\\Chrome\\Application\\chrome.exe`,
          `${folder}\\Chromium\\Application\\chrome.exe`,
        ],
  )
  return [...onPath, ...PLACES, ...onWindows]
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

const PLACES = [
  ...NAMES.map((name) => `/usr/bin/${name}`),
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
