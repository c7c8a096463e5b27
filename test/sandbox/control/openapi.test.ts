import { afterAll, describe, expect, it } from 'vitest'
import { routes } from '../../../src/sandbox/rest/routes.ts'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { callsOf } from '../support/call.ts'

const sandbox = await startSandbox()
afterAll(() => sandbox.close())
const description = (await callsOf(sandbox.url)('GET /_sandbox/openapi.json')).json

describe('the description', () => {
  it('is of OpenAPI 3.1 and holds every endpoint', () => {
    expect(description.openapi).toBe('3.1.0')
    const described = Object.entries(description.paths).flatMap(([path, operations]) =>
      Object.keys(operations as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort())
  })

  it('tells of a body what is required, and of a path its parameters', () => {
    const { post } = description.paths['/webhooks/']
    expect(post.requestBody.content['application/json'].schema).toMatchObject({
      properties: { url: { type: 'string', format: 'uri' }, enabled: { type: 'boolean' } },
      required: ['url', 'category', 'enabled', 'ssl_verification'],
      additionalProperties: false,
    })
    expect(Object.keys(post.responses)).toEqual(['201', '400', '401', '413', '415', '429'])
    const { get } = description.paths['/agents/{AGENT_ID}/']
    expect(get.parameters).toEqual([
      { name: 'AGENT_ID', in: 'path', required: true, schema: { type: 'string' } },
    ])
  })

  it('asks for a key wherever the API does', () => {
    for (const { method, path, credential } of routes) {
      const { security } = description.paths[path][method.toLowerCase()]
      expect(security).toEqual(credential === 'none' ? [] : [{ apiKey: [] }])
    }
  })

  it('refers to nothing that it does not hold', () => {
    const references = [...JSON.stringify(description).matchAll(/"\$ref":"#\/components\/responses\/(\d+)"/g)]
    expect(references.length).toBeGreaterThan(0)
    for (const [, status = ''] of references) expect(description.components.responses).toHaveProperty(status)
  })
})
