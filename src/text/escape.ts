/** Text from outside for one line of a terminal or a log: escaped as by `escapeControls`, and cut if it is long. */
export function toPlainText(text: string): string {
  return escapeControls(cutText(text, MOST_CHARACTERS))
}

export function cutText(text: string, mostCharacters: number): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text
}

/**
 * Makes control, format and bidirectional characters and lone surrogates visible (`\u001b`), so that nothing in a URL or
 * a cookie's name can colour a terminal, start a new line or reverse its direction. An escape stands for one UTF-16
 * code unit, as in JSON, so JSON text stays valid.
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/**
 * Output that may repeat text from outside, without what the runners of GitHub and Azure take for their commands: `::` at the
 * start of a line, after spaces too, and `##[` or `##vso[` anywhere. The escapes are those of JSON.
 */
export function withoutWorkflowCommands(output: string): string {
  return output.replace(/^([^\S\r\n]*):(?=:)/gm, '$1\\u003a').replace(/##(?=\w*\[)/g, '#\\u0023')
}

/** Escapes text for HTML and XML, in content and in quoted attributes. The result is legal XML 1.0, whatever came in. */
export function toMarkup(text: string): string {
  return escapeControls(text).replace(/[&<>"']/g, (character) => REFERENCES.get(character) ?? character)
}

/** The same; a browser breaks lines of a URL or host after a slash or a dot, of another long word after an underscore. */
export function toBreakable(text: string): string {
  return toMarkup(text).replace(/\S{16,}/g, (word) =>
    word.replace(/[/.]/.test(word) ? /(?<=\w)[/.](?=\w)/g : /_(?=\w)/g, '$&<wbr>'),
  )
}

export const CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\ufffe\uffff]/gu

const MOST_CHARACTERS = 1000

const REFERENCES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])
