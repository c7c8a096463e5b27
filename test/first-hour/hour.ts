import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect } from 'vitest'
import { createClient } from '../../src/api/client.ts'
import { freePort } from '../front-ends/support/real-server.ts'
import { certificate } from '../support/certificates/certificate.ts'
import { listening, type Program } from '../support/program.ts'
import type { Machine, Ran } from './clone.ts'

/** The keys that the stand-in service knows. */
export const keys = { WIDGET_KEY: 'demo-widget-key', API_KEY: 'demo-api-key' } as const

/** The stand-in service, as its vendor would run it. */
export type Service = Awaited<ReturnType<typeof startService>>

export async function startService(machine: Machine) {
  const program = machine.start(['sandbox', '--port', '0', '--rate-limit', 'off'])
  const [, url = ''] = await program.printed(/Service\s+(http:\S+)/)
  const client = createClient({ baseUrl: `${url}/v2`, apiKey: keys.API_KEY })
  return {
    url,
    /** Takes all points out of the account. */
    forgetPoints: async () => void (await client.options.change({ cookie_transfer_urls: [] })),
    close: () => end(program),
  }
}

/** `serve` with one config, and the check of it. */
export type Points = Awaited<ReturnType<typeof openPoints>>

/** @param config as `init` wrote it, a path from the clone; `serve` gets free ports, and the account's key counts from now on */
export async function openPoints(machine: Machine, config: string) {
  const path = resolve(machine.clone, config)
  const editConfig = (change: (text: string) => string) =>
    writeFileSync(path, change(readFileSync(path, 'utf8')))
  const port = await freePort()
  editConfig((text) =>
    text
      .replace('// "apiKey"', '"apiKey"')
      .replace('"points"', `"listen": { "port": ${port} },\n  "admin": null,\n  "points"`),
  )
  let serve: Program | undefined
  return {
    config,
    editConfig,
    start: async (env: Readonly<Record<string, string>> = keys) => {
      serve = machine.start(['serve', '--config', config], env)
      await listening(serve)
    },
    stop: async () => {
      if (serve !== undefined) await end(serve)
    },
    check: () =>
      machine.run(
        `npx continuation-point check --config ${config} --ca-file ${certificate('shop-authority.cert')}`,
        keys,
      ),
  }
}

/** Nothing is found, not even a warning. */
export function expectGreen({ code, stdout }: Ran): void {
  expect(stdout).toContain('no findings')
  expect(code).toBe(0)
}

export async function end(program: Program): Promise<void> {
  program.signal('SIGTERM')
  await program.ended()
}
