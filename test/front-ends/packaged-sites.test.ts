import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { findFrontEnd } from '../../src/front-ends/index.ts'
import { openFolderOfTest } from '../support/folder.ts'
import { freePort, servers, skips } from './support/real-server.ts'
import { renderParts, toHostLines } from './support/rendered.ts'
import { toKeyFiles } from './support/started-site.ts'
import { certificateFile } from './support/typical-site.ts'

/** A config that Debian installs, and where the lines for a host go. */
interface PackagedSite {
  readonly frontEnd: string
  /** The file with the site, below the folder of the config. */
  readonly file: string
  /** Puts the lines into the text of the site. */
  place(text: string, lines: string, port: number): string
  /** The server's own test of the config. */
  test(folder: string): readonly string[]
}

const APACHE_MODULES = ['headers', 'proxy', 'proxy_http', 'rewrite', 'socache_shmcb', 'ssl', 'unique_id']
const intoVirtualHost = (text: string, lines: string) =>
  text.replace(/<VirtualHost .*\n/, (head) => `${head}${lines}\n`)

const sites: readonly PackagedSite[] = [
  {
    frontEnd: 'nginx',
    file: 'sites-enabled/default',
    place: (text, lines, port) =>
      text
        .replaceAll(/listen (\[::\]:)?80 /g, `listen $1${port} `)
        .replace('location /', `${lines}\nlocation /`),
    test: (folder) => ['-t', '-c', `${folder}/nginx.conf`],
  },
  ...['000-default', 'default-ssl'].map((name) => ({
    frontEnd: 'apache',
    file: `sites-available/${name}.conf`,
    place: (text: string, lines: string) =>
      intoVirtualHost(text, lines)
        .replace(/\S+snakeoil\.pem/, certificateFile('service', 'cert'))
        .replace(/\S+snakeoil\.key/, certificateFile('service', 'key')),
    test: (folder: string) => ['-t', '-d', folder, '-f', 'apache2.conf'],
  })),
  {
    frontEnd: 'caddy',
    file: 'Caddyfile',
    place: (text, lines) => text.replace(/^:80 \{\n/m, (head) => `${head}${lines}\n`),
    test: (folder) => ['validate', '--config', `${folder}/Caddyfile`],
  },
  {
    frontEnd: 'haproxy',
    file: 'haproxy.cfg',
    place: (text, lines, port) => `${text}\nfrontend site\n  bind 127.0.0.1:${port}\n${lines}\n`,
    test: (folder) => ['-c', '-f', `${folder}/haproxy.cfg`, '-f', `${folder}/continuation-point.cfg`],
  },
]

const config = {
  service: { url: 'https://service.example' },
  widgetKey: 'env:WIDGET_KEY',
  points: ['/', '/shop/'].map((path) => `https://www.example.com${path}service_cookie_transfer/`),
}

describe.each(sites)('the config that Debian has for $frontEnd, $file', ({ frontEnd, file, place, test }) => {
  const server = servers.find(({ name }) => name === frontEnd)
  const home = findFrontEnd(frontEnd)?.home.folder ?? ''

  it.skipIf(server === undefined || skips(server) || !existsSync(home)).each(['route', 'forward'] as const)(
    'takes what render writes: %s',
    async (mode) => {
      if (server === undefined) throw new Error(`no server ${frontEnd}`)
      const folder = openFolderOfTest()
      cpSync(home, folder, { recursive: true, dereference: true })
      const parts = renderParts(frontEnd, mode, config)
      const files = parts.map((part) => [part.file, part.text] as const)
      for (const [path, text] of [...files, ...Object.entries(toKeyFiles(server))]) write(folder, path, text)
      const lines = toHostLines(parts).flat()
      expect(lines.length).toBeGreaterThan(0)
      const text = readFileSync(join(folder, file), 'utf8')
      const placed = place(text, lines.join('\n'), await freePort())
      expect(placed).toContain(lines[0])
      write(folder, file, placed)
      if (frontEnd === 'apache') enable(folder, file)
      moveTo(folder, home)
      const env = {
        ...process.env,
        ...server.env(folder),
        APACHE_RUN_USER: 'www-data',
        APACHE_RUN_GROUP: 'www-data',
      }
      const { code, stdout, stderr } = await promisify(execFile)(server.binary, [...test(folder)], {
        env,
      }).catch((error) => error)
      expect(code, `${stdout}${stderr}`).toBeUndefined()
    },
  )
})

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** `a2enmod`, `a2enconf` and `a2ensite`. */
function enable(folder: string, site: string): void {
  const modules = APACHE_MODULES.map((name) => `mods-available/${name}.load`)
  for (const path of [...modules, 'conf-available/continuation-point.conf', site])
    cpSync(join(folder, path), join(folder, path.replace('-available', '-enabled')))
}

/** Lets the files of the copy name the copy, and folders that the test may write. */
function moveTo(folder: string, home: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const text = readFileSync(path, 'latin1')
    const moved = text
      .replaceAll(home, folder)
      .replaceAll('/run/nginx.pid', `${folder}/pid`)
      .replaceAll('/var/log/nginx', folder)
    if (moved !== text) writeFileSync(path, moved, 'latin1')
  }
}
