import type { Facts } from '../../facts.ts'
import { fail, pass, type Rule, type Ruling } from '../../rule.ts'
import { onSetting } from '../subjects.ts'

export const noneHttponly: Rule = {
  id: 'cookie/none-httponly',
  severity: 'info',
  title: 'An httpOnly cookie is listed',
  why: 'The widget carries cookies that scripts can read by itself. Continuation points are for httpOnly ones; if none is listed, either no point is needed or "httponly" was forgotten.',
  wrong: '{ "name": "sid", …, "httponly": false } alone',
  right: '{ "name": "sid", …, "httponly": true }',
  fix: 'Set "httponly": true on the cookies that are httpOnly, or remove the points.',
  reference: {
    text: 'RFC 6265bis, the HttpOnly attribute',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.2.6',
  },
  needs: { facts: ['cookies'] },
  evaluate: (facts) => [onSetting('cookies', judge(facts), undefined)],
}

function judge({ cookies }: Facts): Ruling {
  if (cookies.some(({ config }) => config.httponly)) return pass
  return fail(
    'No listed cookie is httpOnly: the widget carries the others without a continuation point',
    'Add "httponly": true to the cookies that are set with HttpOnly, if any',
  )
}
