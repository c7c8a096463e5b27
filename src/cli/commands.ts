import type { Command } from './command.ts'

/** A command whose module is not loaded yet. */
export interface CommandEntry {
  readonly name: string
  /** The same as the command's own summary, so that the overview needs to load no command. */
  readonly summary: string
  load(): Promise<Command>
}

/** Every command, in the order of the overview. Each is loaded on demand, without the imports of the others. */
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
    summary: 'explain a rule of check, and how to fix what it finds',
    load: async () => (await import('./explain.ts')).command,
  },
  {
    name: 'init',
    summary: 'write a first config',
    load: async () => (await import('./init.ts')).command,
  },
  {
    name: 'scopes',
    summary: 'list the cookies of a site, from a browser or its export',
    load: async () => (await import('./scopes.ts')).command,
  },
  {
    name: 'render',
    summary: 'print the config of a front end',
    load: async () => (await import('./render.ts')).command,
  },
  {
    name: 'conformance',
    summary: 'test a continuation point with the conformance suite',
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
    summary: "list the account's webhooks, or change them to match the config",
    load: async () => (await import('./webhooks.ts')).command,
  },
  {
    name: 'history',
    summary: 'export the sessions of a time range',
    load: async () => (await import('./history.ts')).command,
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of the config file',
    load: async () => (await import('./schema.ts')).command,
  },
]
