import { withoutTrailingDot } from '../../http/host.ts'
import { shorten } from '../../text/prose.ts'
import type { Facts } from '../facts.ts'
import { isCrossSite, type ParsedUrl } from '../parsed-url.ts'
import { cite, fail, failAsRule, pass, type RulesById, type Ruling } from '../rule.ts'
import { onSetting } from '../subjects.ts'

/** Rules on the service that the config names. */
export const serviceRules: RulesById = {
  'service/back-transfer-domain': {
    title: 'With back-transfer, the service runs under a domain of the pages',
    why: "Back-transfer returns cookies that changed in a session to the site. A browser accepts them only from a host of the site, so the service has to run under your own domain; the vendor's support sets that up.",
    wrong: '"backTransfer": true, service https://cobrowse.example.net, page https://www.example.com/',
    right: '"backTransfer": true, service https://cobrowse.example.com, page https://www.example.com/',
    fix: "Have the service run on a host of the pages' domain, or set backTransfer to false.",
    reference: cite('RFC 6265bis', '5.7', 'storage model'),
    needs: { facts: ['backTransfer', 'service', 'pages'] },
    evaluate: (facts) => [onSetting('service.url', judgeDomain(facts), facts.service?.location)],
  },
  'service/plain-http': {
    title: 'The service is reached over https, or is on this machine',
    why: 'Every cookie of a visitor, httpOnly ones included, travels from the point to the service, with the widget key. Over http anyone along the way can read them, so serve and render refuse such a config.',
    wrong: '"service": { "url": "http://cobrowse.example.net" }',
    right: '"service": { "url": "https://cobrowse.example.net" }',
    fix: 'Write https in service.url.',
    needs: { facts: ['service'] },
    evaluate: (facts) => [onSetting('service.url', judgeScheme(facts), facts.service?.location)],
  },
  'service/api-version': {
    title: 'service.api ends in /v2, the version of the REST API',
    why: 'The root of the REST API ends in /v2. At any other address every call is answered 404, and the account can neither be read nor changed.',
    wrong: '"api": "https://cobrowse.example.net"',
    right: '"api": "https://cobrowse.example.net/v2"',
    fix: 'Write the version at the end of service.api.',
    evaluate: ({ api }) => {
      if (api === undefined) return []
      const ruling = /\/v2$/.test(api.url)
        ? pass
        : fail(
            'The address of the REST API does not end in its version, /v2',
            `Write "api": "${api.url.replace(/\/v\d+$/, '')}/v2" in "service"`,
          )
      return [onSetting('service.api', ruling, api.location)]
    },
  },
  'service/same-host': {
    title: "The service is not on a point's own host and port",
    why: 'The proxy forwards what arrives at a point to the service. If the service has the same host and port as a point, requests return to the proxy in a loop.',
    wrong: 'service https://www.example.com, point https://www.example.com/service_cookie_transfer/',
    right: 'service https://cobrowse.example.net, point https://www.example.com/service_cookie_transfer/',
    fix: 'Write the host of the co-browsing service in "service.url".',
    reference: cite('RFC 9110', '7.6.3', 'loop detection with Via'),
    needs: { facts: ['service'] },
    evaluate: (facts) => [onSetting('service.url', judgeHost(facts), facts.service?.location)],
  },
}

function judgeDomain({ service, pagesBySite }: Facts): Ruling {
  if (service === undefined || !isCrossSite(service.parsed, pagesBySite)) return pass
  const [site] = pagesBySite.keys()
  return fail(
    `backTransfer is on, but no page is on the service's site, ${service.parsed.site}`,
    `Set "service.url" to a host below ${site} (the vendor's support enables it), or "backTransfer" to false`,
    { serviceSite: service.parsed.site, pageSites: shorten([...pagesBySite.keys()]) },
  )
}

function judgeScheme({ service }: Facts): Ruling {
  if (service === undefined || service.parsed.scheme === 'https' || service.parsed.loopback) return pass
  return fail(
    'Cookies and the widget key would travel to the service unencrypted',
    `Write "url": "${service.parsed.origin.replace(/^http:/, 'https:')}" in "service"`,
  )
}

function judgeHost({ service, points }: Facts): Ruling {
  if (service === undefined) return pass
  const authority = toHostAndPort(service.parsed)
  const same = points.find(({ parsed }) => parsed !== undefined && toHostAndPort(parsed) === authority)
  if (same === undefined) return pass
  return failAsRule(
    `The service and the point ${same.shown} are both on ${authority}: the proxy would call itself`,
    { point: same.shown },
  )
}

// A trailing dot makes no difference to DNS, and so to the proxy.
function toHostAndPort({ url, host, scheme }: ParsedUrl): string {
  return `${withoutTrailingDot(host)}:${new URL(url).port || (scheme === 'https' ? 443 : 80)}`
}
