import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient, type Fetch } from '../../src/api/index.ts'
import { createTrustingFetch } from '../../src/api/transport-undici.ts'

describe('while Node verifies no certificate, the client sends nothing over TLS', () => {
  const given = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  beforeEach(() => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  })
  afterEach(() => {
    if (given === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = given
  })

  const fetched: string[] = []
  const ownFetch: Fetch = async (url) => {
    fetched.push(url)
    throw new Error('nothing is to be sent')
  }
  it.each<[string, Fetch | undefined]>([
    ['its own fetch', undefined],
    ['the fetch of a private authority', createTrustingFetch('')],
    ['a caller’s fetch', ownFetch],
  ])('with %s', async (_which, fetch) => {
    const client = createClient({ baseUrl: 'https://127.0.0.1:9/v2', apiKey: 'k', fetch, retries: 0 })
    await expect(client.agents.list()).rejects.toMatchObject({
      kind: 'unverified',
      message: expect.stringContaining('NODE_TLS_REJECT_UNAUTHORIZED'),
    })
    expect(fetched).toEqual([])
  })
})
