/**
 * The requests that one address may send (spec 8): at most 100 in a minute. The service counts by address, so clients that
 * share an address should share a budget.
 */
export interface Budget {
  /** Milliseconds until the next request may be sent; 0 for now. */
  waitMs(nowMs: number): number
  /** Counts a request, sent after the wait that `waitMs` gave. */
  take(nowMs: number): void
  /** Counts it from its answer on instead: it may have arrived at any time before. */
  answered?(takenMs: number, nowMs: number): void
}

/**
 * Opens a budget of 100 requests a minute, whenever the service starts its minute.
 *
 * @example
 * import { createClient, openBudget } from 'continuation-point/api'
 *
 * const [baseUrl, budget] = ['https://cobrowse.example.net/v2', openBudget()]
 * const shop = createClient({ baseUrl, apiKey: process.env.API_KEY, budget })
 * const bank = createClient({ baseUrl, apiKey: process.env.BANK_API_KEY, budget })
 */
export function openBudget(): Budget {
  const turnsMs: number[] = []
  const nextTurnMs = (nowMs: number): number => {
    const oldestMs = turnsMs.length < REQUESTS_PER_WINDOW ? undefined : turnsMs[0]
    return oldestMs === undefined ? nowMs : Math.max(nowMs, oldestMs + WINDOW_MS)
  }
  return {
    waitMs: (nowMs) => nextTurnMs(nowMs) - nowMs,
    take: (nowMs) => {
      turnsMs.push(nextTurnMs(nowMs))
      if (turnsMs.length > REQUESTS_PER_WINDOW) turnsMs.shift()
    },
    answered: (takenMs, nowMs) => {
      const index = turnsMs.indexOf(takenMs)
      if (index === -1) return
      turnsMs.splice(index, 1)
      turnsMs.push(nowMs)
    },
  }
}

/** Finds the budget of the service with this root of its REST API. */
export type Budgets = (baseUrl: string) => Budget

/** Opens the budgets of a process: one for each service, shared by all calls. */
export function openBudgets(): Budgets {
  const byOrigin = new Map<string, Budget>()
  return (baseUrl) => {
    const { origin } = new URL(baseUrl)
    const budget = byOrigin.get(origin) ?? openBudget()
    byOrigin.set(origin, budget)
    return budget
  }
}

const REQUESTS_PER_WINDOW = 100

/** A minute, and two seconds by which a request that has no answer yet may arrive later than the next. */
const WINDOW_MS = 62_000
