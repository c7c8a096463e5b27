import type { Account, Settings } from './account.ts'
import { type Clock, startClock } from './control/clock.ts'
import { type ForcedFailures, openForcedFailures } from './control/forced-failures.ts'
import { openRequestLog, type RequestLog } from './control/request-log.ts'
import { type Deliveries, openDeliveries } from './deliveries.ts'
import type { OptionValues } from './options/option-values.ts'
import { openRateLimit, type RateLimit } from './rate-limit.ts'
import { openService } from './seed/open-service.ts'
import type { Seed } from './seed/seed.ts'
import type { Company } from './state/company.ts'
import type { Random } from './state/fresh.ts'
import { findCompany, limitedOptions, mainCompany, type Service } from './state/service.ts'

/** Everything that the stand-in remembers between requests. */
export interface SandboxState {
  /** A reset returns to this. */
  seed: Seed
  service: Service
  readonly clock: Clock
  readonly failures: ForcedFailures
  readonly requests: RequestLog
  /** Absent when it is off. */
  readonly rateLimit: RateLimit | undefined
  readonly deliveries: Deliveries
  readonly random: Random
}

export interface StateOptions {
  readonly seed: Seed
  readonly rateLimit: 'on' | 'off'
  /** The real time, in milliseconds since the epoch. */
  readonly realMs: () => number
  readonly random: Random
}

export function openState({ seed, rateLimit, realMs, random }: StateOptions): SandboxState {
  const clock = startClock(realMs)
  return {
    seed,
    service: openService(seed, random, clock.nowMs()),
    clock,
    failures: openForcedFailures(API_ROOT),
    requests: openRequestLog(),
    rateLimit: rateLimit === 'on' ? openRateLimit(CALLS_PER_MINUTE) : undefined,
    deliveries: openDeliveries(),
    random,
  }
}

/** Everything as it was at the start, the clock included. */
export function resetState(state: SandboxState): void {
  state.clock.reset()
  state.failures.clear()
  state.requests.clear()
  state.rateLimit?.reset()
  state.deliveries.reset()
  state.service = openService(state.seed, state.random, state.clock.nowMs())
}

/** Replaces the account's keys and settings, also after a reset. */
export function replaceAccount(state: SandboxState, account: Account): void {
  state.seed = withAccount(state.seed, account)
  const company = mainCompany(state.service)
  company.restKey = account.apiKey
  company.widgetKey = account.widgetKey
  company.options = { ...account.settings }
}

export function withAccount(seed: Seed, { apiKey, widgetKey, settings }: Account): Seed {
  return { ...seed, apiKey, widgetKey, settings: { ...settings } }
}

/** The account of a request to the continuation end: the one with the given widget key, else the stand-in's own. */
export function accountOf({ service }: SandboxState, arrivedKeys: readonly string[]): Account {
  const company = findByWidgetKey(service, arrivedKeys[0]) ?? mainCompany(service)
  return {
    widgetKey: company.widgetKey,
    apiKey: company.restKey,
    settings: toSettings(limitedOptions(service, company)),
  }
}

export function findByWidgetKey(service: Service, key: string | undefined): Company | undefined {
  return findCompany(service, ({ widgetKey }) => key === widgetKey)
}

/** Every key and token, none of which may be shown. */
export function secretsOf({ service }: SandboxState): readonly string[] {
  return [...service.companies.values()].flatMap((company) => [
    company.restKey,
    company.widgetKey,
    company.clientKey,
    ...(company.resellerKey === undefined ? [] : [company.resellerKey]),
    ...[...company.agents.values()].flatMap(({ token }) => (token === undefined ? [] : [token.text])),
  ])
}

/** The options that continuation reads; the option table guarantees their types. */
export function toSettings(options: OptionValues): Settings {
  return options as OptionValues & Settings
}

/** Where the REST API is, without a last slash. */
export const API_ROOT = '/v2'

const CALLS_PER_MINUTE = 100
