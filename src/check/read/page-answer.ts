import { listMembers, valuesOf } from '../../http/fields.ts'
import type { Reply } from '../../probe/probe.ts'
import { toReplyText } from './reply-text.ts'

/** What a page of the site answers to a GET; no script of it is run. */
export type PageAnswer =
  | {
      readonly kind: 'answer'
      readonly status: number
      /** Its content security policies, of the field and of the markup, each as it stands there. */
      readonly policies: readonly string[]
      /** The Set-Cookie lines without their values. */
      readonly cookies: readonly string[]
    }
  /** `why`: a clause. `isTold`: whether that says something of the page, and not of the way there. */
  | { readonly kind: 'none'; readonly why: string; readonly isTold: 'yes' | 'no' }

export function toPageAnswer(reply: Reply): PageAnswer {
  if (reply.kind === 'none') {
    const isTold = reply.cause === 'timeout' || reply.cause === 'unroutable' ? 'no' : 'yes'
    return { kind: 'none', why: toReplyText(reply), isTold }
  }
  const { status, fields, body } = reply
  return {
    kind: 'answer',
    status,
    // Content Security Policy 3, section 2.2: a field is a list of policies.
    policies: [...listMembers(valuesOf(fields, 'content-security-policy')), ...readMetaPolicies(body)],
    cookies: valuesOf(fields, 'set-cookie').map((line) => line.replace(/=[^;]*/, '=')),
  }
}

/** HTML Standard, the state "Content security policy" of http-equiv. */
function readMetaPolicies(body: string): readonly string[] {
  const markup = body.replace(/<!--[\s\S]*?-->/g, '')
  return [...markup.matchAll(/<meta\s[^>]{0,4000}>/gi)].flatMap(([tag]) => {
    if (!/http-equiv\s*=\s*["']?content-security-policy["'\s/>]/i.test(tag)) return []
    const content = /\scontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag)
    return content === null ? [] : [decodeQuotes(content[1] ?? content[2] ?? '')]
  })
}

function decodeQuotes(text: string): string {
  return text.replace(/&(?:#39|#x27|apos);/gi, "'").replace(/&quot;/gi, '"')
}
