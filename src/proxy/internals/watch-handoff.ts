import type { Worker } from 'node:cluster'

/**
 * Remembers which connection is on its way from the primary process to a worker. Node forgets it if the worker ends before
 * it has taken it, or refuses it because it has just stopped accepting, as the last one: the connection would stay open,
 * and its client would wait for ever.
 *
 * @returns closes it, once the worker has ended
 */
export function watchHandoff({ process: child }: Worker): () => void {
  // It could not be started.
  if (child.send === undefined) return () => {}
  let pending: { readonly seq: number; readonly connection: { close(): void } } | undefined
  child.send = new Proxy(child.send, {
    apply: (send, self, [message, connection, ...rest]) => {
      if (message?.act === 'newconn') pending = { seq: message.seq, connection }
      return Reflect.apply(send, self, [message, connection, ...rest])
    },
  })
  // It is taken, or another worker gets it, which Node closes in this process once it has it.
  child.on('internalMessage', ({ ack, accepted }) => {
    if (pending === undefined || ack !== pending.seq) return
    const { connection } = pending
    pending = undefined
    if (accepted === false) setTimeout(() => connection.close(), REFUSED_MS).unref()
  })
  return () => pending?.connection.close()
}

/** Enough for all other workers to refuse it too. */
const REFUSED_MS = 1_000
