import { execFileSync } from 'node:child_process'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openFolderOfTest } from '../support/folder.ts'
import { listening, startProgram } from '../support/program.ts'
import { serveConfig } from '../support/serve-config.ts'

let folder: string
beforeEach(() => {
  folder = openFolderOfTest()
})

const SERVICE = 'http://127.0.0.1:9'

describe.each([1, 2])('signals to serve with workers: %i', (workers) => {
  it('before it listens: no signal ends it, and SIGHUP loads the config again', async () => {
    const key = join(folder, 'key')
    execFileSync('mkfifo', [key])
    const config = join(folder, 'config.json')
    await writeFile(config, serveConfig(SERVICE, { workers, widgetKey: `file:${key}` }))
    const program = startProgram(['serve', '--config', config])
    // Opens once the program reads the key.
    const pipe = await open(key, 'w')
    for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) program.signal(signal)
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

  it('SIGUSR1 opens no debugger, in the main process and in each worker', async () => {
    const config = join(folder, 'config.json')
    await writeFile(config, serveConfig(SERVICE, { workers }))
    const program = startProgram(['serve', '--config', config])
    await listening(program)
    const pid = program.child.pid ?? 0
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
    const workerIds = children.trim().split(' ').filter(Boolean).map(Number)
    expect(workerIds).toHaveLength(workers === 1 ? 0 : workers)
    for (const id of [pid, ...workerIds]) process.kill(id, 'SIGUSR1')
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(0)
    // Node would say where its debugger listens.
    expect(program.stderr()).toBe('')
  })
})
