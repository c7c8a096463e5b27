import { execFileSync } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listening, startProgram } from '../support/program.ts'
import { openServed } from '../support/served.ts'

describe('signals to serve', () => {
  it('before it listens: no signal ends it, and SIGHUP loads the config again', async () => {
    const { folder, file, write } = await openServed()
    const key = join(folder, 'key')
    execFileSync('mkfifo', [key])
    await write({ widgetKey: `file:${key}` })
    const program = startProgram(['serve', '--config', file])
    // Opens once the program reads the key.
    const pipe = await open(key, 'w')
    for (const signal of ['SIGHUP', 'SIGUSR1'] as const) program.signal(signal)
    await pipe.writeFile('a-key')
    await pipe.close()
    // By then the first reader has closed it.
    await listening(program)
    const again = await open(key, 'w')
    await again.writeFile('another-key')
    await again.close()
    await program.printed(/"msg":"config reloaded"/)
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(0)
    expect(program.stderr()).toBe('')
  })

  it('SIGUSR1 opens no debugger', async () => {
    const { program } = await (await openServed()).start()
    program.signal('SIGUSR1')
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(0)
    // Node would say where its debugger listens.
    expect(program.stderr()).toBe('')
  })
})
