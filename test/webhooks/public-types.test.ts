import type { RequestListener } from 'node:http'
import type { Context } from 'hono'
import { expectTypeOf, test } from 'vitest'
import type { Session } from '../../src/api/index.ts'
import type {
  DocumentedEvent,
  OtherEvent,
  SeenEvents,
  WebhookError,
  WebhookReceiver,
  WebhookReceiverSettings,
} from '../../src/webhooks/index.ts'

// Checked by the compiler; these lines fail `npm run types`, not the run.

test('events are known by their category', () => {
  expectTypeOf<DocumentedEvent['category']>().toEqualTypeOf<'session.started'>()
  expectTypeOf<DocumentedEvent['session']>().toEqualTypeOf<Session>()
  expectTypeOf<OtherEvent['category']>().toEqualTypeOf<string>()
  expectTypeOf<OtherEvent['anything']>().toEqualTypeOf<unknown>()
})

test('a receiver has the types of the servers that it is for', () => {
  expectTypeOf<WebhookReceiver['listener']>().toExtend<RequestListener>()
  expectTypeOf<Context>().toExtend<Parameters<WebhookReceiver['hono']>[0]>()
  expectTypeOf<WebhookReceiver['fetch']>().toExtend<(request: Request) => Promise<Response>>()
  expectTypeOf<WebhookReceiver['settled']>().returns.resolves.toEqualTypeOf<void>()
})

test('required settings are required by the types', () => {
  expectTypeOf<{
    secret: string
    onEvent: () => void
    onError: () => void
  }>().toExtend<WebhookReceiverSettings>()
  expectTypeOf<{ secret: string; onEvent: () => void }>().not.toExtend<WebhookReceiverSettings>()
  expectTypeOf<{ onEvent: () => void; onError: () => void }>().not.toExtend<WebhookReceiverSettings>()
  expectTypeOf<{ claim: (key: string) => Promise<boolean> }>().toExtend<SeenEvents>()
})

test('an error says what kind it is', () => {
  expectTypeOf<'unknown-event'>().toExtend<WebhookError['kind']>()
  expectTypeOf<WebhookError['status']>().toEqualTypeOf<number | undefined>()
})
