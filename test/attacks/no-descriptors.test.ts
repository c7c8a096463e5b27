/*
 * Every client connection takes a file descriptor, and how many there are is up to the clients. Once none is left, whatever
 * opens a file fails, such as reading how much memory the process has: that must not end it.
 */

import { execFileSync } from 'node:child_process'
import { expect, it, onTestFinished } from 'vitest'
import { startUpstream } from '../support/recording-upstream.ts'
import { request, startServe } from './serve.ts'

it('serve outlasts a time without file descriptors', async () => {
  const service = await startUpstream()
  onTestFinished(() => service.close())
  const serve = await startServe(service.origin, { timeouts: { idle: '1s' } })
  const slow = await serve.ask('GET /')
  setFileLimit(serve.program.child.pid, 10)
  // Within the second after which an incomplete head is refused, the memory is read several times.
  expect((await slow.response()).startLine).toBe('HTTP/1.1 408 Request Timeout')
  setFileLimit(serve.program.child.pid, 1024)
  const visitor = await serve.ask(request('GET', 'other'))
  expect((await visitor.response()).startLine).toBe('HTTP/1.1 200 OK')
  expect(serve.program.stderr()).toBe('')
})

/** Changes the soft limit, so that it can be raised again. */
function setFileLimit(pid: number | undefined, limit: number): void {
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:`])
}
