import { randomBytes } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { contentSecurityPolicy, type Reach } from '../look/document.ts'

type AppContext = Context<{ Bindings: HttpBindings }>

/** Sends a page with the policy that goes with it; nobody stores it. */
export async function sendPage(
  c: AppContext,
  status: 200 | 400 | 403 | 404 | 409 | 410,
  render: (nonce: string) => Promise<string>,
  reach: Reach = {},
): Promise<Response> {
  const nonce = randomBytes(16).toString('base64')
  return c.html(await render(nonce), status, {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': contentSecurityPolicy(nonce, reach),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  })
}
