import type { Company, Session } from './state/company.ts'
import type { Service } from './state/service.ts'
import { closeUnopened, isActive, joinSession } from './state/sessions.ts'

/** Whether the stand-in answers this path as one of the links that its API gives out. */
export function isSessionLink(path: string): boolean {
  return LINK.test(path) || IMAGE.test(path)
}

/**
 * Answers a link of a session: opening the leader's or the follower's joins the session, the address of a screenshot
 * gives an image. **Ours:** there is no co-browsing behind it, and the answer says so.
 */
export function answerSessionLink(method: string, path: string, service: Service, nowMs: number): Response {
  if (method !== 'GET') return text(405, 'A link is opened with GET.', { Allow: 'GET' })
  closeUnopened(service, nowMs)
  const [, linkId, role] = LINK.exec(path) ?? []
  const [, imageId, number] = IMAGE.exec(path) ?? []
  const found = findById(service, linkId ?? imageId)
  if (found === undefined) return text(404, 'There is no such session.')
  const { company, session } = found
  if (number !== undefined) return image(session, number)
  if (!isActive(session)) return text(410, 'The session is over.')
  joinSession(company, session, role === 'leader' ? 'leader' : 'follower', nowMs)
  return text(
    200,
    `The ${role} has joined session ${session.formattedId} of the stand-in. Nothing is shown here.`,
  )
}

function findById(
  { companies }: Service,
  id = '',
): { readonly company: Company; readonly session: Session } | undefined {
  for (const company of companies.values()) {
    const session = company.sessions.get(id)
    if (session !== undefined) return { company, session }
  }
  return undefined
}

function image({ formattedId, screenshots }: Session, number: string): Response {
  if (screenshots === undefined) return text(404, 'There is no such screenshot.')
  const width = screenshots.widthPixels
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" viewBox="0 0 320 180">
  <rect width="320" height="180" fill="#dfe7ec"/>
  <text x="160" y="90" text-anchor="middle" font-family="sans-serif" font-size="14">Stand-in ${formattedId}, image ${number}</text>
</svg>
`
  return new Response(svg, { headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'no-store' } })
}

function text(status: number, line: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${line}\n`, { status, headers: { 'Cache-Control': 'no-store', ...headers } })
}

const LINK = /^\/session\/([0-9a-z]+)\/(leader|follower)$/
const IMAGE = /^\/screenshot\/([0-9a-z]+)\/(\d{1,15})\.svg$/
