import { describe, expect, it } from 'vitest'
import { HISTORY_WRITINGS } from '../../../src/account/history/history-format.ts'
import type { HistoryItem } from '../../../src/api/index.ts'
import { session } from '../../api/support/samples.ts'

const item: HistoryItem = session
const { csv, ndjson } = HISTORY_WRITINGS

/** Of the start URL, a text that a visitor's page chooses. */
function cellOf(start_url: string): string {
  const line = csv.toLine({ ...item, start_url })
  const plain = csv.toLine({ ...item, start_url: '' })
  const at = [...plain].findIndex((_each, index) => !line.startsWith(plain.slice(0, index + 1)))
  return line.slice(at - 1, line.length - (plain.length - at - 1))
}

describe('csv', () => {
  it('has every documented field, in its head and in each line', () => {
    const names = csv.head.trimEnd().split(',')
    expect([...names].sort()).toEqual(Object.keys(session).sort())
    const ids =
      '"345678912","345678912","345-678-912",,"2024-05-01T08:30:00.123456Z",,,2,true,false,,7,"0042"'
    const urls = '"https://www.example.com/","https://cobrowse.example.net/345-678-912","eu1"'
    const lists = '"[""sales""]","{""name"":""Bo""}",,'
    const options =
      '"{""enable_sounds"":true,""widget_key"":0,""allowlist"":""[]"",""cookie_transfer_urls"":[]}"'
    expect(csv.toLine(item)).toBe(`${[ids, urls, lists, options].join(',')}\r\n`)
  })

  it.each([
    ['plain', '"plain"'],
    ['a"b', '"a""b"'],
    ['a,b;c\r\nd', '"a,b;c\r\nd"'],
    ['=1+1', `"'=1+1"`],
    ['=HYPERLINK("https://evil.example","x")', `"'=HYPERLINK(""https://evil.example"",""x"")"`],
    ['+1', `"'+1"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\t=1', `"'\t=1"`],
    ['\r=1', `"'\r=1"`],
    ['\n=1', `"'\n=1"`],
    ['  =1', `"'  =1"`],
    ['\u00a0=1', `"'\u00a0=1"`],
    ['\uff1d1', `"'\uff1d1"`],
    ['a=1', '"a=1"'],
  ])('writes %j as %s', (text, cell) => {
    expect(cellOf(text)).toBe(cell)
  })

  it('leaves numbers as numbers', () => {
    expect(csv.toLine({ ...item, duration: -1 })).toContain(',-1,')
  })
})

describe('ndjson', () => {
  it('keeps every field unchanged, one session on each line', () => {
    const odd = { ...item, of_tomorrow: 'a\nb\u2028c', start_url: '=1+1' }
    const line = ndjson.toLine(odd)
    expect([ndjson.head, line.indexOf('\n')]).toEqual(['', line.length - 1])
    expect(JSON.parse(line)).toEqual(odd)
  })
})
