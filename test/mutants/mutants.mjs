/** By invariant, and by what is wrong then. */
const edits = {
  // One request, one view.
  1: {
    'the path is decoded before it is forwarded': {
      file: 'src/forward/request.ts',
      from: 'const { pathAndQuery } = request.target',
      to: 'const pathAndQuery = decodeURI(request.target.pathAndQuery)',
      tests: ['test/compliance/rfc9112-3.2-request-target.test.ts'],
    },
    'the point is matched by the decoded path': {
      file: 'src/forward/admission.ts',
      from: 'request.scheme, target.path)',
      to: 'request.scheme, decodeURIComponent(target.path))',
      tests: ['test/compliance/rfc9112-3.2-request-target.test.ts'],
    },
    'of two Host lines the last one counts': {
      file: 'src/forward/downstream.ts',
      from: 'host === undefined || otherHosts.length > 0',
      to: 'host === undefined',
      tests: ['test/compliance/rfc9110-7.2-host.test.ts'],
    },
    'a target that names another host than Host is forwarded': {
      file: 'src/forward/downstream.ts',
      from: "return 'target-not-host'",
      to: 'authority = target.authority',
      tests: ['test/compliance/rfc9112-3.2-request-target.test.ts'],
    },
    'dot segments are forwarded, for the service to resolve': {
      file: 'src/http/request-target.ts',
      from: ' || findDotSegment(path) !== undefined',
      to: '',
      tests: ['test/compliance/rfc9112-3.2-request-target.test.ts'],
    },
    'a path is taken as middleware rewrote it': {
      file: 'src/proxy/proxy.ts',
      from: 'incoming.url = originalUrl',
      to: 'void originalUrl',
      tests: ['test/compliance/connect-mounted.test.ts', 'test/node.test.ts'],
    },
    'the path is Hono’s': {
      file: 'src/proxy/app.ts',
      from: 'begin(incoming, outgoing)\n',
      to: 'incoming.url = new URL(context.req.url).pathname\n      begin(incoming, outgoing)\n',
      tests: ['test/compliance/rfc9112-3.2-request-target.test.ts'],
    },
  },
  // Field lists.
  2: {
    'field names of a request are lower-cased': {
      file: 'src/forward/request.ts',
      from: 'upstream.push(name, cookies)',
      to: 'upstream.push(name.toLowerCase(), cookies)',
      tests: ['test/forward/request.test.ts'],
    },
    'a repeated field of a request is sent once': {
      file: 'src/forward/request.ts',
      from: 'if (options?.has(name.toLowerCase()) !== true) upstream.push(name, value)',
      to: 'if (options?.has(name.toLowerCase()) !== true && !upstream.includes(name)) upstream.push(name, value)',
      tests: ['test/forward/request.test.ts', 'test/compliance/rfc9112-5-fields.test.ts'],
    },
    'Set-Cookie lines are joined': {
      file: 'src/forward/response.ts',
      from: '    downstream.push(name, value)\n',
      to: `    const at = downstream.indexOf(name)
    if (at >= 0 && /^set-cookie$/i.test(name)) downstream[at + 1] += \`, \${value}\`
    else downstream.push(name, value)
`,
      tests: ['test/upstream/fidelity.test.ts'],
    },
    'Set-Cookie lines come after all others': {
      file: 'src/forward/response.ts',
      from: '    downstream.push(name, value)\n',
      to: `    if (/^set-cookie$/i.test(name)) downstream.push(name, value)
    else downstream.unshift(name, value)
`,
      tests: ['test/forward/response.test.ts'],
    },
    'names of response fields get capital letters': {
      file: 'src/forward/response.ts',
      from: '    downstream.push(name, value)\n',
      to: '    downstream.push(name.replace(/\\b[a-z]/g, (letter) => letter.toUpperCase()), value)\n',
      tests: ['test/forward/response.test.ts'],
    },
    'field values of the service are read as UTF-8': {
      file: 'src/proxy/upstream.ts',
      from: "octets.toString('latin1')",
      to: 'octets.toString()',
      tests: ['test/upstream/fidelity.test.ts', 'test/compliance/rfc9112-11-any-octets.test.ts'],
    },
    'what a framework has set before joins the fields of the service': {
      file: 'src/proxy/internals/reserved-response.ts',
      from: 'Reflect.set(outgoing, FIELDS_SET_BEFORE, null)',
      to: 'void FIELDS_SET_BEFORE',
      tests: ['test/compliance/mounted-middleware.test.ts', 'test/compliance/hono-mounted.test.ts'],
    },
  },
  // Fields that the proxy owns.
  3: {
    'a client’s X-Widget-Key is not removed': {
      file: 'src/forward/field-rules.ts',
      from: "['X-Widget-Key', 'X-Continuation-Origin']",
      to: "['X-Continuation-Origin']",
      tests: ['test/forward/request.test.ts'],
    },
    'a client’s X_Widget_Key is not removed': {
      file: 'src/forward/field-rules.ts',
      from: 'OWNED_NAMES.has(folded)',
      to: 'OWNED_NAMES.has(lowerName)',
      tests: ['test/forward/request.test.ts'],
    },
    'Content_Length and Transfer_Encoding pass': {
      file: 'src/forward/field-rules.ts',
      from: 'FRAMING_NAMES.has(folded) || ',
      to: '',
      tests: ['test/forward/request.test.ts'],
    },
    'a client’s X-Forwarded-Proto passes': {
      file: 'src/forward/field-rules.ts',
      from: "lowerCased(['Host', 'Expect', ...HOP_BEFORE])",
      to: "lowerCased(['Host', 'Expect', ...HOP_BEFORE.filter((name) => name !== 'X-Forwarded-Proto')])",
      tests: ['test/forward/request.test.ts'],
    },
    'Connection removes what the proxy has set': {
      file: 'src/forward/request.ts',
      from: '  return upstream\n',
      to: `  const isNamed = (name: string) => options?.has(name.toLowerCase()) === true
  return upstream.filter((_text, at) => !isNamed(upstream[at - (at % 2)] ?? ''))
`,
      tests: ['test/forward/request.test.ts'],
    },
    'Connection removes the framing': {
      file: 'src/forward/request.ts',
      from: "case 'framing':",
      to: "case 'framing':\n        if (options?.has(name.toLowerCase()) === true) break",
      tests: ['test/forward/request.test.ts'],
    },
    'anyone may extend X-Forwarded-For': {
      file: 'src/forward/request.ts',
      from: "if (peer.isTrusted && value !== '')",
      to: "if (value !== '')",
      tests: ['test/forward/request.test.ts'],
    },
    'anyone may say which host and scheme came': {
      file: 'src/forward/downstream.ts',
      from: ' && peer.isTrusted',
      to: '',
      tests: ['test/compliance/rfc9110-7.2-host.test.ts'],
    },
    'the proxy’s fields come before those of the client': {
      file: 'src/forward/request.ts',
      from: "upstream.push('X-Widget-Key', point.widgetKey.reveal())",
      to: "upstream.unshift('X-Widget-Key', point.widgetKey.reveal())",
      tests: ['test/forward/request.test.ts'],
    },
    'a field that only a newer nginx obeys passes': {
      file: 'src/forward/field-rules.ts',
      from: ' || FRONT_END_ORDER.test(lowerName)',
      to: '',
      tests: ['test/forward/response.test.ts'],
    },
  },
  // Bodies.
  4: {
    'the body of a request is read as text': {
      file: 'src/proxy/upload.ts',
      from: 'this.push(octets)',
      to: 'this.push(Buffer.from(octets.toString()))',
      tests: ['test/compliance/rfc9112-6-framing.test.ts', 'test/compliance/rfc9112-11-any-octets.test.ts'],
    },
    'a body that came with the head is read as text': {
      file: 'src/proxy/upload.ts',
      from: 'listener.onBegun(first)',
      to: 'listener.onBegun(Buffer.from(String(first)))',
      tests: ['test/compliance/rfc9112-6-framing.test.ts'],
    },
    'chunks that came with the head become a length': {
      file: 'src/proxy/upload.ts',
      from: "if (length === 'chunked' || !mayBeSmall(length)) stream()\n  else\n    incoming.once('data', (first: Buffer) => {\n      if (first.length < length)",
      to: "if (!mayBeSmall(length)) stream()\n  else\n    incoming.once('data', (first: Buffer) => {\n      if (first.length < Number(length))",
      tests: ['test/compliance/rfc9112-6-framing.test.ts'],
    },
    'the end of a connection to the service becomes a final chunk': {
      file: 'src/proxy/exchange.ts',
      from: 'this.#response.endByClose()',
      to: 'void this.#response',
      tests: ['test/upstream/truncation.test.ts'],
    },
    'a visitor who has just connected gives way to older connections that sent one octet': {
      file: 'src/serve/accepted.ts',
      from: 'Math.min(SILENT_LOOKS, accepted.size / 4)',
      to: 'SILENT_LOOKS',
      tests: ['test/serve/accepted.test.ts'],
    },
    'a request that was sent ahead is begun beside the one before it': {
      file: 'src/proxy/client-connection.ts',
      from: 'isEnded(before) && (running ?? before) === before',
      to: 'true',
      tests: ['test/compliance/rfc9112-9.3.2-pipelining.test.ts'],
    },
    'the parser goes on after a request that is not begun': {
      file: 'src/proxy/client-connection.ts',
      from: 'response.shouldKeepAlive = false\n    stopParsing(this.#socket)\n',
      to: 'response.shouldKeepAlive = false\n',
      tests: ['test/compliance/pipelining-mounted.test.ts'],
    },
    'a request begins behind a response that closes': {
      file: 'src/proxy/client-connection.ts',
      from: ' && !isLast(before)',
      to: '',
      tests: ['test/compliance/rfc9112-9.3.2-pipelining.test.ts'],
    },
    'uploads may have every lease': {
      file: 'src/proxy/leases.ts',
      from: 'if (!fits(lease.stage, left)) continue',
      to: '',
      tests: ['test/proxy/leases.test.ts'],
    },
    'a lease whose client takes nothing is kept while others wait': {
      file: 'src/proxy/blocked-clients.ts',
      from: '        exchange.revoke()\n',
      to: '',
      tests: ['test/proxy/leases.test.ts'],
    },
    'a connection of one config is used for an exchange of another': {
      file: 'src/proxy/leases.ts',
      from: 'const { pool } = lease\n',
      to: 'const pool = this.pool\n',
      tests: ['test/proxy/leases.test.ts', 'test/upstream/pool.test.ts'],
    },
    'a request that is sent again may get a connection that is as old': {
      file: 'src/proxy/leases.ts',
      from: "lease.needs === 'new' ? lease.arrival : 0",
      to: '0',
      tests: ['test/proxy/leases.test.ts', 'test/upstream/retries.test.ts'],
    },
    'the last small reads of a response come after its end': {
      file: 'src/proxy/internals/response-reader.ts',
      from: 'if (octets === null) this.#passJoined()',
      to: 'void octets',
      tests: ['test/proxy/internals/response-reader.test.ts'],
    },
    'joined reads of a held connection make it read on': {
      file: 'src/proxy/internals/response-reader.ts',
      from: '    if (this.#isSocketPaused) this.#stop()\n    this.#socket?.push',
      to: '    this.#socket?.push',
      tests: ['test/proxy/internals/response-reader.test.ts'],
    },
    'a line of a head is joined again with each of its pieces': {
      file: 'src/proxy/growing-buffer.ts',
      from: 'Math.max(length, 2 * this.#octets.length)',
      to: 'length',
      tests: ['test/proxy/internals/response-start.test.ts'],
    },
    'the body of a response is read as text': {
      file: 'src/proxy/exchange.ts',
      from: 'this.#response.write(chunk)',
      to: 'this.#response.write(Buffer.from(chunk.toString()))',
      tests: ['test/upstream/fidelity.test.ts'],
    },
    'what arrives while the client does not read is sent without its first octet': {
      file: 'src/proxy/response.ts',
      from: 'this.#write(this.#gathered.take())',
      to: 'this.#write(this.#gathered.take().subarray(1))',
      tests: ['test/upstream/joined-pieces.test.ts'],
    },
    'an upload is read whole, whether or not the service takes it': {
      file: 'src/proxy/upload.ts',
      from: 'this.#reading.hold()',
      to: 'void this.#reading',
      tests: ['test/upstream/backpressure.test.ts'],
    },
    'a response is read whole, whether or not the client takes it': {
      file: 'src/proxy/response.ts',
      from: "return 'pause'",
      to: "return 'continue'",
      tests: ['test/upstream/backpressure.test.ts'],
    },
    'the head of a response waits for its body': {
      file: 'src/proxy/response.ts',
      from: 'process.nextTick((response: OutgoingResponse) => response.#flush(), this)',
      to: 'void this.#flush',
      tests: ['test/upstream/fidelity.test.ts'],
    },
    'chunks of a request become a length': {
      file: 'src/proxy/upload.ts',
      from: 'if (this.#isBeingSent) this.#passEnd()',
      to: 'this.#passEnd()',
      tests: ['test/compliance/rfc9112-6-framing.test.ts'],
    },
    'the length of a response becomes chunks': {
      file: 'src/forward/response.ts',
      from: "fate === 'length' && status === 204",
      to: "fate === 'length'",
      tests: ['test/forward/response.test.ts'],
    },
    'a compressed response is taken for a plain one': {
      file: 'src/forward/field-rules.ts',
      from: "  'Alt-Svc',\n",
      to: "  'Alt-Svc',\n  'Content-Encoding',\n",
      tests: ['test/forward/response.test.ts'],
    },
  },
  // Failures.
  5: {
    'a bad Host is thrown instead of returned': {
      file: 'src/forward/downstream.ts',
      from: "if (host === undefined || otherHosts.length > 0) return 'bad-host'",
      to: "if (host === undefined || otherHosts.length > 0) throw new Error('bad-host')",
      tests: ['test/compliance/rfc9110-7.2-host.test.ts'],
    },
    'the message of an error is taken for its code': {
      file: 'src/forward/error-code.ts',
      from: '/^[A-Z0-9_/]{1,64}$/.test(code)',
      to: 'code.length <= 64',
      tests: ['test/forward/failure.test.ts'],
    },
    'a refused connection is a fault of the proxy': {
      file: 'src/forward/error-code.ts',
      from: "['ECONNREFUSED', 'upstream-refused']",
      to: "['ECONNREFUSED', 'internal']",
      tests: ['test/forward/failure.test.ts'],
    },
    'a body over the limit is 400': {
      file: 'src/forward/failure.ts',
      from: "    413,\n    'Content too large',",
      to: "    400,\n    'Content too large',",
      tests: ['test/compliance/rfc9457-own-answers.test.ts', 'test/compliance/rfc9110-15.5-limits.test.ts'],
    },
    'the code of an error reaches the client': {
      file: 'src/proxy/exchange.ts',
      from: "this.#writeHead(answer.status, STATUS_CODES[answer.status] ?? '', answer.fields)",
      to: "this.#writeHead(answer.status, this.#record.code ?? STATUS_CODES[answer.status] ?? '', answer.fields)",
      tests: ['test/upstream/connecting.test.ts', 'test/compliance/rfc9457-own-answers.test.ts'],
    },
    'a connection that is being shut down is reset, and never closed': {
      file: 'src/proxy/response.ts',
      from: ' && !isShuttingDown(socket)',
      to: '',
      tests: ['test/upstream/client-abort.test.ts'],
    },
    'no other address is tried where TLS fails': {
      file: 'src/proxy/dial.ts',
      from: "isNew && state === 'opening'",
      to: "isNew && state === 'late'",
      tests: ['test/upstream/addresses.test.ts'],
    },
    'an address that is silent after it accepted is waited for': {
      file: 'src/proxy/dial.ts',
      from: 'setTimeout(() => socket.destroy(), attemptTimeoutMs)',
      to: 'setTimeout(() => {}, attemptTimeoutMs)',
      tests: ['test/upstream/addresses.test.ts'],
    },
    'an address that fails after the handshake stays the first': {
      file: 'src/proxy/upstream.ts',
      from: "connection.requests > (this.#isWritten ? 1 : 0) ? 'reused' : connection.blame()",
      to: "'reused'",
      tests: ['test/upstream/addresses.test.ts'],
    },
    'a reload forgets which address of the service failed': {
      file: 'src/proxy/proxy.ts',
      from: 'if (settings.upstream.origin !== origin) addresses = new Addresses()',
      to: 'addresses = new Addresses()',
      tests: ['test/upstream/addresses.test.ts'],
    },
    'Connection removes the length of a response': {
      file: 'src/forward/response.ts',
      from: "(fate !== 'length' && options?.has(",
      to: '(options?.has(',
      tests: ['test/forward/response.test.ts'],
    },
    'what the edge reads no further is kept open': {
      file: 'src/edge/edge-exchange.ts',
      from: 'if (isRefused || !response.body) received.abort()',
      to: 'if (isRefused) received.abort()',
      tests: ['test/edge/edge-exchange.test.ts'],
    },
    'what a request was addressed to is repeated in every answer': {
      file: 'src/forward/answer.ts',
      from: "error === 'destination_not_found' ? arrived : undefined",
      to: 'arrived',
      tests: ['test/compliance/rfc9457-own-answers.test.ts'],
    },
  },
  // Secrets and logs.
  6: {
    'a runtime prints what it throws, with the URL': {
      file: 'src/edge/edge-app.ts',
      from: '    return response\n  })\n  return app',
      to: '    throw error\n  })\n  return app',
      tests: ['test/edge/edge-exchange.test.ts'],
    },
    'a secret shows itself in JSON': {
      file: 'src/config/secret.ts',
      from: "toJSON(): string {\n    return '[secret]'",
      to: 'toJSON(): string {\n    return this.#text',
      tests: ['test/config/secret.test.ts'],
    },
    'a secret shows itself as a string': {
      file: 'src/config/secret.ts',
      from: "toString(): string {\n    return '[secret]'",
      to: 'toString(): string {\n    return this.#text',
      tests: ['test/config/secret.test.ts'],
    },
    'a secret shows itself to inspect': {
      file: 'src/config/secret.ts',
      from: "[Symbol.for('nodejs.util.inspect.custom')](): string {\n    return '[secret]'",
      to: "[Symbol.for('nodejs.util.inspect.custom')](): string {\n    return this.#text",
      tests: ['test/config/secret.test.ts'],
    },
    'the log has the path and the query': {
      file: 'src/proxy/exchange.ts',
      from: 'this.#context.record(record)',
      to: 'this.#context.record({ ...record, method: record.method + this.incoming.url })',
      tests: ['test/cli/serve.test.ts'],
    },
    'the log has the Host of strangers at every level': {
      file: 'src/serve/access-log.ts',
      from: " && log.isLevelEnabled('debug')",
      to: '',
      tests: ['test/cli/serve.test.ts'],
    },
    'the log has the client’s address by default': {
      file: 'src/serve/access-log.ts',
      from: "if (form === 'omit' || address === '') return undefined",
      to: "if (address === '') return undefined",
      tests: ['test/serve/access-log.test.ts'],
    },
    'the log has the message of an error': {
      file: 'src/proxy/upstream.ts',
      from: 'this.#receiver.onFailure(upstreamFailure(error), errorCode(error))',
      to: 'this.#receiver.onFailure(upstreamFailure(error), error.message)',
      tests: ['test/upstream/connecting.test.ts'],
    },
  },
  // Imports.
  7: {
    'a rule of check runs the rules': {
      file: 'src/check/rules/page.ts',
      from: "import { findBlocked } from '../read/content-policy.ts'",
      to: "import { findBlocked } from '../read/content-policy.ts'\nimport '../run-rules.ts'",
      tests: ['test/project/imports.test.ts'],
    },
    'a recipe decides about requests': {
      file: 'src/front-ends/fields.ts',
      from: "import { HOP_BY_HOP_NAMES } from '../http/hop-by-hop.ts'",
      to: "import { HOP_BY_HOP_NAMES } from '../http/hop-by-hop.ts'\nimport '../forward/admission.ts'",
      tests: ['test/project/imports.test.ts'],
    },
  },
}

/**
 * Small edits, each of which breaks one of the invariants that src/README.md numbers. `from` occurs in `file` exactly once;
 * with `to` in its place, one of `tests` has to fail.
 */
export const mutants = Object.entries(edits).flatMap(([invariant, each]) =>
  Object.entries(each).map(([what, edit]) => ({ invariant, what, ...edit })),
)
