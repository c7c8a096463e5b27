import { cutText, escapeControls } from '../../text/escape.ts'

/** A text from the network as a finding may show it: control characters escaped, cut at 200 characters. */
export function toShownText(text: string): string {
  return escapeControls(cutText(text, SHOWN_CHARACTERS))
}

const SHOWN_CHARACTERS = 200
