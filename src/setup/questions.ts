import { judgeOrigin } from '../config/judge.ts'
import { FRONT_END_NAMES, type FrontEndName } from '../config/schema.ts'
import { withoutTrailingDot } from '../http/host.ts'
import { parseHttpUrl } from '../http/url.ts'
import { isPoint, parsePoint } from '../points/point.ts'
import type { FoundScopes } from '../scopes/found-scope.ts'

/** What `init` needs to know, from the command line or from the user. */
export interface InitAnswers {
  /** Pages and points, as written. */
  readonly urls: readonly string[]
  readonly service: string | undefined
  readonly frontEnd: FrontEndName | undefined
}

interface Question {
  readonly text: string
  /** Given if the answer is a name or an address: then `y` is none, and `no` is the same as an empty answer. */
  readonly example?: string
  /** @returns a reason, as a clause */
  readonly findFault: (answer: string) => string | undefined | Promise<string | undefined>
}

export interface Asking {
  /** Returns the line that the user typed; `undefined` if the input has ended. A question may have lines. */
  readonly ask: (question: string) => Promise<string | undefined>
  readonly tell: (line: string) => void
}

/**
 * Asks for what is missing, again after an invalid answer. An empty answer accepts the default.
 *
 * @param judge says why no config can have these URLs, or this service
 * @returns `undefined` if the input has ended
 */
export async function askForMissing(
  told: InitAnswers,
  asking: Asking,
  judge: (urls: readonly string[], service?: string) => string | undefined,
): Promise<InitAnswers | undefined> {
  const answers: string[] = []
  const listUrls = (...more: readonly string[]) => [
    ...told.urls,
    ...[...answers.slice(0, 2), ...more].flatMap(toUrls),
  ]
  const findUrlsFault = (answer: string) =>
    toUrls(answer).flatMap((url) => findUrlFault(url) ?? [])[0] ?? judge(listUrls(answer))
  const ofSite = told.urls.length > 0 ? '' : undefined
  const questions: readonly (Question & { readonly told: string | undefined })[] = [
    {
      told: ofSite,
      text: 'Your site, where sessions start, such as https://www.example.com/: ',
      example: 'https://www.example.com/',
      findFault: (text) => (text === '' ? 'its address is needed' : findUrlsFault(text)),
    },
    {
      told: ofSite,
      text: 'Other addresses where the widget runs, separated by spaces (Enter: none): ',
      example: 'https://pay.example.com/',
      findFault: findUrlsFault,
    },
    {
      told: told.service,
      text: 'Address of the co-browsing service, from its vendor (Enter: add it later): ',
      example: 'https://cobrowse.example.net',
      findFault: (text) => {
        const fault = text === '' ? undefined : judgeOrigin(toUrl(text))
        if (fault !== undefined) return `${JSON.stringify(toUrl(text))}: ${fault}`
        return text === '' ? undefined : judge(listUrls(), toUrl(text))
      },
    },
    {
      told: told.frontEnd,
      text: `What is in front of your site?\n  ${FRONT_END_NAMES.join('\n  ')}\nOne of these (Enter: ${FRONT_END_NAMES[0]}): `,
      findFault: (text) => (text === '' || findName(text) ? undefined : 'choose one of these'),
    },
  ]
  for (const question of questions) {
    const line = question.told ?? (await answer(asking, question))
    if (line === undefined) return undefined
    answers.push(line)
  }
  const [, , service = '', frontEnd = ''] = answers
  return {
    urls: listUrls(),
    service: service === '' ? undefined : toUrl(service),
    frontEnd: findName(frontEnd) ?? FRONT_END_NAMES[0],
  }
}

/** Asks for the cookies until they can be read; returns `undefined` if the input has ended. */
export async function askForCookies(
  read: (answer: string) => Promise<FoundScopes | string>,
  asking: Asking,
): Promise<FoundScopes | undefined> {
  let found: FoundScopes = { scopes: [], notes: [] }
  const text =
    'Which cookies are to be carried?\n  the file of an export of your browser\n  or names, such as sid basket:/shop\n(Enter: add them later): '
  const findFault = async (line: string) => {
    const result = line === '' ? found : await read(line)
    if (typeof result === 'string') return result
    found = result
    return undefined
  }
  const question = { text, example: 'sid basket:/shop', findFault }
  return (await answer(asking, question)) === undefined ? undefined : found
}

function findName(text: string): FrontEndName | undefined {
  return FRONT_END_NAMES.find((name) => name === text.toLowerCase())
}

async function answer({ ask, tell }: Asking, question: Question): Promise<string | undefined> {
  const { text, example, findFault } = question
  for (;;) {
    const typed = (await ask(text))?.trim()
    if (typed === undefined) return undefined
    const line = example !== undefined && /^(?:no?|none)$/i.test(typed) ? '' : typed
    const isYes = example !== undefined && /^y(?:es)?$/i.test(line)
    const fault = isYes ? `write it here, such as ${example}` : await findFault(line)
    if (fault === undefined) return line
    tell(fault)
  }
}

function toUrls(line: string): readonly string[] {
  return line.split(/[\s,]+/).flatMap((word) => (word === '' ? [] : [toUrl(word)]))
}

/** The scheme may be omitted. */
export function toUrl(word: string): string {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(word) ? word : `https://${word}`
}

/** Why this can't be the URL of a page or a point. */
export function findUrlFault(url: string): string | undefined {
  return parseHttpUrl(url) === undefined ? `${JSON.stringify(url)} is not an http or https URL` : undefined
}

/** The pages of these URLs: the root of each origin. */
export function toPages(urls: readonly string[]): readonly string[] {
  return [...new Set(urls.map((url) => `${toUndotted(url).origin}/`))]
}

export function toHosts(urls: readonly string[]): readonly string[] {
  return [...new Set(urls.map((url) => toUndotted(url).hostname))]
}

/** The continuation points among these URLs, each once. */
export function toKnownPoints(urls: readonly string[], prefix: string): readonly string[] {
  return [
    ...new Set(urls.filter((url) => isPoint(parsePoint(url, prefix))).map((url) => toUndotted(url).href)),
  ]
}

/** Without a trailing dot in the host: with it, the host is another site, which no visitor uses. */
function toUndotted(text: string): URL {
  const url = new URL(text)
  url.hostname = withoutTrailingDot(url.hostname)
  return url
}
