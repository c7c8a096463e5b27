import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer, Delivery } from './reception.ts'

/**
 * Makes a listener for node:http.
 *
 * @param lingerMs how long a refused sender may go on sending
 */
export function toListener(
  answer: (delivery: Delivery) => Promise<Answer>,
  lingerMs: number,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return (incoming, outgoing) => {
    void answer(readDelivery(incoming)).then(({ status, fields, body, afterwards }) => {
      // The sender left, or something else answered; an accepted event is passed on regardless.
      if (outgoing.destroyed || outgoing.headersSent) return afterwards()
      const isOver = new Promise((resolve) => outgoing.once('finish', resolve).once('close', resolve))
      void isOver.then(afterwards)
      outgoing.writeHead(status, fields).end(body)
      discardRest(incoming, lingerMs)
      return undefined
    })
  }
}

/** Discards the rest of a refused body, so that its sender can read the answer; but only for so long. */
function discardRest(incoming: IncomingMessage, lingerMs: number): void {
  incoming.resume()
  if (incoming.complete) return
  const deadline = setTimeout(() => incoming.socket.destroy(), lingerMs)
  const stop = () => clearTimeout(deadline)
  incoming.once('end', stop).once('close', stop)
}

function readDelivery(incoming: IncomingMessage): Delivery {
  const { method = '', url = '', headers } = incoming
  const queryAt = url.indexOf('?')
  return {
    method,
    query: queryAt === -1 ? '' : url.slice(queryAt + 1),
    field: (name) => headers[name]?.toString(),
    // By default leaving the loop early destroys the socket, and with it the answer.
    body: incoming.readableDidRead ? 'taken' : incoming.iterator({ destroyOnReturn: false }),
  }
}
