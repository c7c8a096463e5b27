import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { certificate } from '../support/certificates/certificate.ts'
import type { Machine } from './clone.ts'
import { setCookies, shopHosts } from './shop.ts'

/** A site on nginx before it has continuation points: TLS, two hosts, no rule of ours. */
export type NginxSite = Awaited<ReturnType<typeof startNginxSite>>

export async function startNginxSite(machine: Machine, port: number, page: string) {
  const folder = join(machine.site, 'nginx')
  const temporary = join(folder, 'temporary')
  mkdirSync(join(folder, 'sites-enabled'), { recursive: true })
  mkdirSync(temporary)
  // Workers are another user.
  chmodSync(temporary, 0o777)
  const main = join(folder, 'nginx.conf')
  writeFileSync(main, toMain(temporary))
  writeFileSync(
    join(folder, 'sites-enabled/shop.conf'),
    shopHosts.map((host) => toServer(host, port, page)).join('\n'),
  )
  const global = ['-c', main, '-e', `${folder}/error.log`]
  const flags = `${global.join(' ')} -g 'pid ${folder}/pid;'`
  const child = spawn('/usr/sbin/nginx', [...global, '-g', `daemon off; pid ${folder}/pid;`], {
    stdio: 'ignore',
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  // Without its process id it can't be reloaded.
  while (!existsSync(join(folder, 'pid')) || read('pid') === '') {
    expect(child.exitCode).toBe(null)
    await wait(20)
  }
  return {
    /** Stands in for /etc/nginx. */
    folder,
    /** `-c FILE` and what a run without root's paths needs, for commands of nginx. */
    flags,
    edit: (file: string, change: (text: string) => string) =>
      writeFileSync(join(folder, file), change(read(file))),
    /** Waits until no old worker is left. */
    reload: async () => {
      const old = readWorkers(child.pid)
      const ran = await machine.run(`nginx -t ${flags} && nginx -s reload ${flags}`)
      expect(ran.code, ran.stderr).toBe(0)
      while (readWorkers(child.pid).some((pid) => old.includes(pid))) await wait(20)
    },
    close: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Old workers go on with the old config until they end. */
function readWorkers(master: number | undefined): readonly string[] {
  return readFileSync(`/proc/${master}/task/${master}/children`, 'utf8').trim().split(' ')
}

function toMain(temporary: string): string {
  return `worker_processes 1;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path ${temporary}/body; proxy_temp_path ${temporary}/proxy;
  fastcgi_temp_path ${temporary}/fastcgi; uwsgi_temp_path ${temporary}/uwsgi; scgi_temp_path ${temporary}/scgi;
  include conf.d/*.conf;
  include sites-enabled/*;
}
`
}

function toServer(host: (typeof shopHosts)[number], port: number, page: string): string {
  return `server {
  listen 127.0.0.1:${port} ssl;
  server_name ${host};
  ssl_certificate ${certificate('shop.cert')};
  ssl_certificate_key ${certificate('shop.key')};
  location / {
    default_type text/html;
${setCookies[host].map((line) => `    add_header Set-Cookie '${line}; Secure; HttpOnly';`).join('\n')}
    return 200 '${page}';
  }
}
`
}
