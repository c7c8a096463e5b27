import { canParseUrl } from '../http/can-parse-url.ts'

/**
 * The http or https URL that a shown text was most likely meant to be, without credentials, query and fragment.
 * `undefined` when not even a host can be told.
 */
export function toNearestUrl(shown: string): URL | undefined {
  const bare = shown
    .replace('…@', '')
    .replace(/[?#].*$/s, '')
    .replaceAll('\\', '/')
    .trim()
  const text = /^(?:https?:|[a-z][a-z\d+.-]*:\/\/)/i.test(bare) ? bare : `https://${bare}`
  if (!/^https?:/i.test(text) || !canParseUrl(text)) return undefined
  const url = new URL(text)
  if (url.port === '0') url.port = ''
  return url
}
