import { describe, expect, it } from 'vitest'
import { Secret } from '../../src/config/secret.ts'
import { type DownstreamRequest, parseDownstreamRequest } from '../../src/forward/downstream.ts'
import { toUpstreamFields } from '../../src/forward/request.ts'
import { isPoint, parsePoint } from '../../src/points/point.ts'

/** Contract, section 3, "Client address". X-Forwarded-For and Forwarded have rows of their own. */
const CLIENT_ADDRESS = [
  'X-Real-IP',
  'True-Client-IP',
  'CF-Connecting-IP',
  'CF-Connecting-IPv6',
  'Fastly-Client-IP',
  'X-Azure-ClientIP',
  'X-Appengine-User-IP',
  'X-Client-IP',
  'X-Cluster-Client-IP',
  'X-Original-Forwarded-For',
  'X-Envoy-External-Address',
  'X-ProxyUser-Ip',
]

/** Every token character but letters, digits and the hyphen (RFC 9110 section 5.6.2). */
const FOLDED = "!#$%&'*+.^_`|~".split('')

const TRUSTED = { address: '192.0.2.1', isTrusted: true }
const STRANGER = { address: '192.0.2.2', isTrusted: false }

const PREFIX = '/service_cookie_transfer/'
const parsed = parsePoint(`https://www.example.com${PREFIX}`, PREFIX)
if (!isPoint(parsed)) throw new Error(parsed.reason)
const point = { ...parsed, widgetKey: new Secret('key') }

/** The client's own fields that reach the service: everything in front of those that the proxy sets. */
function passed(
  fields: readonly string[],
  clientAddress: 'append' | 'omit' = 'append',
  peer = STRANGER,
): string[] {
  const upstream = upstreamOf(fields, clientAddress, peer)
  return upstream.slice(0, upstream.indexOf('Host'))
}

function upstreamOf(fields: readonly string[], clientAddress: 'append' | 'omit', peer = STRANGER): string[] {
  return toUpstreamFields(requestWith(fields), point, peer, {
    serviceAuthority: 'service.example',
    keepCookiePath: 'strip',
    clientAddress,
    cookieNames: undefined,
  })
}

function requestWith(fields: readonly string[]): DownstreamRequest {
  const rawHeaders = ['Host', 'www.example.com', ...fields]
  const request = parseDownstreamRequest(
    { method: 'GET', url: PREFIX, httpVersion: '1.1', rawHeaders },
    STRANGER,
    'https',
  )
  if (typeof request === 'string') throw new Error(request)
  return request
}

/** A name in every way in which a folding server would take it for the same: each case, each other character. */
function spellings(name: string): string[] {
  return [
    name,
    name.toLowerCase(),
    name.toUpperCase(),
    ...FOLDED.map((character) => name.replaceAll('-', character)),
    ...FOLDED.map((character) => name.replace('-', character)),
  ]
}

describe('names that never pass, in any spelling', () => {
  it.each(['X-Widget-Key', 'X-Continuation-Origin'])('%s', (name) => {
    for (const spelling of spellings(name)) expect(passed([spelling, 'forged'])).toEqual([])
  })

  it.each([
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-Forwarded-Port',
    'X-Forwarded-Server',
    'X-Forwarded-Anything',
    'Content-Length',
    'Transfer-Encoding',
  ])('%s, but for its own spelling', (name) => {
    for (const character of FOLDED) {
      expect(passed([name.replaceAll('-', character), 'forged'])).toEqual([])
      expect(passed([name.replace('-', character), 'forged'])).toEqual([])
    }
  })

  it.each([
    'Connection',
    'Keep-Alive',
    'Proxy-Connection',
    'Proxy-Authenticate',
    'Proxy-Authorization',
    'TE',
    'Trailer',
    'Upgrade',
    'Forwarded',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-Forwarded-Port',
    'X-Forwarded-Server',
  ])('%s, whatever its case', (name) => {
    expect(passed([name, 'x', name.toLowerCase(), 'x', name.toUpperCase(), 'x'])).toEqual([])
  })

  it('names alike, but somebody else’s, are kept', () => {
    const kept = ['X_Widgets_Key', '1', 'XWidgetKey', '1', 'X-Forwarded', '1', 'X-Forwarded-Prefix', '1']
    expect(passed(kept)).toEqual(kept)
  })
})

describe('the client’s address', () => {
  it.each(CLIENT_ADDRESS)('%s leaves with "append" and not with "omit", in any spelling', (name) => {
    expect(passed([name, '192.0.2.60'])).toEqual([name, '192.0.2.60'])
    for (const spelling of spellings(name)) expect(passed([spelling, '192.0.2.60'], 'omit')).toEqual([])
    expect(passed([name, '192.0.2.60'], 'omit', TRUSTED)).toEqual([])
  })

  it('X-Forwarded-For is a trusted proxy’s list and its own address, a stranger’s address alone, or nothing', () => {
    const addressIn = (fields: readonly string[]) => fields[fields.indexOf('X-Forwarded-For') + 1]
    const sent = ['X-Forwarded-For', '192.0.2.9, 192.0.2.8']
    expect(addressIn(upstreamOf(sent, 'append', TRUSTED))).toBe('192.0.2.9, 192.0.2.8, 192.0.2.1')
    expect(addressIn(upstreamOf(sent, 'append'))).toBe('192.0.2.2')
    expect(upstreamOf(sent, 'omit', TRUSTED)).not.toContain('X-Forwarded-For')
  })

  it('names alike, but not about an address, stay with "omit"', () => {
    const kept = ['X-Real-IPs', '1', 'X-Client-ID', '1', 'CF-Ray', '1', 'Client-IP-Rules', '1']
    expect(passed(kept, 'omit')).toEqual(kept)
  })
})
