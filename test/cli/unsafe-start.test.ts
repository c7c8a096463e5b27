import { expect, it } from 'vitest'
import { unsafeStartReason } from '../../src/cli/refuse.ts'

it.each<[Record<string, string>, string[], RegExp | undefined]>([
  [{}, [], undefined],
  [{ NODE_OPTIONS: '--max-old-space-size=64' }, ['--enable-source-maps'], undefined],
  [{ NODE_TLS_REJECT_UNAUTHORIZED: '1' }, [], undefined],
  [{ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, [], /NODE_TLS_REJECT_UNAUTHORIZED=0/],
  [{}, ['--insecure-http-parser'], /--insecure-http-parser/],
  [{}, ['--insecure-http-parser=true'], /--insecure-http-parser/],
  [{}, ['--insecure_http_parser'], /--insecure-http-parser/],
  [{ NODE_OPTIONS: '--a  --insecure-http-parser' }, [], /--insecure-http-parser/],
  [{ NODE_OPTIONS: '"--insecure-http-parser"' }, [], /--insecure-http-parser/],
])('%j with %j', (env, nodeFlags, expected) => {
  const reason = unsafeStartReason({ env, nodeFlags })
  if (expected === undefined) expect(reason).toBeUndefined()
  else expect(reason).toMatch(expected)
})
