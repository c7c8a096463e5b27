import { describe, expectTypeOf, test } from 'vitest'
import type {
  Agent,
  AgentRole,
  ApiClient,
  ApiError,
  ClientSettings,
  CreatedSession,
  Fetch,
  HistoryFilter,
  HistoryItem,
  OptionsA,
  OptionsB,
  Secret,
  Session,
  SessionOptions,
  toNamingSet,
  Webhook,
} from '../../src/api/index.ts'

// Checked by the compiler; these lines fail `npm run types`, not the run.

describe('what a call takes and gives', () => {
  test('agents', () => {
    expectTypeOf<Agent['agent_id']>().toEqualTypeOf<number>()
    expectTypeOf<ApiClient['agents']['create']>()
      .returns.resolves.toHaveProperty('agent_id')
      .toEqualTypeOf<string>()
    expectTypeOf<ApiClient['agents']['get']>().parameter(0).toEqualTypeOf<number | string>()
    expectTypeOf<{ email: string }>().not.toExtend<Parameters<ApiClient['agents']['createAccessToken']>[0]>()
    expectTypeOf<{ email: string; name: string }>().toExtend<
      Parameters<ApiClient['agents']['createAccessToken']>[0]
    >()
    expectTypeOf<{ agent_id: number }>().toExtend<Parameters<ApiClient['agents']['createAccessToken']>[0]>()
    expectTypeOf<Agent['role']>().toEqualTypeOf<AgentRole>()
    expectTypeOf<'owner'>().not.toExtend<Parameters<ApiClient['agents']['create']>[0]['role']>()
  })

  test('sessions', () => {
    expectTypeOf<Session['agent_id']>().toEqualTypeOf<number | null>()
    expectTypeOf<Session['duration']>().toEqualTypeOf<number | null>()
    expectTypeOf<Session['successful_start']>().toEqualTypeOf<boolean | null>()
    expectTypeOf<Session['participant_num']>().toEqualTypeOf<number>()
    expectTypeOf<CreatedSession>().not.toHaveProperty('participant_num')
    expectTypeOf<CreatedSession>().not.toHaveProperty('successful_start')
    expectTypeOf<Session['tags']>().toEqualTypeOf<readonly string[]>()
    expectTypeOf<CreatedSession['leader_link']>().toEqualTypeOf<string>()
    expectTypeOf<HistoryItem>().not.toHaveProperty('leader_link')
    expectTypeOf<{ tags: string[] }>().not.toExtend<Parameters<ApiClient['sessions']['create']>[0]>()
    expectTypeOf<{ url: string; ui_off: 'yes' }>().not.toExtend<
      Parameters<ApiClient['sessions']['create']>[0]
    >()
  })

  test('options', () => {
    expectTypeOf<SessionOptions['enable_sounds']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<SessionOptions['sounds_enabled']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<SessionOptions['allowlist']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<SessionOptions['widget_key']>().toEqualTypeOf<string | number | undefined>()
    expectTypeOf<SessionOptions>().not.toHaveProperty('an_option_of_tomorrow')
    expectTypeOf<OptionsA>().not.toHaveProperty('sounds_enabled')
    expectTypeOf<OptionsB>().not.toHaveProperty('enable_sounds')
    expectTypeOf<ReturnType<typeof toNamingSet>>().toExtend<OptionsB>()
    expectTypeOf<ApiClient['options']['reset']>().returns.resolves.toEqualTypeOf<void>()
  })

  test('screenshots', () => {
    expectTypeOf<ApiClient['screenshots']['create']>().returns.resolves.toEqualTypeOf<
      'GENERATION-STARTED' | 'ALREADY-RUNNING' | 'FAILED-INTERNALLY'
    >()
  })

  test('paged lists', () => {
    expectTypeOf<ApiClient['history']['list']>().returns.toExtend<AsyncIterable<HistoryItem>>()
    expectTypeOf<ApiClient['webhooks']['list']>().returns.toExtend<AsyncIterable<Webhook>>()
    expectTypeOf<Webhook['url']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<HistoryFilter['agent_id']>().toEqualTypeOf<number | string | null | undefined>()
    expectTypeOf<HistoryFilter['tags']>().toEqualTypeOf<readonly string[] | null | undefined>()
    expectTypeOf<HistoryFilter['min_date']>().toEqualTypeOf<Date | string | undefined>()
  })
})

test('the client accepts a key in either form, and the platform’s fetch', () => {
  expectTypeOf<ClientSettings['apiKey']>().toEqualTypeOf<Secret | string | undefined>()
  expectTypeOf<typeof globalThis.fetch>().toExtend<Fetch>()
})

test('an error says what kind it is', () => {
  expectTypeOf<'redirect'>().toExtend<ApiError['kind']>()
  expectTypeOf<ApiError['status']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<ApiError['fieldErrors']>().toEqualTypeOf<Readonly<Record<string, readonly string[]>>>()
})
