import { escapeControls } from './plain-text.ts'

/** Text as HTML or XML shows it, in content and between double or single quotes; also legal XML 1.0 whatever it held. */
export function toMarkup(text: string): string {
  return escapeControls(text).replace(/[&<>"']/g, (character) => references[character] ?? character)
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
