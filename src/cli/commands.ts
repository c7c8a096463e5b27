import type { Command } from './command.ts'

/** What is known of a command before its module is loaded. */
export interface CommandEntry {
  readonly name: string
  /** The command's own summary, here too so that the overview loads nothing. */
  readonly summary: string
  load(): Promise<Command>
}

/** Every command, in the order of the overview. Each is loaded alone, so that one never pays for another's imports. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'run the continuation points',
    load: async () => (await import('./serve.ts')).command,
  },
  {
    name: 'check',
    summary: 'check points, pages and cookies, and say what to change',
    load: async () => (await import('./check.ts')).command,
  },
  {
    name: 'monitor',
    summary: 'check regularly, and report what changed',
    load: async () => (await import('./monitor.ts')).command,
  },
  {
    name: 'explain',
    summary: 'tell why a rule of check exists, and how to fix what it finds',
    load: async () => (await import('./explain.ts')).command,
  },
  {
    name: 'init',
    summary: 'write a first config',
    load: async () => (await import('./init.ts')).command,
  },
  {
    name: 'scopes',
    summary: 'list the cookies of a site, from a browser or what it exports',
    load: async () => (await import('./scopes.ts')).command,
  },
  {
    name: 'render',
    summary: 'print the config of a front end',
    load: async () => (await import('./render.ts')).command,
  },
  {
    name: 'conformance',
    summary: 'drive a continuation point with every case of the suite',
    load: async () => (await import('./conformance.ts')).command,
  },
  {
    name: 'demo',
    summary: 'run the proxy with a stand-in service and a demo shop',
    load: async () => (await import('./demo.ts')).command,
  },
  {
    name: 'sandbox',
    summary: 'run only the stand-in service, for integration tests',
    load: async () => (await import('./sandbox.ts')).command,
  },
  {
    name: 'settings',
    summary: "show, compare or change the account's settings",
    load: async () => (await import('./settings.ts')).command,
  },
  {
    name: 'webhooks',
    summary: "list the account's webhooks, or change them to the config's",
    load: async () => (await import('./webhooks.ts')).command,
  },
  {
    name: 'history',
    summary: 'export the sessions of a range of time',
    load: async () => (await import('./history.ts')).command,
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of the config file',
    load: async () => (await import('./schema.ts')).command,
  },
]
