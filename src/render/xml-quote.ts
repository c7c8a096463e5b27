/** Quotes the value of an XML attribute, XML 1.0 section 2.4; the result stands between double quotes. */
export function quoteXml(text: string): string {
  return `"${text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)}"`
}
