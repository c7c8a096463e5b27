import type { ProbeReply } from '../../../probe/probe.ts'
import { type Arrival, readArrival } from '../../read/arrival.ts'
import { isOwnErrorPage } from '../../read/front-end.ts'
import type { LiveFact } from '../../read/live-fact.ts'
import { toReplyEvidence, toReplyText } from '../../read/reply.ts'
import { toShownText } from '../../read/shown-text.ts'
import { type Remedy, withRemedy } from '../../remedy.ts'
import { fail, inconclusive, pass, type Rule, type Ruling } from '../../rule.ts'
import { onLivePoints } from '../../subjects.ts'
import { failRefusal } from './refusal-fault.ts'
import { findStop, type Stop } from './stop-fault.ts'

const WHICH_HOST: Remedy = {
  nginx: 'before serve proxy_set_header Host $http_host; to the service its own Host',
  apache: 'before serve ProxyPreserveHost On; to the service ProxyPreserveHost Off',
  caddy: 'before serve no header_up Host; to the service header_up Host SERVICE_HOST',
  haproxy: 'before serve no set-header Host; to the service http-request set-header Host SERVICE_HOST',
  mounted: 'mount it before the routes of the site; it sends the Host of "service.url"',
}

export const forwarded: Rule = {
  id: 'live/forwarded',
  severity: 'error',
  title: 'The service answers at the point',
  why: "A point carries cookies only if its requests reach the service, under the service's own host name and at its continuation end. A page of the site, an error page of the front end or another virtual host may answer too, but then nothing is carried.",
  wrong: "a front end that passes on the site's Host, or whose rule for the point comes after a catch-all",
  right: 'nginx: location ^~ /service_cookie_transfer/ { proxy_set_header Host cobrowse.example.net; … }',
  fix: "Forward everything below the point's path to the service, with the service's own Host.",
  remedy: WHICH_HOST,
  needs: { rules: ['live/tls'], answers: ['verification'] },
  saidBy: ['service/same-host'],
  evaluate: (facts) =>
    onLivePoints((fact) => judge(fact, readArrival(fact)))(facts).map((each) => ({
      ...each,
      settings: [{ subject: { setting: 'service.url' }, location: facts.service?.location }],
    })),
}

function judge(fact: LiveFact, arrival: Arrival): Ruling {
  const { servicePath, point } = fact
  switch (arrival.kind) {
    case 'service':
    // live/redirect reports it, so the engine does not judge this rule.
    case 'redirected':
      return pass
    case 'inconclusive':
      return inconclusive(arrival.why)
    case 'refused':
      return failRefusal(fact, arrival.refusal)
    case 'stranger':
      return failStranger(fact, arrival.reply)
    case 'fields-lost':
      return fail(
        "The front end does not pass on the request's fields: Accept does not arrive at the service",
        withRemedy('Forward every field of the request, Cookie and Accept above all', ALL_FIELDS, fact),
      )
    case 'other-host':
      return failHost(fact, arrival)
    case 'other-path': {
      const arrived = toShownText(arrival.path)
      return fail(
        `The point is forwarded to another path of the service, ${arrived}`,
        withRemedy(`Forward ${point.path} to ${servicePath}`, toPath(servicePath), fact),
        { expected: servicePath, arrived },
      )
    }
  }
}

/** The service receives a Host that the config doesn't name: that of another service, or that of the site. */
function failHost(
  fact: LiveFact,
  { host = '', isCustomers }: Extract<Arrival, { readonly kind: 'other-host' }>,
) {
  const own = fact.serviceAuthority ?? '<SERVICE_HOST>'
  const arrived = toShownText(host.toLowerCase())
  const [what, fix] = isCustomers
    ? [
        `The service gets the Host ${arrived}, which is the host of the site`,
        `Send the service's own Host: ${own}`,
      ]
    : [
        `The point reaches another service than the config names, ${arrived}`,
        `Forward to ${own}, or correct "service.url" if that is the service`,
      ]
  return fail(what, withRemedy(fix, toServiceHost(own), fact), {
    expected: `Host: ${own}`,
    arrived: `Host: ${toShownText(host)}`,
  })
}

/** Something other than the service answered: what it says of itself, else what is missing to reach the service. */
function failStranger(fact: LiveFact, reply: ProbeReply): Ruling {
  const { message, fix, remedy } = findStop(fact, reply) ?? toStranger(fact, reply)
  const evidence = { sent: `GET ${fact.point.path}`, ...toReplyEvidence(reply) }
  return fail(message, withRemedy(fix, remedy, fact), evidence)
}

function toStranger({ point, serviceAuthority, servicePath }: LiveFact, reply: ProbeReply): Stop {
  const host = serviceAuthority ?? '<SERVICE_HOST>'
  // RFC 9110 section 15.5.20: the server that got the request doesn't have that host, and it is not the front end.
  if (reply.kind === 'response' && reply.status === 421 && !isOwnErrorPage(reply)) {
    return {
      message: `The service gets a Host that is not its own: ${toReplyText(reply)}`,
      fix: `Send the service's own Host: ${host}`,
      remedy: toServiceHost(host),
    }
  }
  const to = serviceAuthority === undefined ? 'the service' : `${serviceAuthority}${servicePath}`
  return {
    message: `The point does not reach the service: ${toReplyText(reply)}`,
    fix: `Forward everything below ${point.path} to continuation-point serve, or to ${to} with Host ${host}, before any other rule of the site`,
    remedy: toRoute(point.path),
  }
}

function toServiceHost(host: string): Remedy {
  return {
    nginx: `proxy_set_header Host ${host};`,
    apache: 'ProxyPreserveHost Off',
    caddy: `header_up Host ${host}`,
    haproxy: `http-request set-header Host ${host}`,
    mounted: 'it sends that Host; see "service.url"',
  }
}

function toPath(path: string): Remedy {
  return {
    nginx: 'proxy_pass with no path behind host and port',
    apache: `ProxyPass … ${path} nocanon`,
    caddy: 'handle in place of handle_path',
    haproxy: 'no http-request set-path',
    mounted: 'see "service.keepCookiePath"',
  }
}

function toRoute(path: string): Remedy {
  return {
    nginx: `location ^~ ${path} { proxy_pass …; }`,
    apache: `ProxyPass ${path} … before other ProxyPass lines`,
    caddy: `handle ${path}* { reverse_proxy … }`,
    haproxy: `use_backend … if { path_beg ${path} }`,
    mounted: 'mount it before the routes of the site',
  }
}

const ALL_FIELDS: Remedy = {
  nginx: 'no proxy_pass_request_headers off, no proxy_set_header Accept or Cookie',
  apache: 'no RequestHeader unset',
  caddy: 'no header_up with a minus',
  haproxy: 'no http-request del-header',
  mounted: 'no middleware that drops fields of the request',
}
