import { IncomingMessage } from 'node:http'
import { hasField } from '../../http/fields.ts'

/**
 * A request of a listener where nobody reads `headers`: the proxy reads only the raw lines. Node itself asks for them, to
 * see whether there is an expectation (and a Host, unless `requireHostHeader` is off), and would build them for that.
 */
export class UnreadMessage extends IncomingMessage {}

const NONE = Object.freeze({})
const built = Object.getOwnPropertyDescriptor(IncomingMessage.prototype, 'headers')
const build = built?.get
if (build !== undefined)
  Object.defineProperty(UnreadMessage.prototype, 'headers', {
    ...built,
    get(this: UnreadMessage) {
      return hasField(this.rawHeaders, 'expect') ? build.call(this) : NONE
    },
  })
