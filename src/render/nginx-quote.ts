/**
 * Quotes one word of an nginx configuration, if it needs quotes. Inside double quotes a backslash keeps itself and the
 * quote literal; `\t`, `\r` and `\n` would be read as control characters, so every backslash is doubled. A dollar sign
 * can't be quoted at all: the text must not stand where nginx looks for variables, unless it is known to hold none.
 */
export function quoteNginx(text: string): string {
  if (/^[A-Za-z0-9/_.:-]+$/.test(text)) return text
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
