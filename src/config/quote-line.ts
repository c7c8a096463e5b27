/**
 * The line of a config in which a problem is, and a caret below the place. Values may be secret, so only keys, short numbers
 * and words of JSON are shown; `…` stands for everything else, also in comments and in what is not JSON.
 *
 * @param column of the place, from 1
 * @returns nothing for a line too long to be read
 */
export function quoteLine(line: string, column: number): readonly string[] {
  if (line.length > LONGEST) return []
  let shown = ''
  let caret = 0
  for (const { 0: token, index } of line.matchAll(TOKEN)) {
    if (index < column) caret = shown.length
    const isKey = /^\s*:/.test(line.slice(index + token.length))
    if (token.trim() === '') shown += shown === '' ? '' : ' '
    else shown += (isKey ? KEY : WORD).test(token) ? token : token.startsWith('"') ? '"…"' : '…'
  }
  const from = Math.max(0, caret - MOST_BEFORE)
  const part = shown.slice(from, from + MOST_COLUMNS).trimEnd()
  return part === '' ? [] : [part, `${' '.repeat(caret - from)}^`]
}

const LONGEST = 1000
const MOST_BEFORE = 40
const MOST_COLUMNS = 70

const TOKEN = /"(?:\\.|[^"\\])*"?|[^\s"{}[\],:]+|\s+|./g
const KEY = /^(?:"[A-Za-z]{1,24}"|[{}[\],:])$/
const WORD = /^(?:true|false|null|-?\d{1,5}|[{}[\],:])$/
