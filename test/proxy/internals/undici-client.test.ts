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
  expect(asked).toEqual(['undici/lib/dispatcher/client.js'])
})

it('is found where undici keeps its files elsewhere', () => {
  const found = findClient((name) => {
    if (name !== 'undici') throw new Error(`Cannot find module '${name}'`)
    return ownRequire(name)
  })
  expect(found).toBe(Client)
})
