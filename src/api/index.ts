export { Secret } from '../config/secret.ts'
export type {
  Agent,
  AgentRole,
  Agents,
  AgentToken,
  AgentUpdate,
  Confirmation,
  CreatedAgent,
  NewAgent,
  TokenRequest,
  UpdatedAgent,
} from './agents.ts'
export { type Budget, openBudget } from './budget.ts'
export { type ApiClient, createClient } from './client.ts'
export type {
  Client,
  ClientDomains,
  ClientFields,
  Clients,
  ClientUpdate,
  CreatedClient,
  NewClient,
  UpdatedClient,
} from './clients.ts'
export { ApiError, type ApiErrorKind, type FieldErrors } from './errors.ts'
export type { History, HistoryFilter, HistoryItem, HistoryPage } from './history.ts'
export type { Options } from './options.ts'
export type { PageLinks, PagingOptions } from './paging.ts'
export type { CallOptions } from './request.ts'
export type { Screenshot, ScreenshotGeneration, ScreenshotSettings, Screenshots } from './screenshots.ts'
export type { ClientSettings } from './send.ts'
export type { Server, Servers } from './servers.ts'
export {
  type CookieTransferScope,
  type GivenOptions,
  type OptionsA,
  type OptionsB,
  type SessionOptions,
  toNamingSet,
} from './session-options.ts'
export type {
  ClientSession,
  ClientSessionFilter,
  CreatedSession,
  NewSession,
  Session,
  SessionFilter,
  Sessions,
} from './sessions.ts'
export type { Clock, Fetch, FetchAnswer, FetchInit } from './transport.ts'
export type { Webhook, WebhookFields, WebhookPage, Webhooks } from './webhooks.ts'
