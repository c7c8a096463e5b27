import { setImmediate } from 'node:timers/promises'
import { openClient, type RawClient } from '../support/raw-client.ts'
import { type RecordingUpstream, type Script, startUpstream } from '../support/recording-upstream.ts'
import { startProxy } from '../support/start-proxy.ts'

/** A service that sends a complete response of so many octets, and closes the connection. */
export function answerOctets(octets: number): Script {
  return (_request, socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${octets}\r\nConnection: close\r\n\r\n`)
    socket.end(Buffer.alloc(octets, 'x'))
  }
}

/**
 * How many octets a response must have so that the proxy reads all of it for a client that reads nothing, and can't send
 * the last of them: a little less than what it reads of a longer one, which is what the kernel holds and a piece more.
 */
export async function octetsWithTail(head: string): Promise<number> {
  const upstream = await startUpstream(answerOctets(64 * 1_048_576), { answerAt: 'head' })
  const proxy = await startProxy(upstream.origin)
  const client = await openClient(proxy.port)
  client.socket.pause()
  client.write(head)
  for (let still = 0, sent = -1; still < 200; ) {
    await setImmediate()
    const now = (upstream.sockets[0]?.bytesWritten ?? 0) - (upstream.sockets[0]?.writableLength ?? 0)
    still = now === sent ? still + 1 : 0
    sent = now
  }
  client.close()
  await proxy.recorded(1)
  await proxy.close()
  await upstream.close()
  return (proxy.records[0]?.responseOctets ?? 0) - 6_000
}

/** Waits until the service's connection is closed: the proxy has the whole response. If it can't buffer it, the client reads a little. */
export async function takenWhole({ sockets }: RecordingUpstream, { socket }: RawClient): Promise<void> {
  for (let still = 0; sockets[0]?.destroyed !== true; still += 1) {
    await setImmediate()
    if (still % 200 !== 199) continue
    socket.resume()
    await setImmediate()
    socket.pause()
  }
}
