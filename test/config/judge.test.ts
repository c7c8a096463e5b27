import { describe, expect, test } from 'vitest'
import {
  judgeHost,
  judgeOrigin,
  judgePemReference,
  judgePrefix,
  judgeSecretReference,
  judgeTrustedProxy,
} from '../../src/config/judge.ts'
import { findBaseUrlFault } from '../../src/http/url-fault.ts'

type Judge = (text: string) => string | undefined
type Row = readonly [text: string, reason: RegExp | undefined]

function judging(name: string, judge: Judge, rows: readonly Row[]): void {
  describe(name, () => {
    test.each(rows)('%j', (text, reason) => {
      const judged = judge(text)
      if (reason === undefined) expect(judged).toBeUndefined()
      else expect(judged).toMatch(reason)
    })
  })
}

judging('an origin', judgeOrigin, [
  ['https://cobrowse.example.net', undefined],
  ['https://cobrowse.example.net/', undefined],
  ['HTTPS://Cobrowse.example.net:8443', undefined],
  ['https://cobrowse.example.net/v2', /path/],
  ['https://cobrowse.example.net?', /query/],
  ['https://cobrowse.example.net#', /fragment/],
  ['https://user@cobrowse.example.net', /credentials/],
  ['https:/cobrowse.example.net', /absolute/],
  ['cobrowse.example.net', /absolute/],
  ['', /absolute/],
  ['https://', /not valid/],
  ['https://host:99999', /not valid/],
  ['https://host:0', /port 0/],
  ["https://it's.example.net", /DNS allows/],
  [`https://${'a'.repeat(64)}.example.net`, /at most 63/],
  ['https://a b', /white space/],
  [' https://host', /white space/],
  ['https:\\\\host', /backslash/],
  ['https://host/\t', /control/],
])

judging('a REST root', findBaseUrlFault, [
  ['https://cobrowse.example.net/v2', undefined],
  ['https://cobrowse.example.net/a/b/v2/', undefined],
  ['https://cobrowse.example.net/a/../v2', /dot segment/],
  ['https://cobrowse.example.net/%2e%2e/v2', /dot segment/],
  ['https://cobrowse.example.net/v2?api_key=x', /query/],
])

judging('a prefix', judgePrefix, [
  ['/service_cookie_transfer/', undefined],
  ['/a/b/', undefined],
  ['/a%20b/', undefined],
  ['a/', /begin with a slash/],
  ['/a', /segment/],
  ['/', /segment/],
  ['', /begin with a slash/],
  ['//', /segment/],
  ['/a//', /two slashes/],
  ['/../', /dot segment/],
  ['/a/%2E/', /dot segment/],
  ['/a?b/', /not permitted in a path/],
  ['/ä/', /not permitted in a path/],
  ['/a%2/', /percent/],
])

judging('a trusted proxy', judgeTrustedProxy, [
  ['loopback', undefined],
  ['private', undefined],
  ['10.0.0.0/8', undefined],
  ['10.0.0.1', undefined],
  ['::1/128', undefined],
  ['Loopback', /not an address block/],
  ['fe80::1%eth0', /not an address block/],
  ['10.0.0.0/33', /0 to 32/],
  ['10.0.0.0/', /0 to 32/],
  ['10.0.0.0/-1', /0 to 32/],
  ['::/129', /0 to 128/],
])

judging('a host', judgeHost, [
  ['127.0.0.1', undefined],
  ['::', undefined],
  ['localhost', undefined],
  ['my_host.internal', undefined],
  ['[::1]', /brackets/],
  ['localhost:80', /port/],
  ['', /not a host/],
  ['a b', /not a host/],
])

judging('a secret', judgeSecretReference, [
  ['some key', undefined],
  ['env:WIDGET_KEY', undefined],
  ['file:/run/secrets/key', undefined],
  ['', /empty/],
  ['env:', /variable/],
  ['env:A-B', /variable/],
  ['$WIDGET_KEY', /"env:WIDGET_KEY"/],
  [`\${WIDGET_KEY}`, /"env:WIDGET_KEY"/],
  ['{{ .Values.key }}', undefined],
  ['$1', undefined],
  ['pa$$word', undefined],
  ['file:', /path/],
])

judging('PEM', judgePemReference, [
  ['file:/etc/ssl/ca.pem', undefined],
  ['env:CA_PEM', undefined],
  ['-----BEGIN CERTIFICATE-----\nMIIB', undefined],
  ['/etc/ssl/ca.pem', /file:/],
  ['', /empty/],
])
