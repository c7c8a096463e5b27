import type { RequestListener } from 'node:http'
import type { Breakage, Mistake } from '../sandbox/shop/breakage.ts'
import { carelessFrontEnd } from '../sandbox/shop/careless-front-end.ts'
import { parseArguments } from './arguments.ts'
import type { Command } from './command.ts'
import type { Io } from './io.ts'

/** A point of the demo, for the proxy's config. */
export interface DemoPoint {
  readonly url: string
  readonly widgetKey?: string
}

interface DemoBreakage extends Breakage {
  /** Handles requests to the broken point while the proxy does not have it. */
  readonly careless: RequestListener
  /** Whether a request goes there. */
  isCareless(authority: string | undefined, target: string | undefined): boolean
}

/**
 * Breaks the demo's first point on purpose: gives it a wrong widget key in the proxy's config, or removes it from the
 * proxy and lets a misconfigured front end forward it.
 *
 * @param apply configures the proxy with these points
 */
export function openBreakage(
  serviceUrl: string,
  widgetKey: string,
  pointUrls: readonly string[],
  apply: (points: readonly DemoPoint[]) => Promise<void>,
): DemoBreakage {
  const [pointUrl = '', ...others] = pointUrls
  const { host, pathname } = new URL(pointUrl)
  let mistake: Mistake | undefined
  return {
    pointUrl,
    current: () => mistake,
    async choose(chosen) {
      await apply([...toPoints(pointUrl, chosen), ...others.map((url) => ({ url }))])
      mistake = chosen
    },
    check: () => printedByCheck([pointUrl, '--color', 'never']),
    careless: carelessFrontEnd(serviceUrl, widgetKey, pointUrl),
    isCareless: (authority = '', target = '') =>
      mistake === 'lost-host' && authority.toLowerCase() === host && target.startsWith(pathname),
  }
}

function toPoints(url: string, mistake: Mistake | undefined): readonly DemoPoint[] {
  switch (mistake) {
    case 'wrong-key':
      return [{ url, widgetKey: 'not-the-widget-key' }]
    case 'lost-host':
      return []
    case undefined:
      return [{ url }]
  }
}

/** Runs `check` without environment and files, and returns what it prints. */
async function printedByCheck(words: readonly string[]): Promise<string> {
  const printed: string[] = []
  const io: Io = {
    program: 'npx continuation-point',
    env: {},
    nodeFlags: [],
    versions: { node: '', openssl: '' },
    stdoutIsTty: false,
    stdoutColumns: 96,
    stdout: (text) => void printed.push(text),
    stderr: () => {},
    log: (_text, taken) => taken(),
    endWithCommand: () => {},
    processIds: { own: 1, parent: 0 },
    residentBytes: () => 0,
    cpuSeconds: () => 0,
    fileUse: () => undefined,
    kindOf: async () => 'nothing',
    readFile: () => refuseFile('ENOENT'),
    readStdin: async () => '',
    writeFile: () => refuseFile('EROFS'),
    placeFile: () => refuseFile('EROFS'),
    onSignal: () => {},
  }
  const { command }: { readonly command: Command } = await import('./check.ts')
  const parsed = parseArguments('check', words, command)
  if (parsed.kind === 'arguments') await command.run(parsed.args, io)
  return printed.join('').trimEnd()
}

function refuseFile(code: string): Promise<never> {
  return Promise.reject(Object.assign(new Error('There is no file here'), { code }))
}
