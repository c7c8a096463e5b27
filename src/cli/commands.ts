import type { Command } from './command.ts'

export interface CommandEntry {
  readonly name: string
  /** One line of help, lower case, no full stop. */
  readonly summary: string
  load(): Promise<{ readonly command: Command }>
}

/** Each command is loaded on demand, without the imports of the others. */
export const groups: readonly { readonly title: string; readonly commands: readonly CommandEntry[] }[] = [
  {
    title: 'Every day',
    commands: [
      entry('serve', 'run the continuation points', () => import('./serve.ts')),
      entry('check', 'check points, pages and cookies, and say what to change', () => import('./check.ts')),
      entry(
        'rehearse',
        'try your own site in a real browser, before anything is changed',
        () => import('./rehearse.ts'),
      ),
      entry('init', 'write a first config', () => import('./init.ts')),
      entry('render', 'print the lines for your web server or proxy', () => import('./render.ts')),
    ],
  },
  {
    title: 'Account',
    commands: [
      entry('settings', "show, compare or change the account's settings", () => import('./settings.ts')),
    ],
  },
  {
    title: 'Testing',
    commands: [
      entry('demo', 'run the proxy with a mock service and a demo shop', () => import('./demo.ts')),
      entry(
        'sandbox',
        'run only the stand-in, a mock service, for integration tests',
        () => import('./sandbox.ts'),
      ),
    ],
  },
]

export const commands = groups.flatMap((group) => group.commands)

function entry(name: string, summary: string, load: CommandEntry['load']): CommandEntry {
  return { name, summary, load }
}
