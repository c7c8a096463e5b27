/** What the check uses of a page's HTML. Tags in comments, or in elements whose content is text, are left out. */
export type PageMarkup = ReturnType<typeof readMarkup>

/** By lower-case name; character references for quotes and ampersands are decoded. */
type Attributes = ReadonlyMap<string, string>

export interface ScriptElement {
  readonly attributes: Attributes
  readonly text: string
}

/** Reads HTML in one pass, which takes linear time even for hostile input. An element left open at the end is ignored. */
export function readMarkup(html: string) {
  const metas: Attributes[] = []
  const scripts: ScriptElement[] = []
  const kept: string[] = []
  let keptFrom = 0
  let at = html.indexOf('<')
  while (at !== -1) {
    if (html.startsWith('<!--', at)) {
      kept.push(html.slice(keptFrom, at))
      const end = html.indexOf('-->', at + 4)
      keptFrom = end === -1 ? html.length : end + 3
      at = end === -1 ? -1 : html.indexOf('<', keptFrom)
      continue
    }
    const tag = readTag(html, at)
    if (tag?.name === 'meta') metas.push(tag.attributes)
    const isText = tag !== undefined && TEXT_ELEMENT.test(tag.name)
    const end = isText ? findEndTag(html, tag) : (tag?.end ?? at + 1)
    if (end === undefined) break
    if (tag?.name === 'script') scripts.push({ attributes: tag.attributes, text: html.slice(tag.end, end) })
    at = html.indexOf('<', end)
  }
  /** `uncommented`: the HTML without its comments. */
  return { metas, scripts, uncommented: [...kept, html.slice(keptFrom)].join('') }
}

/** `end`: the index after its `>`. */
function readTag(html: string, at: number) {
  TAG_NAME.lastIndex = at + 1
  const name = TAG_NAME.exec(html)?.[0]?.toLowerCase()
  if (name === undefined) return undefined
  const attributes = new Map<string, string>()
  let end = TAG_NAME.lastIndex
  for (;;) {
    ATTRIBUTE.lastIndex = end
    const found = ATTRIBUTE.exec(html)
    if (found === null) break
    end = ATTRIBUTE.lastIndex
    const [, key = '', double, single, bare = ''] = found
    // HTML Standard: of two attributes with the same name the first counts.
    const lowerKey = key.toLowerCase()
    if (!attributes.has(lowerKey)) attributes.set(lowerKey, decode(double ?? single ?? bare))
  }
  TAG_END.lastIndex = end
  TAG_END.exec(html)
  return { name, attributes, end: TAG_END.lastIndex }
}

function findEndTag(
  html: string,
  { name, end }: NonNullable<ReturnType<typeof readTag>>,
): number | undefined {
  const pattern = new RegExp(`</${name}[\\s/>]`, 'gi')
  pattern.lastIndex = end
  return pattern.exec(html)?.index
}

function decode(text: string): string {
  return text
    .replace(/&(?:#39|#x27|apos);/gi, "'")
    .replace(/&quot;/gi, '"')
    .replace(/&amp;/gi, '&')
}

/** Elements whose content is text to a browser that runs scripts, or is not shown. */
const TEXT_ELEMENT = /^(?:script|style|textarea|title|noscript|template|iframe|xmp)$/

const TAG_NAME = /[a-z][a-z\d-]*/iy
const ATTRIBUTE = /[\s/]*([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']*)))?/y
const TAG_END = /[\s/]*>?/y
