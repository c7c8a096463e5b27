import { renderProblems } from '../config/problem.ts'
import { whyUnverified } from '../http/unverified.ts'
import { redactUrl } from '../http/url.ts'
import { flagsOf, type NodeStart } from '../serve/own-process.ts'
import type { ListenPlace } from '../serve/serve.ts'
import { escapeControls } from '../text/escape.ts'
import { EXIT_CODE, type ExitCode, type Refusal } from './command.ts'
import type { Io } from './io.ts'

export function refuse(refusal: Refusal, commandWords: string, io: Io): ExitCode {
  const toLine = (message: string) => `continuation-point: ${escapeControls(redactUrls(message))}\n`
  if ('problems' in refusal) io.stderr(renderProblems(refusal.problems))
  else if ('message' in refusal) {
    io.stderr(toLine(refusal.message))
    return EXIT_CODE[refusal.outcome ?? 'usage']
  } else if ('messages' in refusal) io.stderr(refusal.messages.map(toLine).join(''))
  else {
    const faults = 'faults' in refusal ? refusal.faults : [refusal.fault]
    io.stderr(`${faults.map(toLine).join('')}See ${io.program}${commandWords} --help.\n`)
  }
  return EXIT_CODE.usage
}

/** Messages repeat arguments, in quotes or as one word, but not the secret parts of a URL. */
function redactUrls(message: string): string {
  return message.replace(/"((?:[^"\\]|\\.)*)("?)|[^\s"']+/g, (word, quoted?: string, end?: string) =>
    quoted === undefined ? redactUrl(word) : `"${redactUrl(quoted)}${end}`,
  )
}

/** Why this process must not handle cookies: Node itself was told to skip TLS verification, or to parse HTTP loosely. */
export function unsafeStartReason({ env, nodeFlags }: NodeStart): string | undefined {
  const unverified = whyUnverified(env)
  if (unverified !== undefined) return `${unverified}: unset it, and name a private authority in service.ca`
  if (flagsOf({ env, nodeFlags }).some((flag) => /^--insecure[-_]http[-_]parser(?:=|$)/.test(flag)))
    return '--insecure-http-parser lets malformed requests through: start Node without it, and look for it in NODE_OPTIONS'
  return undefined
}

export function refuseToListen({ listener, host, port, code }: ListenPlace): Refusal {
  const what = `the ${listener} listener can't open ${host} port ${port}`
  const [flag, advice] = listener === 'public' ? ['--port', NEW_PORT] : ['--admin-port']
  return {
    message: explainListenFault(what, code, flag, advice),
    outcome: PASSING.has(code) ? 'inconclusive' : 'usage',
  }
}

/** The same for a port on loopback; throws what is no fault of the port. */
export function refusePort(error: unknown, place: string, flag: string): Refusal {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) throw error
  return { message: explainListenFault(place, String(error.code), flag) }
}

const NEW_PORT = 'set another "listen.port", and run render again: its lines send requests to this one'

/** @param place what can't open which port, as a clause */
function explainListenFault(
  place: string,
  code: string,
  flag: string,
  advice = `choose a port with ${flag} (0 picks a free one)`,
): string {
  const reasons: ReadonlyMap<string, string> = new Map([
    ['EADDRINUSE', `the port is in use. Stop the other program, or ${advice}`],
    ['EACCES', `not permitted. Choose a port above 1023 with ${flag}, or grant the permission`],
    [
      'EADDRNOTAVAIL',
      'this machine has no such address at the moment. Wait until it is up, or use 127.0.0.1, 0.0.0.0 or ::',
    ],
    ['ENOTFOUND', 'there is no such address. Use 127.0.0.1, 0.0.0.0 or ::'],
    ['NO_TCP', 'the socket that was handed over is not a TCP socket'],
  ])
  const reason = reasons.get(code)
  return reason === undefined ? `${place} (${code})` : `${place}: ${reason}`
}

/** Conditions that may be temporary, without a change of the config: an interface may get its address after we start. */
const PASSING: ReadonlySet<string> = new Set(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL'])
