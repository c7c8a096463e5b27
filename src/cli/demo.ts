import { createClient } from '../api/index.ts'
import { openPoints } from '../index.ts'
import { type Check, DEFAULT_PORT, type Demo, startDemo } from '../sandbox/demo.ts'
import type { Program } from '../text/typed-command.ts'
import { parseArguments } from './arguments.ts'
import { type Command, defineCommand, findPrefixFault, prefixOption } from './command.ts'
import { type Io, untilStopped } from './io.ts'
import { refusePort } from './refuse.ts'

export const command = defineCommand({
  details: `Starts, on loopback only: a small shop on http://www.shop.localhost with a stand-in of
the widget, the proxy on its two continuation points, and a stand-in for the service.
Customer and agent each have a window on the same session. A button in the shop breaks a
point on purpose, and shows its red box and the report of check.`,
  options: {
    port: { value: 'N', isPort: true, summary: 'port of the demo site (default: 8080, or a free one)' },
    prefix: prefixOption,
  },
  async run({ values: { port, prefix } }, io) {
    const fault = findPrefixFault(prefix)
    if (fault !== undefined) return { fault }
    let demo: Demo
    try {
      demo = await startDemo(demoParts(io), { port, prefix })
    } catch (error) {
      return refusePort(error, `the demo can't open port ${port ?? DEFAULT_PORT}`, '--port')
    }
    io.stdout(welcome(demo, io.program))
    await untilStopped(io)
    await demo.close()
    return 'done'
  },
})

/** What the demo shows of the program: the proxy, the client and `check`. */
export function demoParts(io: Io): Parameters<typeof startDemo>[0] {
  return { openPoints, createClient, check: checkWith(io) }
}

/** Runs `check` on a point without environment and files, and returns what it prints, in colour. */
function checkWith(io: Io): Check {
  return async (url, prefix) => {
    const printed: string[] = []
    const { command }: { readonly command: Command } = await import('./check.ts')
    const parsed = parseArguments('check', [url, '--prefix', prefix, '--color', 'always'], command)
    const apart: Io = {
      ...io,
      program: 'npx continuation-point',
      env: {},
      nodeFlags: [],
      stdoutColumns: 96,
      stderrColumns: undefined,
      stdout: (text) => void printed.push(text),
      stderr: () => {},
      readFile: () => Promise.reject(Object.assign(new Error('There is no file here'), { code: 'ENOENT' })),
    }
    if (parsed.kind === 'arguments') await command.run(parsed.args, apart)
    return printed.join('').trimEnd()
  }
}

function welcome({ siteOrigin, pointUrls, serviceUrl, joinUrl }: Demo, program: Program): string {
  const [root = '', checkout = ''] = pointUrls
  return `A shop with continuation points is running.

  Open the shop, start a session ${siteOrigin}/
  Join it as the agent, by PIN   ${joinUrl}
  Verify its point on /          ${root}
  Verify the one on /checkout    ${checkout}
  Rehearse it as your own site   ${program} rehearse ${siteOrigin}/ ${siteOrigin}/checkout

Real: the proxy between the shop's URLs and the service, the same as in serve.
Stand-ins (mocks): the shop, the widget in it, and the service at ${serviceUrl}.
Nothing leaves this machine.

Stop with Ctrl-C.
`
}
