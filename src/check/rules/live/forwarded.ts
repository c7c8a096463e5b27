import type { Facts } from '../../facts.ts'
import { type Fix, ruleOf } from '../../fix.ts'
import { type Arrival, readArrival } from '../../read/arrival.ts'
import { explainUnclear, readContrasts } from '../../read/contrast.ts'
import { isChallenge, isLimit, isOwnErrorPage, recogniseFrontEnd } from '../../read/front-end.ts'
import type { LiveFact, Reply } from '../../read/live-fact.ts'
import { isVouched } from '../../read/observations.ts'
import { readOwnRefusal } from '../../read/own-refusal.ts'
import { describeReply, escapeAndCut, evidenceOf } from '../../read/reply.ts'
import { findVariation, isChanged, type Variation } from '../../read/variation.ts'
import { fail, inconclusive, pass, type RulesById, type Ruling } from '../../rule.ts'
import { eachLivePoint } from '../../subjects.ts'
import { type Diagnosis, failRefusal } from './refusal-fault.ts'

export const forwardedRules: RulesById = {
  'live/forwarded': {
    title: 'The service answers at the point',
    why: "A point carries cookies only if the service gets its requests. They must arrive under the service's own host name and at its continuation end. A page of the site, an error page of your web server or another virtual host may answer too, but then nothing is carried.",
    wrong:
      "a web server or proxy that passes on the site's Host to the service, or whose rule for the point comes after a catch-all",
    right:
      'nginx, without serve: location ^~ /service_cookie_transfer/ { proxy_set_header Host cobrowse.example.net; … }',
    fix: "Forward everything below the point's path to the service with the service's own Host, or to serve with the visitor's.",
    remedy: (advice) => advice.chooseHost,
    needs: { rules: ['live/tls'], answers: ['verification'] },
    saidBy: ['service/same-host'],
    evaluate: eachLivePoint(
      (fact, facts) => judge(fact, readArrival(fact), facts),
      ({ service }) => [{ subject: { setting: 'service.url' }, location: service?.location }],
    ),
  },
}

function judge(fact: LiveFact, arrival: Arrival, facts: Facts): Ruling {
  const { point, servicePath } = fact
  const variation = findVariation(fact)
  if (variation !== undefined) return failVarying(fact, variation)
  switch (arrival.kind) {
    case 'service': {
      // Whether at its continuation end and with its own Host shows only if it answers others differently.
      const isUnclear = readContrasts(fact, 'verification').some(({ outcome }) => outcome === 'same')
      return isUnclear ? { outcome: 'inconclusive', message: explainUnclear(fact), holds: true } : pass
    }
    // live/redirect reports it, so the engine does not judge this rule.
    case 'redirected':
      return pass
    case 'inconclusive':
      return inconclusive(arrival.why)
    case 'refused':
      return failRefusal(fact, arrival.refusal)
    case 'incomplete':
      return failIncomplete('The answer', `GET ${point.path}`, arrival)
    case 'stranger': {
      const isTls = facts.service?.parsed.scheme === 'https'
      const [what, fix] = findStop(fact, arrival.reply, isTls) ?? diagnoseStranger(fact, arrival.reply, facts)
      return fail(what, fix, { sent: `GET ${point.path}`, ...evidenceOf(arrival.reply) })
    }
    case 'fields-lost':
      return fail(
        "Your web server or proxy does not pass on the request's headers: Accept does not arrive at the service",
        {
          what: 'Forward every header of the request, Cookie and Accept above all',
          remedy: (advice) => advice.keepFields,
        },
      )
    case 'other-host':
      return failHost(fact, arrival)
    case 'other-path': {
      const { path, isLikely } = arrival
      const cut = point.path.endsWith(servicePath) ? point.path.slice(0, -servicePath.length) : ''
      const arrived = path === undefined ? 'another path' : escapeAndCut(path)
      return fail(
        isLikely
          ? `The point gets the answer that the service has on another path, such as ${arrived}`
          : `The point is forwarded to another path of the service${path === undefined ? '' : `, ${arrived}`}`,
        {
          what:
            cut === ''
              ? `Pass on ${point.path} and what is below it unchanged`
              : `Forward ${point.path} to ${servicePath}`,
          remedy: (advice) => advice.forwardTo(servicePath, cut),
        },
        { expected: servicePath, arrived: isLikely ? 'another path, by the answer' : arrived },
      )
    }
  }
}

