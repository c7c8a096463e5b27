import { IncomingMessage } from 'node:http'
import { hasField, valuesOf } from '../../http/fields.ts'

/**
 * A request that is read by its lines as received. Node makes `headers` of every request, lines joined and lost, only
 * to look for Expect in them (its search for TE is overruled); nobody else asks here, so that is all they hold. It saves one
 * part in fifty of an exchange.
 */
export class BareRequest extends IncomingMessage {}

Object.defineProperty(BareRequest.prototype, 'headers', {
  get(this: BareRequest): IncomingMessage['headers'] {
    const lines = this.rawHeaders
    return hasField(lines, 'expect') ? { expect: valuesOf(lines, 'expect').join(', ') } : {}
  },
})
