import { toRequestedPath } from '../../../http/requested-path.ts'
import type { Rule } from '../../rule.ts'
import { onScopeFaults } from '../subjects.ts'

export const badPath: Rule = {
  id: 'cookie/bad-path',
  severity: 'error',
  title: 'The path can occur in a request',
  why: 'A browser sends a cookie if its path is a prefix of the request path, byte for byte. Without a leading slash the browser uses a default path instead; a space, a dot segment or a query never occurs in a request path.',
  wrong: '{ "path": "shop", … }',
  right: '{ "path": "/shop", … }',
  fix: 'Write the path as it is in Set-Cookie, starting with a slash.',
  reference: {
    text: 'RFC 6265bis, paths and path-match',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.1.4',
  },
  evaluate: onScopeFaults(
    'path',
    'No browser sends a cookie with this path',
    ({ path }) => `Write "path": "${toNearestPath(path)}"`,
  ),
}

function toNearestPath(path: string): string {
  if (path.trim() === '') return '/'
  const url = new URL(`http://host/${path.replace(/^\/+/, '').replaceAll(';', '%3B')}`)
  return toRequestedPath(url.pathname)
}
