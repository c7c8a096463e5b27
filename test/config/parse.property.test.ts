import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config/parse.ts'
import { renderProblems } from '../../src/config/problem.ts'

const example = await readFile(new URL('../../config.example.json', import.meta.url), 'utf8')

/** Rendered problems, or nothing when the text is sound; a throw fails the property. */
const report = (text: string): string => {
  const parsed = parseConfig(text, 'config.json')
  return 'problems' in parsed ? renderProblems(parsed.problems) : ''
}

test('any text is a config or a list of problems', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
      const parsed = parseConfig(text, 'config.json')
      expect('config' in parsed || parsed.problems.length > 0).toBe(true)
      expect(report(text)).not.toMatch(/[^\P{Cc}\n]/u)
    }),
  )
})

test('any value in any place of the example is accepted, or refused with its place', () => {
  const keys = [...new Set([...example.matchAll(/[\n{,]\s*"(\w+)":/g)].map(([, key = '']) => key))]
  fc.assert(
    fc.property(fc.constantFrom(...keys), fc.json(), (key, value) => {
      const place = example.indexOf(`"${key}":`)
      const mutated = `${example.slice(0, place)}"${key}": ${value}, "x-rest${example.slice(place + 1 + key.length)}`
      expect(report(mutated)).toMatch(/^config\.json:\d+:\d+ \//)
    }),
  )
})

const secret = 'Kq7-zz-secret-zz-7qK'

/** Every place where a secret may be, with a secret in it. */
const withSecrets = example
  .replace('"env:WIDGET_KEY"', `"${secret}"`)
  .replace('"file:/run/secrets/api_key"', `"${secret}"`)
  .replace('"env:UK_WIDGET_KEY"', `"${secret}"`)
  .replace('"file:/etc/ssl/private-ca.pem"', `"-----BEGIN ${secret}"`)
  .replace('"tls": null', `"tls": {"cert": "-----BEGIN ${secret}", "key": "-----BEGIN ${secret}"}`)

test('no secret shows, whatever else is wrong with the file', () => {
  expect(withSecrets.split(secret).length - 1).toBe(6)
  expect(report(withSecrets)).toBe('')
  const faults = [' ', ',', '{', '}', '[', ']', ':', '"', '\\', 'null', '0', '\n', '"x": 1,']
  fc.assert(
    fc.property(fc.nat(withSecrets.length), fc.nat(3), fc.constantFrom(...faults), (start, count, fault) => {
      const mutated = withSecrets.slice(0, start) + fault + withSecrets.slice(start + count)
      expect(report(mutated)).not.toContain('zz-secret-zz')
    }),
    { numRuns: 1000 },
  )
})
