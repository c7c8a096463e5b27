import type { Parcel } from '../deliveries.ts'
import type { Company } from '../state/company.ts'
import type { Service } from '../state/service.ts'
import type { Session } from '../state/session.ts'
import { toTimestamp } from '../state/timestamp.ts'
import { toSessionBody, toWording } from './session-body.ts'

/**
 * The events for the company's enabled webhooks when a session has started (spec 6). **Ours:** their body, and that a session
 * starts when it is created.
 */
export function announceStart(
  service: Service,
  company: Company,
  session: Session,
  root: string,
  nowMs: number,
): readonly Parcel[] {
  return [...company.webhooks.values()]
    .filter(({ category, isEnabled }) => isEnabled && category === 'session.started')
    .map(({ id, url, category, verifiesTls }) => ({
      webhookId: id,
      url,
      verifiesTls,
      body: {
        category,
        webhook_id: id,
        company_id: company.id,
        sent_at: toTimestamp(nowMs),
        session: toSessionBody(session, toWording(service, root), nowMs),
      },
    }))
}
