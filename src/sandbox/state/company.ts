import type { OptionValues } from '../options/option-values.ts'
import type { Session } from './session.ts'

/** A customer of the service: the account itself, or a client of a reseller. */
export interface Company {
  readonly id: number
  readonly clientKey: string
  name: string
  plan: string
  restKey: string
  widgetKey: string
  /** In place of `all` in old paths of clients; absent: no reseller. */
  readonly resellerKey: string | undefined
  /** The reseller's company, when this is a client. */
  readonly resellerId: number | undefined
  /** The maximum number of agents. */
  readonly agentLimit: number
  /** Comma-separated patterns. */
  domains: string
  /** What differs from the defaults. */
  options: OptionValues
  readonly agents: Map<number, Agent>
  /** By `id`, the oldest first. */
  readonly sessions: Map<string, Session>
  readonly webhooks: Map<number, Webhook>
}

export type AgentRole = 'admin' | 'manager' | 'agent'

export interface Agent {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly role: AgentRole
  readonly isAvailable: boolean
  readonly isOnline: boolean
  readonly lastLoginMs: number
  /** The one active access token, once one was generated. */
  readonly token?: { readonly text: string; readonly expiresAtMs: number }
}

/** Under the service's own names (spec 2.7). */
export interface Webhook {
  readonly id: number
  readonly url: string
  readonly category: string
  readonly enabled: boolean
  readonly ssl_verification: boolean
}