/** The service receives a Host that the config doesn't name: that of another service, or that of the site. */
function failHost(
  { serviceAuthority: own = '<SERVICE_HOST>' }: LiveFact,
  { host = '', isCustomers, isLikely }: Extract<Arrival, { readonly kind: 'other-host' }>,
): Ruling {
  const arrived = escapeAndCut(host.toLowerCase())
  const [what, fix] = isCustomers
    ? [
        isLikely
          ? `The service seems to get a Host that is not its own, such as ${arrived}`
          : `The service gets the Host ${arrived}, which is the host of the site`,
        `Send the service's own Host: ${own}`,
      ]
    : [
        `The point reaches another service than the config names, ${arrived}`,
        `Forward to ${own}, or correct "service.url" if that is the service; if the stand-in takes its place, send it Host: ${own}`,
      ]
  const seen = isLikely ? 'another Host, by the answer' : `Host: ${escapeAndCut(host)}`
  const evidence = { expected: `Host: ${own}`, arrived: seen }
  return fail(what, { what: fix, remedy: (advice) => advice.sendHost(own) }, evidence)
}

/** Something other than the service answered, and does not say why. */
function diagnoseStranger(fact: LiveFact, reply: Reply, facts: Facts): Diagnosis {
  const { point, serviceAuthority } = fact
  const host = serviceAuthority ?? '<SERVICE_HOST>'
  // RFC 9110 section 15.5.20: the server that got the request doesn't have that host, and it is not the front end.
  if (reply.kind === 'response' && reply.status === 421 && !isOwnErrorPage(reply)) {
    return [
      `The service gets a Host that is not its own: ${describeReply(reply)}`,
      { what: `Send the service's own Host: ${host}`, remedy: (advice) => advice.sendHost(host) },
    ]
  }
  const start = `Before any other rule of the site, forward everything below ${point.path} to`
  const fix = isDoneWithoutServe(facts)
    ? { what: `${start} ${host}, with the lines that render --mode forward prints for this config` }
    : {
        what: `${start} ${host}, as render --mode forward prints it, or to serve, as render and the line below do`,
        ...ruleOf(fact),
      }
  const isRefused = reply.kind === 'response' && !isOwnErrorPage(reply)
  const message = `The point does not reach the service${isRefused ? ', or the service refuses what arrives' : ''}: ${describeReply(reply)}`
  const isUnknown = isRefused && fact.widgetKeySha256 === undefined
  return [message, { ...fix, otherwise: isUnknown ? NAME_THE_KEY : undefined }]
}

/** Whether another point reaches the service already, and not through continuation-point. */
function isDoneWithoutServe({ live }: Facts): boolean {
  return [...(live?.values() ?? [])].some((fact) => !isVouched(fact) && readArrival(fact).kind === 'service')
}

const NAME_THE_KEY = 'if it does, put "service.url" and "widgetKey" into the config, to see what is refused'

/** Reads a status by which a front end says why it does not forward; `undefined` for any other answer. */
function findStop(fact: LiveFact, reply: Reply, isTls: boolean): Diagnosis | undefined {
  if (reply.kind === 'none') return undefined
  const { status } = reply
  if (isChallenge(reply)) return diagnoseChallenge(fact.point.path)
  const name = recogniseFrontEnd(fact)?.title ?? 'Your web server'
  if (!GATEWAY.includes(status) || isLimit(status, fact)) return STOPS[status]?.(fact.point.path, name)
  return [
    `${name} answers ${status} itself: what it forwards to does not answer`,
    chooseGatewayFix(fact, isTls),
  ]
}

function diagnoseChallenge(path: string): Diagnosis {
  const what = `Exempt everything below ${path} from the protection against bots: the widget can't solve a challenge`
  return ['A challenge for bots answers in place of the service', { what }]
}

/** If a service with TLS answers `check`, either serve is down, or the front end goes another way to the service. */
function chooseGatewayFix({ direct, bare }: LiveFact, isTls: boolean): Fix {
  const isUp = isTls && (direct?.right.kind === 'response' || bare?.kind === 'response')
  const start = 'Start what it forwards to (continuation-point serve, or the service), or correct its address'
  const otherwise =
    'fix its TLS name, certificate authorities or network route: the service itself answers this check'
  return { what: start, remedy: (advice) => advice.findNextHop, ...(isUp && { otherwise }) }
}

