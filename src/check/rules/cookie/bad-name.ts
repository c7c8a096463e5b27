import type { Rule } from '../../rule.ts'
import { onScopeFaults } from '../subjects.ts'

export const badName: Rule = {
  id: 'cookie/bad-name',
  severity: 'error',
  title: 'The name is a token',
  why: 'A cookie name is a token as defined in RFC 9110. Browsers, servers and proxies disagree about any other name, and many drop the cookie.',
  wrong: '{ "name": "my cookie", … }',
  right: '{ "name": "my_cookie", … }',
  fix: 'Write the name exactly as it is in Set-Cookie.',
  reference: {
    text: 'RFC 6265bis, Set-Cookie syntax',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.1',
  },
  evaluate: onScopeFaults(
    'name',
    'Browsers and servers disagree about this name',
    () => "Write the name as it is in Set-Cookie: letters, digits and !#$%&'*+-.^_`|~",
  ),
}
