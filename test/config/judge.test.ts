import { describe, expect, test } from 'vitest'
import {
  judgeHost,
  judgeOrigin,
  judgePemReference,
  judgePrefix,
  judgeRoot,
  judgeSecretReference,
  judgeTrustedProxy,
} from '../../src/config/judge.ts'

type Judge = (text: string) => string | undefined
type Row = readonly [text: string, reason: RegExp | undefined]

const tables: readonly (readonly [string, Judge, readonly Row[]])[] = [
  [
    'an origin',
    judgeOrigin,
    [
      ['https://cobrowse.example.net', undefined],
      ['https://cobrowse.example.net/', undefined],
      ['HTTPS://Cobrowse.example.net:8443', undefined],
      ['http://127.0.0.1:9000', undefined],
      ['http://[::1]:9000', undefined],
      ['https://cobrowse.example.net/v2', /path/],
      ['https://cobrowse.example.net//', /path/],
      ['https://cobrowse.example.net?', /query/],
      ['https://cobrowse.example.net?a=b', /query/],
      ['https://cobrowse.example.net#', /fragment/],
      ['https://user@cobrowse.example.net', /credentials/],
      ['https://:pass@cobrowse.example.net', /credentials/],
      ['https:/cobrowse.example.net', /absolute/],
      ['ftp://cobrowse.example.net', /absolute/],
      ['cobrowse.example.net', /absolute/],
      ['', /absolute/],
      ['https://', /not valid/],
      ['https://host:99999', /not valid/],
      ['https://a b', /white space/],
      [' https://host', /white space/],
      ['https:\\\\host', /backslash/],
      ['https://host/\t', /control/],
    ],
  ],
  [
    'a REST root',
    judgeRoot,
    [
      ['https://cobrowse.example.net/v2', undefined],
      ['https://cobrowse.example.net/a/b/v2/', undefined],
      ['https://cobrowse.example.net/a/../v2', /dot segment/],
      ['https://cobrowse.example.net/%2e%2e/v2', /dot segment/],
      ['https://cobrowse.example.net/v2?api_key=x', /query/],
    ],
  ],
  [
    'a prefix',
    judgePrefix,
    [
      ['/service_cookie_transfer/', undefined],
      ['/a/b/', undefined],
      ['/a%20b/', undefined],
      ['a/', /begin with a slash/],
      ['/a', /segment/],
      ['/', /segment/],
      ['', /begin with a slash/],
      ['//', /segment/],
      ['//a/', /two slashes/],
      ['/a//', /two slashes/],
      ['/../', /dot segment/],
      ['/a/%2E/', /dot segment/],
      ['/a?b/', /no path may hold/],
      ['/a#b/', /no path may hold/],
      ['/a b/', /no path may hold/],
      ['/ä/', /no path may hold/],
      ['/a%2/', /percent/],
    ],
  ],
  [
    'a trusted proxy',
    judgeTrustedProxy,
    [
      ['loopback', undefined],
      ['private', undefined],
      ['10.0.0.0/8', undefined],
      ['10.0.0.1', undefined],
      ['0.0.0.0/0', undefined],
      ['fd00::/8', undefined],
      ['::1/128', undefined],
      ['Loopback', /not an address block/],
      ['10.0.0/8', /not an address block/],
      ['example.com', /not an address block/],
      ['fe80::1%eth0', /not an address block/],
      ['10.0.0.0/33', /0 to 32/],
      ['10.0.0.0/', /0 to 32/],
      ['10.0.0.0/8/8', /0 to 32/],
      ['10.0.0.0/-1', /0 to 32/],
      ['::/129', /0 to 128/],
    ],
  ],
  [
    'a host',
    judgeHost,
    [
      ['127.0.0.1', undefined],
      ['::', undefined],
      ['localhost', undefined],
      ['my_host.internal', undefined],
      ['[::1]', /brackets/],
      ['localhost:80', /port/],
      ['127.0.0.1:80', /port/],
      ['', /not a host/],
      ['a b', /not a host/],
      ['http://host', /not a host/],
    ],
  ],
  [
    'a secret',
    judgeSecretReference,
    [
      ['some key', undefined],
      ['env:WIDGET_KEY', undefined],
      ['file:/run/secrets/key', undefined],
      ['file:key', undefined],
      ['', /empty/],
      ['env:', /variable/],
      ['env:1A', /variable/],
      ['env:A-B', /variable/],
      ['file:', /path/],
    ],
  ],
  [
    'PEM',
    judgePemReference,
    [
      ['file:/etc/ssl/ca.pem', undefined],
      ['env:CA_PEM', undefined],
      ['-----BEGIN CERTIFICATE-----\nMIIB', undefined],
      ['/etc/ssl/ca.pem', /file:/],
      ['', /empty/],
    ],
  ],
]

describe.each(tables)('%s', (_name, judge, rows) => {
  test.each(rows)('%j', (text, reason) => {
    const judged = judge(text)
    if (reason === undefined) expect(judged).toBeUndefined()
    else expect(judged).toMatch(reason)
  })
})