/** Only some of the answers come from the service. */
function failVarying(fact: LiveFact, { foreign, asked }: Variation): Ruling {
  const [first] = foreign
  const reply = first?.reply ?? { kind: 'none', cause: 'closed', code: 'closed' }
  const refusal = readOwnRefusal(reply)
  const status = reply.kind === 'response' ? reply.status : undefined
  const questions = foreign.map(({ question }) => `${question.method} (${question.purpose})`)
  const evidence = { sent: [...new Set(questions)].slice(0, 5), ...evidenceOf(reply) }
  const count = `${foreign.length} of ${asked}`
  if (first !== undefined && isChanged(first, fact)) {
    const isCookie = /cookie|header-size/.test(first.question.purpose)
    return fail(
      `${count} requests arrive changed at the service, but unchanged when sent again`,
      {
        what: 'One of several servers behind the load balancer changes requests: have each forward them unchanged',
        remedy: (advice) => (isCookie ? advice.keepCookie : advice.keepRawPath),
      },
      evidence,
    )
  }
  const isPage = reply.kind === 'response' && isOwnErrorPage(reply)
  const front = isPage ? `${recogniseFrontEnd(fact)?.title ?? 'your web server or proxy'} itself` : undefined
  const who =
    refusal === undefined ? (front ?? 'something other than the service') : 'continuation-point itself'
  const what = refusal === undefined ? (status ?? describeReply(reply)) : `${status} ${refusal.reason}`
  const isOfBody = foreign.every(({ question }) => question.purpose === 'body-size')
  return fail(
    `${count} answers came from ${who}: ${what}`,
    chooseVaryingFix(fact, status, isOfBody),
    evidence,
  )
}

function chooseVaryingFix(fact: LiveFact, status = 0, isOfBody = false): Fix {
  const { path } = fact.point
  if (isLimit(status, fact)) return exemptFromLimit(path)
  if (GATEWAY.includes(status)) {
    return {
      what: isOfBody
        ? 'See in its log what closes the connection before it has read a large body; if it is the service, tell the vendor'
        : 'Find out in its log which of the servers it forwards to does not answer, or which handshakes fail, and mend that one or take it out',
      remedy: (advice) => advice.findNextHop,
    }
  }
  const what = `Have every server behind the load balancer forward ${path}: one of them answers by itself`
  return { what, ...ruleOf(fact) }
}

function exemptFromLimit(path: string): Fix {
  const what = `Exempt ${path} from the limit, or raise it: a session starts with several requests at once`
  return { what, remedy: (advice) => advice.liftLimits }
}

/** Only a part of the body comes back, or its coding is spoiled. */
export function failIncomplete(
  what: string,
  sent: string,
  { fault, isUndecoded }: { readonly fault: string; readonly isUndecoded?: true | undefined },
): Ruling {
  const evidence = { sent, arrived: fault }
  if (isUndecoded) {
    const undecoded =
      'Leave bodies and Content-Encoding as the service sends them, and compress nothing twice'
    const fix: Fix = { what: undecoded, remedy: (advice) => advice.keepCoding }
    return fail("The body of the answer can't be decoded", fix, evidence)
  }
  const log =
    'See why in the log of your web server or proxy: a full disk, or a folder for temporary files that it may not write to'
  const fix: Fix = { what: log, remedy: (advice) => advice.findNextHop }
  return fail(`${what} comes back incomplete`, fix, evidence)
}

/** What a front end says of the next hop. */
const GATEWAY: readonly number[] = [502, 503, 504]

/** A login, a ban, a rate limit or maintenance. */
const STOPS: Readonly<Record<number, (path: string, name: string) => Diagnosis>> = {
  401: (path) => [
    'Your web server or proxy asks for a login (401)',
    { what: `Open everything below ${path}: the widget can't log in`, remedy: (advice) => advice.open(path) },
  ],
  403: (path) => [
    'Your web server or proxy forbids the request (403)',
    {
      what: `Allow everything below ${path}. If only this check is blocked, let the User-Agent continuation-point through`,
      remedy: (advice) => advice.open(path),
    },
  ],
  429: (path) => [
    'Your web server or proxy refuses the request because of a rate limit (429)',
    exemptFromLimit(path),
  ],
  503: (path, name) => [
    `${name} answers 503 itself: the site is in maintenance, or over a limit`,
    { what: `End it, or exempt ${path} from it`, remedy: (advice) => advice.liftLimits },
  ],
}
