import { findNamePrefix } from '../../../site/cookie-prefix.ts'
import type { Rule } from '../../rule.ts'
import { onScopeFaults } from '../subjects.ts'

export const prefixContradiction: Rule = {
  id: 'cookie/prefix-contradiction',
  severity: 'error',
  title: "The attributes keep the promise of the name's prefix",
  why: 'Browsers drop a cookie that breaks the promise in its name, whatever the letter case: __Secure- requires Secure; __Host- requires Secure, no Domain and the path /; __Http- requires Secure and HttpOnly; __Host-Http- requires all of them.',
  wrong: '{ "name": "__Host-sid", "domain": ".example.com", "path": "/" }',
  right: '{ "name": "__Host-sid", "domain": "www.example.com", "path": "/" }',
  fix: "Correct the scope: it can't be what the server sets.",
  reference: {
    text: 'RFC 6265bis, cookie name prefixes',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.3',
  },
  evaluate: onScopeFaults('prefix', 'No browser stores this cookie', ({ name, domain, path }) =>
    toKeptPromise(name, domain, path),
  ),
}

function toKeptPromise(name: string, domain: string, path: string): string {
  const prefix = findNamePrefix(name)
  const wanted = [
    ...(prefix?.bindsHost && domain.startsWith('.') ? [`"domain": "${domain.slice(1)}"`] : []),
    ...(prefix?.bindsHost && path !== '/' ? ['"path": "/"'] : []),
    ...(prefix?.bindsHttp ? ['"httponly": true'] : []),
    '"secure": true',
  ]
  return `Write ${wanted.join(', ')}, if that is what the server sets`
}
