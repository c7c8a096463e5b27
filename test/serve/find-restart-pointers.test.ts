import { expect, it } from 'vitest'
import { parseConfig } from '../../src/config/parse.ts'
import { findRestartPointers } from '../../src/serve/find-restart-pointers.ts'

const tls = { cert: 'file:/a.pem', key: 'file:/a.key' }

it.each<[string, Record<string, unknown>, Record<string, unknown>, readonly string[]]>([
  ['nothing', {}, {}, []],
  ['what exchanges read', { limits: { bodyBytes: 1 } }, { limits: { bodyBytes: 2 }, backTransfer: true }, []],
  ['the log and the drain', {}, { log: { level: 'warn' }, timeouts: { drain: '1s' } }, []],
  ['trusted proxies', {}, { listen: { trustedProxies: ['private'] } }, []],
  ['another certificate', { listen: { tls } }, { listen: { tls: { ...tls, cert: 'file:/b.pem' } } }, []],
  ['TLS itself', {}, { listen: { tls } }, ['/listen/tls']],
  ['the host', { listen: { host: '127.0.0.1' } }, { listen: { host: '::1' } }, ['/listen/host']],
  ['the port', { listen: { port: 1 } }, { listen: { port: 2 } }, ['/listen/port']],
  ['the head limit', {}, { limits: { headerBytes: 9_000 } }, ['/limits/headerBytes']],
  ['no admin listener', {}, { admin: null }, ['/admin']],
  ['workers', { workers: 1 }, { workers: 'auto' }, ['/workers']],
  ['two at once', {}, { workers: 2, listen: { port: 2 } }, ['/listen/port', '/workers']],
])('%s', (_name, started, loaded, pointers) => {
  expect(findRestartPointers(toConfig(started), toConfig(loaded))).toEqual(pointers)
})

function toConfig(written: Record<string, unknown>) {
  const parsed = parseConfig(JSON.stringify(written), 'config.json')
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
  return parsed.config
}
