import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { Secret } from '../../src/config/secret.ts'

const secret = new Secret('the-key')

it.each([
  ['JSON', () => JSON.stringify({ key: secret })],
  ['a template', () => `${secret}`],
  ['joining', () => ['', secret].join()],
  ['inspect', () => inspect({ key: secret }, { showHidden: true, depth: 9 })],
  ['a spread', () => JSON.stringify({ ...secret })],
  ['its keys', () => Reflect.ownKeys(secret).join()],
  ['an error that has it', () => inspect(new Error('fault', { cause: secret }))],
])('a secret does not show in %s', (_what, show) => {
  expect(show()).not.toContain('the-key')
})

it('gives its text to code that asks for it', () => {
  expect(secret.reveal()).toBe('the-key')
})
