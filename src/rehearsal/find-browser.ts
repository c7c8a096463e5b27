interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>
  kindOf(path: string): Promise<'nothing' | 'file' | 'other'>
}

/** The path of an installed Chromium or Chrome: that of CHROME_PATH, on PATH, or in one of the usual places. */
export async function findBrowser({ env, kindOf }: Machine): Promise<string | undefined> {
  const { CHROME_PATH, PATH = '' } = env
  // Folders of Windows have a colon themselves.
  const folders = PATH.split(PATH.includes(';') ? ';' : ':').filter((folder) =>
    /^(?:\/|[A-Za-z]:\\)/.test(folder),
  )
  const onPath = folders.flatMap((folder) => NAMES.map((name) => `${folder}/${name}`))
  const onWindows = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].flatMap((folder) =>
    folder === undefined ? [] : WINDOWS.map((place) => `${folder}\\${place}`),
  )
  for (const path of [...(CHROME_PATH ? [CHROME_PATH] : []), ...onPath, ...MAC, ...onWindows])
    if ((await kindOf(path)) !== 'nothing') return path
  return undefined
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const MAC = ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)
// Edge is a Chromium that every Windows has.
const WINDOWS = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe']
