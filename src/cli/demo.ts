import { DEFAULT_PORT, type Demo, startDemo } from '../demo/demo.ts'
import { parseArguments } from './arguments.ts'
import { type Command, defineCommand } from './command.ts'
import { type Io, untilStopped } from './io.ts'
import { refusePort } from './listen-fault.ts'

export const command = defineCommand({
  details: `Starts, on loopback only: a small shop on http://www.shop.localhost with a stand-in of
the widget, the proxy on its two continuation points, and a stand-in for the service. A
second shop, on www.other.localhost, shows what the widget ignores. Customer and agent
each have a window on the same session. A button in the shop breaks a point on purpose,
and shows its red box and the report of check.`,
  options: {
    port: { value: 'N', isPort: true, summary: 'port of the demo site (default: 8080, or a free one)' },
  },
  async run({ values }, io) {
    let demo: Demo
    try {
      demo = await startDemo(checkWith(io), values.port)
    } catch (error) {
      return refusePort(error, `the demo can't open port ${values.port ?? DEFAULT_PORT}`, '--port')
    }
    io.stdout(welcome(demo))
    await untilStopped(io)
    await demo.close()
    return 'done'
  },
})

/** Runs `check` on a URL without environment and files, and returns what it prints. */
export function checkWith(io: Io): (url: string) => Promise<string> {
  return async (url) => {
    const printed: string[] = []
    const { command }: { readonly command: Command } = await import('./check.ts')
    const parsed = parseArguments('check', [url, '--color', 'never'], command)
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

function welcome({ siteOrigin, otherOrigin, pointUrls, serviceUrl, joinUrl }: Demo): string {
  const [root = '', checkout = ''] = pointUrls
  return `Two shops with continuation points are running.

  Open the shop, start a session ${siteOrigin}/
  Join it as the agent, by PIN   ${joinUrl}
  Verify its point on /          ${root}
  Verify the one on /checkout    ${checkout}
  A shop on another site         ${otherOrigin}/

Real: the proxy between the shops' URLs and the service, the same as in serve.
Stand-ins: the shops, the widget in them, and the service at ${serviceUrl}.
Nothing leaves this machine.

Stop with Ctrl-C.
`
}
