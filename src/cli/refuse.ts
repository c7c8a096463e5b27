import { renderProblems } from '../config/render-problems.ts'
import { redactUrl } from '../http/redact-url.ts'
import { escapeControls } from '../text/escape.ts'
import type { Refusal } from './command.ts'
import { EXIT_CODE, type ExitCode } from './exit-code.ts'
import type { Io } from './io.ts'

export function refuse(refusal: Refusal, commandWords: string, io: Io): ExitCode {
  const toLine = (message: string) => `continuation-point: ${escapeControls(redactUrls(message))}\n`
  if ('problems' in refusal) io.stderr(renderProblems(refusal.problems))
  else if ('message' in refusal) {
    const { message, lines = [], outcome = 'usage' } = refusal
    io.stderr(toLine(message))
    for (const line of lines) io.stderr(`${line}\n`)
    return EXIT_CODE[outcome]
  } else if ('messages' in refusal) io.stderr(refusal.messages.map(toLine).join(''))
  else {
    const faults = 'faults' in refusal ? refusal.faults : [refusal.fault]
    io.stderr(`${faults.map(toLine).join('')}See ${io.program}${commandWords} --help.\n`)
  }
  return EXIT_CODE.usage
}

/** Messages repeat arguments, in quotes or as one word, but not the secret parts of a URL. */
function redactUrls(message: string): string {
  return message.replace(/"((?:[^"\\]|\\.)*)"|[^\s"']+/g, (word, quoted?: string) =>
    quoted === undefined ? redactUrl(word) : `"${redactUrl(quoted)}"`,
  )
}
