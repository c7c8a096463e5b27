import type { Answer, Delivery } from './reception.ts'
import { WebhookError } from './webhook-error.ts'

/** The part of a Worker's context that is used. */
export interface FetchContext {
  /** Keeps the runtime alive until the promise is settled. */
  waitUntil(work: Promise<unknown>): void
}

/** The part of Hono's context that is used. */
export interface HonoContext {
  readonly req: { readonly raw: Request }
  /** Hono's getter throws if the runtime has none. */
  readonly executionCtx?: FetchContext
}

/**
 * Answers over `fetch`. The work starts in a later turn of the event loop, after the answer was returned.
 *
 * @param report called if `waitUntil` fails; the event is answered and passed on regardless
 */
export async function answerFetch(
  answer: (delivery: Delivery) => Promise<Answer>,
  request: Request,
  context: FetchContext | undefined,
  report: (error: WebhookError) => unknown,
): Promise<Response> {
  const { status, fields, body, afterwards } = await answer(readDelivery(request))
  const work = new Promise<void>((resolve) => {
    setTimeout(() => resolve(afterwards()), 0)
  })
  const keepAlive = async () => context?.waitUntil(work)
  keepAlive().catch((cause: unknown) => report(new WebhookError('wait-until', { cause })))
  return new Response(body === '' ? null : body, { status, headers: fields })
}

export function findFetchContext(context: HonoContext): FetchContext | undefined {
  try {
    return context.executionCtx
  } catch {
    return undefined
  }
}

function readDelivery(request: Request): Delivery {
  return {
    method: request.method,
    query: new URL(request.url).search.slice(1),
    field: (name) => request.headers.get(name) ?? undefined,
    body: request.bodyUsed || request.body?.locked ? 'taken' : (request.body ?? nothing()),
  }
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}
