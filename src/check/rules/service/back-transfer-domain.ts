import type { Facts } from '../../facts.ts'
import { isCrossSite } from '../../parsed-url.ts'
import { fail, pass, type Rule, type Ruling } from '../../rule.ts'
import { onSetting } from '../subjects.ts'

export const backTransferDomain: Rule = {
  id: 'service/back-transfer-domain',
  severity: 'error',
  title: 'With back-transfer, the service runs under a domain of the pages',
  why: "Back-transfer returns cookies that changed in a session to the site. A browser accepts them only from a host of the site, so the service has to run under your own domain; the vendor's support sets that up.",
  wrong: '"backTransfer": true, service https://cobrowse.example.net, page https://www.example.com/',
  right: '"backTransfer": true, service https://cobrowse.example.com, page https://www.example.com/',
  fix: "Have the service run on a host of the pages' domain, or set backTransfer to false.",
  reference: {
    text: 'RFC 6265bis, storage model',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.7',
  },
  needs: { facts: ['backTransfer', 'service', 'pages'] },
  evaluate: (facts) => [onSetting('service.url', judge(facts), facts.service?.location)],
}

function judge({ service, pagesBySite }: Facts): Ruling {
  if (service === undefined || !isCrossSite(service.parsed, pagesBySite)) return pass
  const [site] = pagesBySite.keys()
  return fail(
    `backTransfer is on, but no page is on the service's site, ${service.parsed.site}`,
    `Set "service.url" to a host below ${site} (the vendor's support enables it), or "backTransfer" to false`,
    { serviceSite: service.parsed.site, pageSites: [...pagesBySite.keys()].slice(0, 10) },
  )
}
