import { expect, it } from 'vitest'
import { showProgress } from '../../src/cli/io.ts'

it.each([
  ['a terminal', 80, '\r\u001b[Ka: dns\r\u001b[Ka: tls\r\u001b[K'],
  ['a narrow terminal', 5, '\r\u001b[Ka: d\r\u001b[Ka: t\r\u001b[K'],
  ['a log', undefined, ''],
])('shows %s', (_what, stderrColumns, expected) => {
  const written: string[] = []
  const output = { stderrColumns, stderr: (text: string) => void written.push(text) }
  for (const text of ['a: dns', 'a: tls', '']) showProgress(text, output)
  expect(written.join('')).toBe(expected)
})
