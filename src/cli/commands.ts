import type { Command } from './command.ts'

/** A command whose module is not loaded yet. */
export interface CommandEntry {
  readonly name: string
  /** One line of help, lower case, no full stop. */
  readonly summary: string
  load(): Promise<{ readonly command: Command }>
}

/** Every command, in the order of the overview. Each is loaded on demand, without the imports of the others. */
export const commands: readonly CommandEntry[] = [
  { name: 'serve', summary: 'run the continuation points', load: () => import('./serve.ts') },
  {
    name: 'check',
    summary: 'check points, pages and cookies, and say what to change',
    load: () => import('./check.ts'),
  },
  {
    name: 'monitor',
    summary: 'check regularly, and report what changed',
    load: () => import('./monitor.ts'),
  },
  {
    name: 'explain',
    summary: 'explain a rule of check, and how to fix what it finds',
    load: () => import('./explain.ts'),
  },
  { name: 'init', summary: 'write a first config', load: () => import('./init.ts') },
  {
    name: 'scopes',
    summary: 'list the cookies of a site, from a browser or its export',
    load: () => import('./scopes.ts'),
  },
  { name: 'render', summary: 'print the config of a front end', load: () => import('./render.ts') },
  {
    name: 'conformance',
    summary: 'test a continuation point with the conformance suite',
    load: () => import('./conformance.ts'),
  },
  {
    name: 'demo',
    summary: 'run the proxy with a stand-in service and a demo shop',
    load: () => import('./demo.ts'),
  },
  {
    name: 'sandbox',
    summary: 'run only the stand-in service, for integration tests',
    load: () => import('./sandbox.ts'),
  },
  {
    name: 'settings',
    summary: "show, compare or change the account's settings",
    load: () => import('./settings.ts'),
  },
  {
    name: 'webhooks',
    summary: "list the account's webhooks, or change them to match the config",
    load: () => import('./webhooks.ts'),
  },
  { name: 'history', summary: 'export the sessions of a time range', load: () => import('./history.ts') },
  { name: 'schema', summary: 'print the JSON Schema of the config file', load: () => import('./schema.ts') },
]
