import { expect, it } from 'vitest'
import { answerOk, answerWith, type Script } from '../support/recording-upstream.ts'
import { expectHealthy, get, openScene, receive, type SceneOptions } from './scene.ts'

/** One fault of a service, and the required outcome. */
export interface Fault extends SceneOptions {
  readonly name: string
  /** Octets of the request; by default a GET. */
  readonly request?: string
  readonly script?: Script
  /** Status and code of the whole answer; `broken` for one that is cut off, after the head of status `status`. */
  readonly status: number | undefined
  readonly code?: string
  readonly end?: 'broken'
  /** Outcome in the record; by default the code. */
  readonly outcome?: string
  /** Requests that reach the service whole; by default 1. */
  readonly seen?: number
}

/** A test for each response of a service that has the same outcome. */
export function itExpects(
  outcome: Omit<Fault, 'name' | 'script'>,
  rows: readonly (readonly [name: string, octets: string])[],
): void {
  it.each(rows.map(([name, octets]) => ({ ...outcome, name, script: answerWith(octets) })))(
    '$name',
    expectFault,
  )
}

/** Plays a fault and expects its outcome at the client, in the record, at the service, and after it. */
export async function expectFault(fault: Fault): Promise<void> {
  const scene = await openScene(fault.script ?? answerOk, fault)
  const request = fault.request ?? get()
  const client = await scene.ask(request)
  const received = await receive(client, request.slice(0, request.indexOf(' ')))
  expect(received).toMatchObject({ status: fault.status, code: fault.code, end: fault.end ?? 'whole' })
  if (request.includes(' HTTP/1.0\r\n') && fault.end === 'broken') expect(await client.ended()).toBe('reset')
  await scene.proxy.recorded(1)
  expect(scene.proxy.records[0]?.outcome).toBe(fault.outcome ?? fault.code)
  expect(scene.seen()).toBe(fault.seen ?? 1)
  await expectHealthy(scene)
}

/** A script that writes octets, and then lets the connection go. */
export function writeThen(octets: string, ending: 'fin' | 'rst'): Script {
  return (_request, socket) => {
    const end = () => void (ending === 'fin' ? socket.end() : socket.resetAndDestroy())
    if (octets === '') end()
    else socket.write(Buffer.from(octets, 'latin1'), end)
  }
}
