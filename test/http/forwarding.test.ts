import { describe, expect, it } from 'vitest'
import { parseForwarding } from '../../src/http/forwarding.ts'

const NOTHING = { host: undefined, scheme: undefined }

describe('parseForwarding', () => {
  it.each([
    [[], NOTHING],
    [['X-Forwarded-Proto', ''], NOTHING],
    [['X-Forwarded-Proto', 'https'], { ...NOTHING, scheme: 'https' }],
    [['X-Forwarded-Proto', 'HTTPS, Http'], { ...NOTHING, scheme: 'http' }],
    [['X-Forwarded-Proto', 'https', 'x-forwarded-proto', 'http'], { ...NOTHING, scheme: 'http' }],
    [['X-Forwarded-Host', 'A.example, B.example'], { ...NOTHING, host: 'B.example' }],
    [['Forwarded', ''], NOTHING],
    [['Forwarded', 'for=192.0.2.1'], NOTHING],
    [['Forwarded', 'proto=https;host=a'], { ...NOTHING, scheme: 'https' }],
    [['Forwarded', 'PROTO="HTTPS"'], { ...NOTHING, scheme: 'https' }],
    [['Forwarded', 'for="[::1]:1";proto=http, for=b;proto=https'], { ...NOTHING, scheme: 'https' }],
    [['Forwarded', 'proto=https, for=b'], NOTHING],
    [['Forwarded', 'for="a,b;proto=http";proto=https'], { ...NOTHING, scheme: 'https' }],
    [['Forwarded', 'for="a\\";proto=http";proto=https'], { ...NOTHING, scheme: 'https' }],
    [['Forwarded', ' proto=https ; by=x '], { ...NOTHING, scheme: 'https' }],
    [['Forwarded', 'proto=https;;by=x;'], { ...NOTHING, scheme: 'https' }],
    [['X-Forwarded-Proto', 'https', 'Forwarded', 'proto=https'], { ...NOTHING, scheme: 'https' }],
    [['X-Forwarded-Host', 'A:1', 'Forwarded', 'host="a:1"'], { ...NOTHING, host: 'A:1' }],
    [
      ['X-Forwarded-Host', 'a', 'Forwarded', 'proto=https;host="A:443"'],
      { ...NOTHING, host: 'a', scheme: 'https' },
    ],
  ])('%j gives %j', (fields, expected) => {
    expect(parseForwarding(fields)).toEqual(expected)
  })

  it.each([
    [['X-Forwarded-Proto', 'ftp']],
    [['X-Forwarded-Proto', 'https;q=1']],
    [['X-Forwarded-Proto', 'http', 'Forwarded', 'proto=https']],
    [['X-Forwarded-Host', 'a', 'Forwarded', 'host=b']],
    [['Forwarded', 'proto=wss']],
    [['Forwarded', 'proto']],
    [['Forwarded', 'proto="https']],
    [['Forwarded', 'pro to=https']],
    [['Forwarded', 'proto=ht tp']],
  ])('%j is contradictory or invalid', (fields) => {
    expect(parseForwarding(fields)).toBeUndefined()
  })
})
