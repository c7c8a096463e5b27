import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync, watch } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { type Fields, hasField } from '../../../src/http/fields.ts'
import { certificateFile } from '../../front-ends/support/typical-site.ts'
import type { Case } from '../suite/cases/case.ts'
import type { CaseResponse } from '../suite/cases/run.ts'
import type { OpenClient, PointAddress, WireRequest } from '../suite/client.ts'
import { closedGate, type Gate } from '../suite/gate.ts'

const CURL = '/usr/bin/curl'

/** Only where it is not installed, and never on CI. */
export const skipsCurl = !existsSync(CURL) && process.env.CI === undefined

/** Sends every request with curl over HTTP/2, each on a connection of its own. */
export const curlOverHttp2: { readonly open: OpenClient; runs(row: Case): boolean } = {
  open: async (place, limitMs) => ({
    send: (request) => {
      const body = closedGate()
      return {
        head: closedGate(),
        body,
        rest: closedGate(),
        reply: send(place, request, limitMs, body),
      }
    },
    close: () => {},
  }),
  runs: ({ id, send: { fields = [] } = {}, manner = 'at-once' }) =>
    !NOT_IN_HTTP2.includes(id) &&
    !['connection', 'upgrade', 'expect'].some((name) => hasField(fields, name)) &&
    ['at-once', 'hints-first', 'service-leaves', 'service-cuts', 'again', 'looped'].includes(manner),
}

/** About spellings, phrases and framing that HTTP/2 does not have. */
const NOT_IN_HTTP2 = ['field/case', 'answer/field-case', 'answer/reason', 'body/chunked-kept']

async function send(
  place: PointAddress,
  request: WireRequest,
  limitMs: number,
  hasBody: Gate,
): Promise<CaseResponse> {
  const folder = await mkdtemp(join(tmpdir(), 'curl-'))
  const body = request.parts.join('')
  const isOfKnownLength = request.framing === 'length'
  await writeFile(join(folder, 'body'), body, 'latin1')
  await writeFile(
    join(folder, 'config'),
    toConfig([
      ...placeOptions(place),
      ['max-time', String(limitMs / 1000)],
      ['request-target', request.target],
      ...(request.method === 'HEAD' ? ([['head']] as const) : ([['request', request.method]] as const)),
      ...toHeaders(request.fields),
      ...(isOfKnownLength ? ([['data-binary', `@${folder}/body`]] as const) : []),
      ...(request.framing === 'chunked' ? ([['upload-file', '-']] as const) : []),
    ]),
    // Field values may hold any octet, which an argument can't.
    'latin1',
  )
  const answer = join(folder, 'answer')
  await writeFile(answer, '')
  const watcher = watch(answer, async () => {
    const [, , seen = ''] = ANSWER.exec(await readFile(answer, 'latin1').catch(() => '')) ?? []
    if (seen !== '') hasBody.open()
  })
  const code = await runCurl(folder)
  watcher.close()
  const output = await readFile(answer, 'latin1')
  await rm(folder, { recursive: true })
  return toReply(code, output)
}

function placeOptions({
  endpoint: { scheme, host, port },
  address,
}: PointAddress): [name: string, value: string][] {
  return [
    ['url', `${scheme}://${host}:${port}/`],
    ['resolve', `${host}:${port}:${address}`],
    ['cacert', certificateFile('authority', 'cert')],
  ]
}

/** Host follows from the URL; what curl would add by itself is left out. */
function toHeaders(fields: Fields): [name: 'header', value: string][] {
  const lines = fields.flatMap((name, at) =>
    at % 2 === 0 && name !== 'Host' ? [toHeader(name, fields[at + 1] ?? '')] : [],
  )
  const own = ['Accept', 'Content-Type', 'Expect'].filter((name) => !hasField(fields, name.toLowerCase()))
  return [...lines, ...own.map((name) => `${name}:`)].map((line) => ['header', line])
}

/** With a colon, curl would omit a field without a value. */
function toHeader(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`
}

function toConfig(options: readonly (readonly [name: string, value?: string])[]): string {
  return options
    .map(([name, value]) =>
      value === undefined
        ? `${name}\n`
        : `${name} = "${value.replace(/["\\]/g, (character) => `\\${character}`)}"\n`,
    )
    .join('')
}

/**
 * A shell that starts curl for each folder that it reads, and prints the folder with the exit code. A process as large as the one
 * that runs the tests takes ten times as long to start another.
 */
const STARTER = `while read -r folder; do
  { ${CURL} --http2 --include --no-buffer --silent --config "$folder/config" <"$folder/body" >"$folder/answer"; echo "$folder $?"; } &
done`

let starter: ChildProcessByStdio<Writable, Readable, null> | undefined
const waiting = new Map<string, (code: number) => void>()

function runCurl(folder: string): Promise<number> {
  if (starter === undefined) {
    starter = spawn('/bin/sh', ['-c', STARTER], { stdio: ['pipe', 'pipe', 'inherit'] })
    createInterface(starter.stdout).on('line', (line) => {
      const [done = '', code] = line.split(' ')
      waiting.get(done)?.(Number(code))
      waiting.delete(done)
    })
  }
  starter.stdin.write(`${folder}\n`)
  return new Promise((resolve) => waiting.set(folder, resolve))
}

/** Interim responses come first, each with a head only. */
function toReply(code: number, output: string): CaseResponse {
  const [, head = '', body = ''] = ANSWER.exec(output) ?? []
  if (head === '') return { kind: 'none', code: `curl ${code}` }
  const [statusLine = '', ...lines] = head.split('\r\n').slice(0, -1)
  return {
    kind: 'response',
    status: Number(statusLine.split(' ')[1]),
    reason: '',
    fields: lines.flatMap((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    }),
    body,
    end: code === 0 ? 'complete' : 'cut',
  }
}

const ANSWER = /^(?:HTTP\/2 1\d\d.*?\r\n\r\n)*(HTTP\/2 \d{3} ?\r\n.*?\r\n)\r\n(.*)$/s
