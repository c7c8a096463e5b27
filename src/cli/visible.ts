/** A text from outside as the terminal may show it: characters that steer a terminal or reorder a line become U+FFFD. */
export function toVisible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd')
}
