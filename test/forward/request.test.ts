import { describe, expect, it } from 'vitest'
import { Secret } from '../../src/config/secret.ts'
import { type DownstreamRequest, parseDownstreamRequest } from '../../src/forward/downstream.ts'
import { buildUpstreamFields, type ForwardRules } from '../../src/forward/request.ts'
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

const RULES: ForwardRules = {
  serviceAuthority: 'service.example',
  keepCookiePath: 'strip',
  clientAddress: 'append',
  cookieNames: undefined,
}

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
  return buildUpstreamFields(requestWith(fields), point, peer, { ...RULES, clientAddress })
}

function requestWith(fields: readonly string[]): DownstreamRequest {
  const raw = {
    method: 'GET',
    url: PREFIX,
    httpVersion: '1.1',
    rawHeaders: ['Host', 'www.example.com', ...fields],
  }
  const request = parseDownstreamRequest(raw, STRANGER, 'https', 65_536)
  if (typeof request === 'string') throw new Error(request)
  return request
}

/** A name in every spelling that a folding server reads as the same: each case, each other character. */
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
  it.each(['X-Widget-Key', 'X-Continuation-Origin', 'Continuation-Point-Check'])('%s', (name) => {
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
  ])('%s, except in its own spelling', (name) => {
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

  it('similar names that are not ours are kept', () => {
    const names = [
      'X_Widgets_Key',
      'XWidgetKey',
      'X__Widget_Key',
      'X_Widget_Key_',
      'Cookie_',
      'X-Forwarded',
      'X-Forwarded-Prefix',
      'Keep_Alive',
      'Accept_Language',
    ]
    const kept = names.flatMap((name) => [name, '1'])
    expect(passed(kept)).toEqual(kept)
  })
})

describe('the client’s address', () => {
  it.each(CLIENT_ADDRESS)('%s leaves with "append" and not with "omit", in any spelling', (name) => {
    expect(passed([name, '192.0.2.60'])).toEqual([name, '192.0.2.60'])
    for (const spelling of spellings(name)) expect(passed([spelling, '192.0.2.60'], 'omit')).toEqual([])
    expect(passed([name, '192.0.2.60'], 'omit', TRUSTED)).toEqual([])
  })

  it('X-Forwarded-For is a trusted proxy’s list with its own address, only the address of any other peer, or nothing', () => {
    const addressIn = (fields: readonly string[]) => fields[fields.indexOf('X-Forwarded-For') + 1]
    const sent = ['X-Forwarded-For', '192.0.2.9, 192.0.2.8']
    expect(addressIn(upstreamOf(sent, 'append', TRUSTED))).toBe('192.0.2.9, 192.0.2.8, 192.0.2.1')
    expect(addressIn(upstreamOf(sent, 'append'))).toBe('192.0.2.2')
    expect(upstreamOf(sent, 'omit', TRUSTED)).not.toContain('X-Forwarded-For')
  })

  it('similar names that are not about an address stay with "omit"', () => {
    const kept = ['X-Real-IPs', '1', 'X-Client-ID', '1', 'CF-Ray', '1', 'Client-IP-Rules', '1']
    expect(passed(kept, 'omit')).toEqual(kept)
  })
})

describe('the field section as a whole', () => {
  const OURS = [
    ...['Host', 'service.example', 'X-Widget-Key', 'key', 'X-Continuation-Origin', 'https://www.example.com'],
    ...['X-Forwarded-For', '192.0.2.2', 'Via', '1.1 continuation-point'],
  ]

  it('has the client’s lines first, in their order, case and repetition, and ours last', () => {
    const lines = ['Cookie', 'b=2', 'X-b', '1', 'ACCEPT', '*/*', 'cookie', 'a=1; b=3', 'x-B', '']
    expect(upstreamOf(lines, 'append')).toEqual([...lines, ...OURS])
  })

  it('has no client field in place of ours', () => {
    const theirs = OURS.flatMap((text, at) =>
      at % 2 === 0 && text !== 'Host' && text !== 'Via' ? [text, 'forged'] : [],
    )
    expect(upstreamOf(theirs, 'append')).toEqual(OURS)
  })

  it.each(['X-Widget-Key', 'X-Continuation-Origin', 'X-Forwarded-For', 'Host', 'Via'])(
    'has our %s, although Connection names it',
    (name) => {
      expect(upstreamOf(['Connection', `close, ${name}`], 'append')).toEqual(OURS)
    },
  )

  it('keeps the Via of others before ours', () => {
    expect(upstreamOf(['Via', '1.0 cdn'], 'append')).toEqual(['Via', '1.0 cdn', ...OURS])
  })

  it('names the version in which the request came', () => {
    const request = { ...requestWith([]), version: '1.0' }
    expect(buildUpstreamFields(request, point, STRANGER, RULES).slice(-2)).toEqual([
      'Via',
      '1.0 continuation-point',
    ])
  })
})

it.each([
  [
    'keep-alive, x-hop , X-Other',
    ['X-Hop', '1', 'x-hop', '2', 'X-Other', '3', 'X-Hops', '4'],
    ['X-Hops', '4'],
  ],
  ['Cookie', ['Cookie', 'a=1'], []],
  ['X-Real-IP', ['X-Real-IP', '192.0.2.9'], []],
  // A body whose length is gone would be read as the next request.
  ['Content-Length', ['Content-Length', '10'], ['Content-Length', '10']],
])('fields that Connection names: of %s, %j leaves %j', (options, lines, left) => {
  expect(passed(['Connection', options, ...lines])).toEqual(left)
})
