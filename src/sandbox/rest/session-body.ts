import type { Deliveries } from '../state/deliveries.ts'
import { renderOptions } from '../state/option-values.ts'
import { formatTimestamp } from '../state/schema.ts'
import { isLed, type Session } from '../state/session.ts'
import type { AnswerContext } from './route.ts'

/** A session as in lists, history and single reads (spec 2.3). */
export function toSessionBody(session: Session, context: AnswerContext) {
  return {
    ...toCreatedBody(session, context),
    participant_num: session.participants.length,
    // Known once the leader came, or at the end.
    successful_start: isLed(session) || (session.endMs === undefined ? null : false),
  }
}

/** The create response, which has no `participant_num` and `successful_start` yet. */
export function toCreatedBody(session: Session, { service, root, nowMs }: AnswerContext) {
  const { endMs } = session
  return {
    id: session.id,
    session_id: session.id,
    formatted_id: session.formattedId,
    agent_id: session.agentId ?? null,
    follower_link: toLink(session, root, 'follower'),
    cobro_server_name: service.servers[0]?.id ?? '',
    start_time: formatTimestamp(session.startMs),
    duration: endMs === undefined ? null : durationSeconds(session.startMs, endMs),
    end_time: endMs === undefined ? null : formatTimestamp(endMs),
    queue_id: 1,
    pin: session.pin,
    queued: session.queue !== undefined,
    waiting_time: formatWaitingTime(session, nowMs),
    start_url: session.url,
    meta: '{}',
    tags: session.tags,
    videochat_archive_id: null,
    space: null,
    // "Appears as 0 or empty string in session objects" (spec 2.4).
    options: renderOptions({ ...session.options, widget_key: '' }, service.optionNames),
  }
}

/** A client's session as its reseller sees it (spec 4.2). */
export function toResellerBody(session: Session, context: AnswerContext) {
  const { session_id, agent_id, follower_link, start_time, duration } = toSessionBody(session, context)
  return { session_id, agent_id, follower_link, start_time, duration }
}

/** The link that a participant opens; it leads to the stand-in itself. */
export function toLink({ id }: Session, root: string, role: 'leader' | 'follower'): string {
  return `${root}/session/${id}/${role}`
}

export function durationSeconds(startMs: number, endMs: number): number {
  return Math.floor((endMs - startMs) / 1000)
}

/** `HH:MM:SS`, up to now while the session waits; null if it was never queued. */
function formatWaitingTime({ queue, startMs, endMs }: Session, nowMs: number): string | null {
  if (queue === undefined) return null
  const seconds = Math.max(0, durationSeconds(startMs, queue.leftAtMs ?? endMs ?? nowMs))
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

/** Sends the start of a session to its company's webhooks (spec 6). **Ours:** the body, and that creating it is the start. */
export function announceStart(
  session: Session,
  context: AnswerContext & { readonly deliveries: Deliveries },
): void {
  const { company } = session
  for (const webhook of company.webhooks.values()) {
    const { id: webhook_id, category, enabled } = webhook
    if (!enabled || category !== 'session.started') continue
    context.deliveries.send(webhook, {
      category,
      webhook_id,
      company_id: company.id,
      sent_at: formatTimestamp(context.nowMs),
      session: toSessionBody(session, context),
    })
  }
}
