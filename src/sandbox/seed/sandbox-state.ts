import { type Fields, valuesOf } from '../../http/fields.ts'
import type { OptionValues } from '../options/option-values.ts'
import type { Account, Settings } from '../state/account.ts'
import { startClock } from '../state/clock.ts'
import { openDeliveries } from '../state/deliveries.ts'
import { openForcedFailures } from '../state/forced-failures.ts'
import type { Random } from '../state/fresh.ts'
import { openRateLimit } from '../state/rate-limit.ts'
import { openRequestLog } from '../state/request-log.ts'
import { findCompany, limitedOptions, mainCompany } from '../state/service.ts'
import { openService } from './open-service.ts'
import type { Seed } from './seed.ts'

/** Everything that the stand-in remembers between requests. */
export type SandboxState = ReturnType<typeof openState>

export interface StateOptions {
  readonly seed: Seed
  readonly callsPerMinute: number
  /** The real time, in milliseconds since the epoch. */
  readonly realMs: () => number
  readonly random: Random
  /** Aborts when the stand-in closes. */
  readonly closing: AbortSignal
  readonly findPage: FindPage
}

/**
 * Finds the page to show of a session that began on the given one, as far as the customer's site is at hand: the stand-in has
 * no browser.
 */
export type FindPage = (startUrl: string) => CustomerPage | undefined

/** A page of the customer's site, as a session would open it. */
export interface CustomerPage {
  readonly url: string
  /** @param cookie value of the Cookie line */
  open(cookie: string): Promise<string>
}

export function openState(options: StateOptions) {
  const { seed, callsPerMinute, realMs, random, closing } = options
  const clock = startClock(realMs)
  return {
    options,
    /** A reset returns to this. */
    seed,
    service: openService(seed, random, clock.nowMs()),
    clock,
    failures: openForcedFailures(API_ROOT),
    requests: openRequestLog(),
    rateLimit: openRateLimit(callsPerMinute),
    deliveries: openDeliveries(closing),
  }
}

/** Everything as it was at the start, the clock included, but with the account as it was set last. */
export function resetState(state: SandboxState): void {
  Object.assign(state, openState({ ...state.options, seed: state.seed }))
}

/** Replaces the account's keys and settings, also after a reset. */
export function replaceAccount(state: SandboxState, account: Account): void {
  state.seed = withAccount(state.seed, account)
  const company = mainCompany(state.service)
  company.rest_key = account.apiKey
  company.widget_key = account.widgetKey
  company.options = { ...account.settings }
}

export function withAccount(seed: Seed, { apiKey, widgetKey, settings }: Account): Seed {
  return { ...seed, apiKey, widgetKey, settings: { ...settings } }
}

/** The account of a request to the continuation end: the one with the given widget key, else the stand-in's own. */
export function accountOf({ service }: SandboxState, fields: Fields): Account {
  const [key] = valuesOf(fields, 'x-widget-key')
  const company = findCompany(service, ({ widget_key }) => key === widget_key) ?? mainCompany(service)
  return {
    widgetKey: company.widget_key,
    apiKey: company.rest_key,
    settings: toSettings(limitedOptions(service, company)),
  }
}

/** The options that continuation reads; the option table guarantees their types. */
export function toSettings(options: OptionValues): Settings {
  return options as OptionValues & Settings
}

/** Where the REST API is, without a last slash. */
export const API_ROOT = '/v2'
