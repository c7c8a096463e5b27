import { existsSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { join } from 'node:path'
import type { Io } from '../../src/cli/io.ts'
import { type Mode, preferences } from '../check/chromium/browser-mode.ts'
import { chromiumPath, pagesPath } from '../sandbox/support/chromium.ts'
import { pemOf } from '../support/certificates/certificate.ts'
import { listen } from '../support/listen.ts'

/** What every cookie of the world has as its value. */
export const SECRET = 'the-value-of-a-cookie'

/** Of real files: where the browser is. */
export const kindOf: Io['kindOf'] = async (path) => (existsSync(path) ? 'file' : 'nothing')

/** A site of the world. Its page `/` signs a visitor in, and leads to `/home`, which greets who has the cookie `sid`. */
export interface Site {
  /** What `/` sets: Set-Cookie lines without the value, such as `sid; HttpOnly`. */
  readonly cookies?: readonly string[]
  /** Of its points. */
  readonly pointStatus?: number
  /** Of `/home`. */
  readonly fields?: Readonly<Record<string, string>>
  /** Of `/home`, after the greeting. */
  readonly html?: string
  /** Answers in their place, if it returns true. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** Sites by their hosts, a browser that finds all of them here, and the names of the cookies that each point got. */
export async function startWorld(sites: Record<string, Site>, folder: string, more = '') {
  const recorded = new Map<string, ReadonlySet<string>>()
  const listener: (scheme: string) => RequestListener = (scheme) => (request, response) => {
    const { host = '', cookie = '' } = request.headers
    const names = new Set(cookie === '' ? [] : cookie.split('; ').map((pair) => pair.replace(/=.*$/, '')))
    const url = `${scheme}://${host}${request.url}`
    if (/_cookie_transfer\//.test(url)) {
      const point = url.replace(/\?.*$/, '')
      recorded.set(point, new Set([...names, ...(recorded.get(point) ?? [])]))
      const { pointStatus = 404 } = sites[new URL(url).hostname] ?? {}
      response.writeHead(pointStatus, { Location: '/' }).end()
      return
    }
    const { cookies = [], fields = {}, html = '', answer } = sites[new URL(url).hostname] ?? {}
    if (answer?.(request, response)) return
    if (request.url === '/') {
      const lines = cookies.map((line) => line.replace(/^[^;]+/, (name) => `${name}=${SECRET}`))
      response.writeHead(302, { Location: '/home', 'Set-Cookie': lines }).end()
      return
    }
    const greeting = names.has('sid') ? 'Hello, Robin' : 'Log in'
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...fields })
    response.end(`<!doctype html><title>World</title><h1>${greeting}</h1>${html}`)
  }
  const http = await listen(createServer(listener('http')))
  const tls = { key: pemOf('self-signed.key'), cert: pemOf('self-signed.cert') }
  const https = await listen(createSecureServer(tls, listener('https')))
  const rules = [
    ...[80, 8080].map((port) => `MAP *:${port} 127.0.0.1:${http.port}`),
    ...[443, 8443].map((port) => `MAP *:${port} 127.0.0.1:${https.port}`),
  ]
  const browser = join(folder, 'chromium')
  const profile = join(folder, 'Preferences')
  const flags = `${more} --disable-gpu --disable-quic --ignore-certificate-errors --disable-features=HttpsUpgrades,LocalNetworkAccessChecks '--host-resolver-rules=${rules}'`
  /** Of the next browser. The shell has no settings, and takes a third of the processor's time. */
  const setMode = (mode: Mode) => {
    writeFileSync(profile, JSON.stringify(preferences[mode]))
    const script = `#!/bin/sh
echo $$ > ${browser}.pid
for word; do case $word in --user-data-dir=*)
  mkdir -p "\${word#*=}/Default" && cp ${profile} "\${word#*=}/Default/Preferences";; esac; done
exec ${mode === 'allowed' ? pagesPath : chromiumPath} "$@" ${flags}
`
    writeFileSync(browser, script, { mode: 0o755 })
  }
  setMode('allowed')
  return {
    browser,
    recorded,
    setMode,
    /** More can be added. */
    sites,
    close: async () => {
      await http.close()
      await https.close()
    },
  }
}
