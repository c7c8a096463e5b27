import fc from 'fast-check'
import { expect, it } from 'vitest'
import { adoptFrontEnd } from '../../../src/front-ends/adopt.ts'
import { toFirstConfig } from '../../../src/setup/first-config.ts'

const PREFIX = '/service_cookie_transfer/'

/** What people and programs write as a name, an address, a path or a field, right and wrong. */
const word = fc.constantFrom(
  ...['', '/a', '^(/a|/b)?', '/../x', '/%zz', '/'].map((start) => `${start}${PREFIX}`),
  ...`/a${PREFIX}* foo:bar https://s.example http://s.example:99999 https://u:p@s.example/x`.split(' '),
  ...`s.example:443 null $host https://$host {env.K} {env.1} \${x} %{K}e "K\\"" \`K\``.split(' '),
  ...'www.example.com *.example.com a..b com . _ [::1]:80 *:443 443 99999 unix:/x 0'.split(' '),
  ...['"two words"', "'K'", '\n', ...'{};"#\\>,', '<<E'],
)

const text = fc.oneof(
  fc.tuple(word, word, word, word, word, word, word).map(
    ([listen, name, path, target, key, origin, host]) => `server { listen ${listen}; server_name ${name};
  location ${path} { proxy_pass ${target}; proxy_set_header X-Widget-Key ${key};
    proxy_set_header X-Continuation-Origin ${origin}; proxy_set_header Host ${host}; } }`,
  ),
  fc.tuple(word, word, word, word, word, word, word).map(
    ([listen, name, path, target, key, origin, host]) => `<VirtualHost ${listen}>
ServerName ${name}
ProxyPass ${path} ${target}
RequestHeader set X-Widget-Key ${key}
RequestHeader set X-Continuation-Origin ${origin}
RequestHeader set Host ${host}
</VirtualHost>`,
  ),
  fc.tuple(word, word, word, word, word, word).map(
    ([name, path, target, key, origin, host]) => `${name} {
  reverse_proxy ${path} ${target} {
    header_up X-Widget-Key ${key}
    header_up X-Continuation-Origin ${origin}
    header_up Host ${host}
  }
}`,
  ),
)

it('any text is rejected, or makes a first config, or gives a reason why not', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (texts) => {
      const adopted = adoptFrontEnd(texts.join('\n'), PREFIX)
      if (typeof adopted === 'string') return
      const made = toFirstConfig({
        pages: adopted.origins.map((origin) => `${origin}/`),
        points: adopted.points,
        scopes: [],
        serviceUrl: adopted.service ?? 'https://cobrowse.example.net',
        prefix: PREFIX,
      })
      expect(typeof made === 'string' ? made : made.text).not.toBe('')
    }),
    { numRuns: 500 },
  )
})

it('an origin that is not http or https is not adopted', () => {
  const site = `server { server_name www.example.com; location ${PREFIX} { proxy_pass http://127.0.0.1:1;
    proxy_set_header X-Continuation-Origin foo:bar; } }`
  expect(adoptFrontEnd(site, PREFIX)).toMatchObject({ origins: ['http://www.example.com'] })
})
