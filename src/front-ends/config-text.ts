/** A line of a config with the reason for it, in a few words; `false` for none. */
export type Explained = readonly [line: string, reason?: string] | false

/** The reasons stand in a column behind their lines, that of a long line above it. */
export function explain(given: readonly Explained[]): string[] {
  const rows = given.filter((row) => row !== false)
  const isLong = (line: string) => line.length > LONGEST
  const width = Math.max(...rows.map(([line, reason]) => (reason && !isLong(line) ? line.length : 0)))
  return rows.flatMap(([line, reason]) => {
    if (reason === undefined) return [line]
    return isLong(line) ? [`# ${reason}`, line] : [`${line.padEnd(width)}  # ${reason}`]
  })
}

/** The longest line with a reason behind it. */
const LONGEST = 72

/** Indents lines by one level, except empty ones. */
export function indent(lines: readonly string[], level = '  '): string[] {
  return lines.map((line) => (line === '' ? '' : level + line))
}

export function block(head: string, lines: readonly string[], level?: string): string[] {
  return [`${head} {`, ...indent(lines, level), '}']
}

/** Joins groups of lines with an empty line between them. */
export function separate(groups: readonly (readonly string[])[]): string[] {
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, index) => (index === 0 ? group : ['', ...group]))
}

/**
 * Quotes ASCII text for a regular expression of PCRE or RE2: everything but letters, digits, `/`, `:`, `_` and `-` is
 * escaped, a full stop as `\.` and the rest as `\xNN`. The result contains no quote, dollar, brace, space or semicolon,
 * so it is safe in any configuration syntax. Not for POSIX expressions, which have no `\xNN`.
 */
export function quoteRegex(text: string): string {
  return text.replace(/[^A-Za-z0-9/:_-]/g, (character) =>
    character === '.' ? '\\.' : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

/** The same for servers that compare the decoded path, byte by byte: `%C3%A9` becomes `\xc3\xa9`. A percent sign that encodes nothing is kept. */
export function quoteDecodedRegex(path: string): string {
  return path
    .split(/(%[0-9A-Fa-f]{2})/)
    .map((part) => (/^%[0-9A-Fa-f]{2}$/.test(part) ? `\\x${part.slice(1).toLowerCase()}` : quoteRegex(part)))
    .join('')
}

/**
 * Quotes one word of an nginx configuration, if it needs quotes. Inside double quotes a backslash keeps itself and the
 * quote literal; `\t`, `\r` and `\n` would be read as control characters, so every backslash is doubled. A dollar sign
 * can't be quoted: the text must not be used where nginx expands variables, unless it contains none.
 */
export function quoteNginx(text: string): string {
  if (/^[A-Za-z0-9/_.:-]+$/.test(text)) return text
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

/** A duration as nginx, Caddy and HAProxy write it. */
export function toDuration(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`
}
