import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** A folder for the tests of the file or group that asks for it. */
export function openFolder(): string {
  const folder = makeFolder()
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A folder for the test that asks for it. */
export function openFolderOfTest(): string {
  const folder = makeFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'continuation-point-'))
}
