import { redactUrl } from '../http/redact-url.ts'
import type { Path } from './location.ts'

/**
 * How a message shows a value: a scalar as written, of everything else only the type. A value at the place of a secret is
 * treated as one; the secret parts of a URL are always omitted.
 */
export function redactValue(value: unknown, path: Path): string {
  if (path.some((step) => SECRET_KEYS.has(step)) || isWebhookUrl(path)) return typeName(value)
  if (typeof value === 'string') return quote(redactUrl(value))
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value)
  return typeName(value)
}

/** A text in double quotes, truncated if it is long. */
export function quote(text: string): string {
  return JSON.stringify(text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)
}

function typeName(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function isWebhookUrl(path: Path): boolean {
  return path[0] === 'webhooks' && (path.length <= 2 || path[2] === 'url')
}

const MOST_SHOWN = 60

const SECRET_KEYS: ReadonlySet<string | number> = new Set([
  'widgetKey',
  'apiKey',
  'ca',
  'cert',
  'key',
  'webhook',
])
