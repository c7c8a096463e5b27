import type { Advice, Advisor } from '../../../src/front-ends/advisor.ts'
import { advisors, mounted } from '../../../src/front-ends/advisors.ts'

export type RemedyName = keyof Advice

const ABOUT_ITSELF = ['name', 'title', 'field', 'errorPage', 'limitsBy503']

/** The remedies that a front end has a line for. */
export function remediesOf(advisor: Advisor): readonly RemedyName[] {
  return Object.keys(advisor).filter((name): name is RemedyName => !ABOUT_ITSELF.includes(name))
}

/** What the line of a remedy looks like, whatever point and service it is for. */
export function patternOf(server: string, remedy: RemedyName): RegExp {
  const advice = advisors.find(({ name }) => name === server)?.[remedy]
  const line = typeof advice === 'function' ? advice(ANY, ANY) : advice
  const parts = line?.split(ANY).map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
  return new RegExp(`[:,] ${parts?.join('.+')}(?: • |$)`)
}

/** Occurs in no line. */
const ANY = '\u0000'

const EVERYWHERE = {
  listen: 'it names port 443, and every address of the machine',
  chooseHost: 'only check --explain shows it; keepHost and sendHost are its two halves',
}
const ELSEWHERE = { ...EVERYWHERE, showCertificate: 'certificates are tried with nginx' }
const NOT_STORED = 'its cache stores none of the answers of the stand-in, whatever it is told'

const IN_AN_APP: readonly RemedyName[] = [
  'allowLargeHeads',
  'allowMethods',
  'except',
  'keepCoding',
  'leaveCrossOrigin',
  'returnRedirects',
]

/** Why a remedy is not tried here. */
export const UNTRIED: Readonly<
  Partial<Record<Advisor['name'], Readonly<Partial<Record<RemedyName, string>>>>>
> = {
  nginx: EVERYWHERE,
  apache: {
    ...ELSEWHERE,
    allowLargeAnswers: 'its default takes lines of 8 KiB, as many as there are',
    allowLargeBodies: 'Debian 12 has an httpd that does not limit what it forwards',
    bypassCache: NOT_STORED,
    returnRedirects: 'httpd follows redirects only where something is added to it',
  },
  caddy: {
    ...ELSEWHERE,
    allowLargeAnswers: 'its default takes 1 MiB',
    bypassCache: 'caches are modules, which Debian has none of',
    returnRedirects: 'following takes a second reverse_proxy; it is tried with nginx',
  },
  haproxy: {
    ...ELSEWHERE,
    allowLargeHeads: 'it is the line of allowLargeAnswers',
    bypassCache: NOT_STORED,
    returnRedirects: 'HAProxy never follows redirects',
  },
  node: Object.fromEntries(
    remediesOf(mounted)
      .filter((remedy) => !IN_AN_APP.includes(remedy))
      .map((remedy) => [remedy, 'it is about code: test/compliance/mounted-late.test.ts']),
  ),
}
