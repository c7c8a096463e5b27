import * as v from 'valibot'
import {
  boolean,
  filledText,
  listOf,
  objectOf,
  oneOf,
  optional,
  text,
  type ValuesOf,
  webUrl,
} from '../schema/schema.ts'

const cookieValue = v.pipe(
  text,
  v.regex(
    /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/,
    'must be a cookie value: printable ASCII without space, quote, comma, semicolon and backslash',
  ),
)

/** The body with which the widget stand-in starts a session. */
export const sessionStartMembers = {
  /** As in the widget code. */
  widgetKey: filledText,
  pageUrl: webUrl,
  skip_queue: optional(boolean),
  /** Of this session alone: the page can only switch off what the account has on. */
  options: objectOf({ cookie_transfer_proxying: boolean, enable_cookie_backtransfer: boolean }),
  /** Each cookie that the page's script reads. */
  cookies: listOf(objectOf({ name: filledText, value: text })),
  /** What the widget reads besides cookies. */
  entries: listOf(
    objectOf({ kind: oneOf('localStorage', 'sessionStorage', 'form field'), name: text, value: text }),
  ),
  /** Changes of cookies in the session. The page defines them, since the stand-in has no co-browsing. */
  steps: listOf(objectOf({ label: filledText, cookie: filledText, value: cookieValue })),
} as const

/** What the widget sends to start a session. */
export type VisitStart = Omit<ValuesOf<typeof sessionStartMembers>, 'widgetKey'>
