import * as v from 'valibot'
import { boolean, filledText, oneOf, text, webUrl } from '../shape/scalars.ts'
import { listOf, objectOf, optional } from '../shape/shape.ts'

const cookieValue = v.pipe(
  text,
  v.regex(
    /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/,
    'must be a cookie value: printable ASCII without space, quote, comma, semicolon and backslash',
  ),
)

/** The body with which the widget stand-in begins a session. */
export const sessionStartMembers = {
  /** As in the widget code. */
  widgetKey: filledText,
  pageUrl: webUrl,
  skip_queue: optional(boolean),
  options: objectOf({ cookie_transfer_proxying: boolean, enable_cookie_backtransfer: boolean }),
  cookies: listOf(objectOf({ name: filledText, value: text })),
  entries: listOf(
    objectOf({ kind: oneOf('localStorage', 'sessionStorage', 'form field'), name: text, value: text }),
  ),
  steps: listOf(objectOf({ label: filledText, cookie: filledText, value: cookieValue })),
} as const
