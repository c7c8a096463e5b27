import { toTimestamp } from '../schema/timestamp.ts'
import type { Company } from '../state/company.ts'
import type { Parcel } from '../state/deliveries.ts'
import type { Session } from '../state/session.ts'
import type { Telling } from './route.ts'
import { toSessionBody } from './session-body.ts'

/**
 * The events for the company's enabled webhooks when a session has started (spec 6). **Ours:** their body, and that a session
 * starts when it is created.
 */
export function announceStart(session: Session, company: Company, telling: Telling): readonly Parcel[] {
  return [...company.webhooks.values()]
    .filter(({ category, enabled }) => enabled && category === 'session.started')
    .map(({ id, url, category, ssl_verification }) => ({
      webhookId: id,
      url,
      verifiesTls: ssl_verification,
      body: {
        category,
        webhook_id: id,
        company_id: company.id,
        sent_at: toTimestamp(telling.nowMs),
        session: toSessionBody(session, telling),
      },
    }))
}
