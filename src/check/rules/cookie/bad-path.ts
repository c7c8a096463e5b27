import { toRequestedPath } from '../../../http/requested-path.ts'
import type { Rule } from '../../rule.ts'
import { onScopeFaults } from './scope-fault.ts'

export const badPath: Rule = {
  id: 'cookie/bad-path',
  severity: 'error',
  title: 'The path is one that requests can have',
  why: 'A cookie is sent when its path is a prefix of the path of the request, octet by octet. Without a leading slash a browser puts its own default path instead; with a space, a dot segment or a query the path never occurs in a request.',
  wrong: '{ "path": "shop", … }',
  right: '{ "path": "/shop", … }',
  fix: 'Write the path as Set-Cookie has it, beginning with a slash.',
  reference: {
    text: 'RFC 6265bis, paths and path-match',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.1.4',
  },
  needs: {},
  phase: 'judge',
  evaluate: onScopeFaults(
    'path',
    'No browser sends a cookie of this path',
    ({ path }) => `Write "path": "${toNearestPath(path)}"`,
  ),
}

function toNearestPath(path: string): string {
  if (path.trim() === '') return '/'
  const url = new URL(`http://host/${path.replace(/^\/+/, '').replaceAll(';', '%3B')}`)
  return toRequestedPath(url.pathname)
}
