import { createRequire } from 'node:module'
import { Client } from 'undici'
import { expect, it } from 'vitest'
import { findClient, loadClient } from '../../../src/proxy/internals/undici-client.ts'

const ownRequire = createRequire(import.meta.url)

it('the Client is that of undici', () => {
  expect(loadClient()).toBe(Client)
})

it('is loaded without the rest of undici', () => {
  const asked: string[] = []
  findClient((name) => {
    asked.push(name)
    return ownRequire(name)
  })
  expect(asked).toEqual(['undici/lib/dispatcher/client.js', 'undici/lib/llhttp/llhttp_simd-wasm.js'])
})

it('is found where undici keeps its files elsewhere', () => {
  const found = findClient((name) => {
    return ownRequire(name === 'undici' ? name : 'undici/lib/elsewhere.js')
  })
  expect(found).toBe(Client)
})

it('is not searched elsewhere if its file can’t be read', () => {
  const unreadable = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
  const asked: string[] = []
  const find = () =>
    findClient((name) => {
      asked.push(name)
      throw unreadable
    })
  expect(find).toThrow(unreadable)
  expect(asked).toHaveLength(1)
})
