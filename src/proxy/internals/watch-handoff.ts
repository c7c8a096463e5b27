import type { Worker } from 'node:cluster'

/**
 * Remembers which connection is on its way from the primary process to a worker. Node forgets it if the worker ends before
 * it has taken it: the connection would stay open, and its client would wait for ever.
 *
 * @returns closes it, once the worker has ended
 */
export function watchHandoff({ process: child }: Worker): () => void {
  let pending: { readonly seq: number; readonly connection: { close(): void } } | undefined
  child.send = new Proxy(child.send, {
    apply: (send, self, [message, connection, ...rest]) => {
      if (message?.act === 'newconn') pending = { seq: message.seq, connection }
      return Reflect.apply(send, self, [message, connection, ...rest])
    },
  })
  // It is taken, or another worker gets it.
  child.on('internalMessage', ({ ack }) => {
    if (ack !== undefined && ack === pending?.seq) pending = undefined
  })
  return () => pending?.connection.close()
}
