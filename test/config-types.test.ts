import { fileURLToPath } from 'node:url'
import { describe, expect, expectTypeOf, it } from 'vitest'
import exampleConfig from '../deploy/examples/config.json' with { type: 'json' }
import { createEdgeApp } from '../src/edge.ts'
import { defineConfig as defineHonoConfig } from '../src/hono.ts'
import { type ConfigInput, createApp, defineConfig, openPoints } from '../src/index.ts'
import { defineConfig as defineNodeConfig } from '../src/node.ts'
import importedConfig from './config/imported-config.json' with { type: 'json' }

// What the compiler says about these calls fails `npm run types`, not the run.

const env = { WIDGET_KEY: 'key' }

describe('a config from a program', () => {
  it('may be imported JSON, in which the compiler sees only strings', async () => {
    expectTypeOf(importedConfig.forward.cookies).toEqualTypeOf<string>()
    expectTypeOf<typeof importedConfig>().not.toExtend<ConfigInput>()
    for (const config of [importedConfig, exampleConfig]) {
      const points = await createApp(config, { env })
      await points.close()
      expect((await createEdgeApp(config, { env })).fetch).toBeTypeOf('function')
    }
  })

  it('has its keys and values checked by defineConfig', async () => {
    expectTypeOf<{ forward: { cookies: 'some' } }>().not.toExtend<Parameters<typeof defineConfig>[0]>()
    expectTypeOf<{ points: number[] }>().not.toExtend<Parameters<typeof openPoints>[0]>()
    expect([defineNodeConfig, defineHonoConfig]).toEqual([defineConfig, defineConfig])
    const config = defineConfig({
      service: { url: 'https://cobrowse.example.net' },
      widgetKey: 'env:WIDGET_KEY',
      points: ['https://www.example.com/service_cookie_transfer/'],
      forward: { cookies: 'all' },
    })
    const points = await openPoints(config, { env })
    await points.close()
  })

  it('may be the path of its file', async () => {
    const file = fileURLToPath(new URL('./config/imported-config.json', import.meta.url))
    const points = await createApp(file, { env })
    await points.close()
    await expect(createApp(file)).rejects.toThrow(/imported-config\.json:\d+:\d+ .*WIDGET_KEY is not set/)
    await expect(createApp('missing.json')).rejects.toThrow(/missing\.json: .*it does not exist/)
  })

  it('is refused at run time if a value is invalid', async () => {
    const config = { ...importedConfig, forward: { cookies: 'some' } }
    await expect(createApp(config, { env })).rejects.toThrow(/config.*\/forward\/cookies: unknown word/)
  })
})
