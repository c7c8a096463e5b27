/** A text from the network as a finding may show it: control characters made visible, cut at 200 characters. */
export function toShownText(text: string): string {
  const visible = text.slice(0, SHOWN_CHARACTERS).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd')
  return text.length > SHOWN_CHARACTERS ? `${visible}…` : visible
}

const SHOWN_CHARACTERS = 200
