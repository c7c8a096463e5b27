import { fail, pass, type Rule } from '../../rule.ts'
import { onReadablePoints } from '../subjects.ts'

export const duplicate: Rule = {
  id: 'url/duplicate',
  severity: 'error',
  title: 'No other point has the same URL',
  why: 'Two entries with the same URL are one point. Letter case in the host, the default port and the spelling of an international name make no difference, so one of the entries is a mistake, often in a host that was meant to differ.',
  wrong:
    'https://www.example.com/service_cookie_transfer/ and https://WWW.example.com:443/service_cookie_transfer/',
  right: 'https://www.example.com/service_cookie_transfer/',
  fix: 'Remove one of the two, or correct its host.',
  reference: { text: 'URL Standard, host parsing', url: 'https://url.spec.whatwg.org/#host-parsing' },
  needs: { rules: ['url/invalid'] },
  evaluate: onReadablePoints(({ duplicateOf, parsed }) =>
    duplicateOf === undefined
      ? pass
      : fail(`Another point has the same URL: ${duplicateOf.shown}`, 'Remove this point', {
          normalised: parsed.url,
          first: duplicateOf.location.pointer,
        }),
  ),
}
