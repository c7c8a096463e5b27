import type { Rule } from '../../rule.ts'
import { onScopeFaults } from './scope-fault.ts'

export const badName: Rule = {
  id: 'cookie/bad-name',
  severity: 'error',
  title: 'The name is a token',
  why: 'A cookie name is a token of RFC 9110. Browsers, servers and proxies disagree about every other name, and many drop the cookie.',
  wrong: '{ "name": "my cookie", … }',
  right: '{ "name": "my_cookie", … }',
  fix: 'Write the name exactly as Set-Cookie has it.',
  reference: {
    text: 'RFC 6265bis, Set-Cookie syntax',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.1',
  },
  needs: {},
  phase: 'judge',
  evaluate: onScopeFaults(
    'name',
    'No browser and server agree on this name',
    () => "Write the name as Set-Cookie has it: letters, digits and !#$%&'*+-.^_`|~",
  ),
}
