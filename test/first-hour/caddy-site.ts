import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { accepts } from '../support/accepts.ts'
import { certificate } from '../support/certificates/certificate.ts'
import type { Machine } from './clone.ts'
import { shopHosts } from './shop.ts'

/** A site on Caddy before it has points: TLS, two hosts, no rule of ours. */
export type CaddySite = Awaited<ReturnType<typeof startCaddySite>>

export async function startCaddySite(machine: Machine, port: number, page: string) {
  const folder = join(machine.site, 'caddy')
  mkdirSync(folder)
  const file = join(folder, 'Caddyfile')
  const admin = `unix/${folder}/admin.sock`
  writeFileSync(file, [toOptions(admin), ...shopHosts.map((host) => toBlock(host, port, page))].join('\n'))
  const env = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder }
  const child = spawn('/usr/bin/caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    env,
    stdio: 'ignore',
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  while (!(await accepts(port))) {
    expect(child.exitCode).toBe(null)
    await wait(20)
  }
  return {
    /** Stands in for /etc/caddy. */
    folder,
    file,
    reload: async () => {
      const flags = `--config ${file} --adapter caddyfile`
      const ran = await machine.run(
        `caddy validate ${flags} && caddy reload ${flags} --address ${admin}`,
        env,
      )
      expect(ran.code, ran.stderr).toBe(0)
    },
    edit: (name: string, change: (text: string) => string) => {
      const path = join(folder, name)
      writeFileSync(path, change(readFileSync(path, 'utf8')))
    },
    close: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function toOptions(admin: string): string {
  return `{
	admin ${admin}
	auto_https disable_redirects
}
`
}

function toBlock(host: string, port: number, page: string): string {
  return `https://${host}:${port} {
	bind 127.0.0.1
	tls ${certificate('shop.cert')} ${certificate('shop.key')}
	header Content-Type text/html
	respond \`${page}\`
}
`
}
