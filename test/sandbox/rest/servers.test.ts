import { afterAll, describe, expect, it } from 'vitest'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { callsOf } from '../support/call.ts'

const servers = [{ id: 'own', region: 'test', description: 'Own', ips: '192.0.2.1' }]
const sandbox = await startSandbox()
const seeded = await startSandbox({ seed: { servers } })
afterAll(() => Promise.all([sandbox.close(), seeded.close()]))

describe('servers', () => {
  it.each([null, 'unknown'])('are listed with the key %s, since none is needed', async (key) => {
    const { status, json } = await callsOf(sandbox.url)('GET /servers/', { key })
    expect(status).toBe(200)
    expect(json.length).toBeGreaterThan(0)
    for (const server of json) {
      expect(server).toEqual({
        id: expect.any(String),
        region: expect.any(String),
        description: expect.any(String),
        ips: expect.any(String),
      })
    }
  })

  it('are those of the seed, the first of which serves the sessions', async () => {
    const call = callsOf(seeded.url)
    expect((await call('GET /servers/', { key: null })).json).toEqual(servers)
    const created = await call('POST /sessions/', { body: { url: 'https://www.example.com/' } })
    expect(created.json.cobro_server_name).toBe('own')
  })
})
