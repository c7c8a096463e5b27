import { expect, it } from 'vitest'
import { BUILT, skipsFrameworks } from '../examples/built-frameworks.ts'
import { startExample } from '../examples/start-example.ts'
import { freePort } from '../front-ends/support/real-server.ts'
import { findFailures, KEY, PREFIX, type StartedPoint } from './support/started-point.ts'

/** The examples of deploy/examples, each a process of its own, in front of the suite's service. */
it.each(['node-http', 'connect', 'express', 'fastify', 'koa', 'hono'])(
  'in an app on %s, only what the app’s own server decides is different',
  judgeExample,
  60_000,
)

it.skipIf(skipsFrameworks).each(Object.keys(BUILT))(
  'in an app on %s, built in FRAMEWORKS, only what the app’s own server decides is different',
  judgeExample,
  60_000,
)

async function judgeExample(name: string): Promise<void> {
  const start = async (serviceUrl: string): Promise<StartedPoint> => {
    const port = await freePort()
    const url = `http://www.shop.localhost:${port}${PREFIX}`
    const config = { service: { url: serviceUrl }, widgetKey: 'env:WIDGET_KEY', points: [url] }
    const example = await startExample(name, config, { PORT: String(port), WIDGET_KEY: KEY })
    return {
      url,
      close: async () => {
        expect(await example.stop(), example.program.stderr()).toBe(0)
      },
    }
  }
  expect(await findFailures(start)).toEqual(LEFT_TO_THE_APP)
}

/** What no point owns, or can't be told to own, goes on to the site, and nothing of it reaches the service. */
const LEFT_TO_THE_APP = [
  'fields/drops-x-forwarded-host',
  'target/dot-segment',
  'target/encoded-nul',
  'target/refused-as-invalid',
]
