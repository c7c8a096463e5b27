import { isIpHost, isSingleLabelHost } from '../../../http/host.ts'
import { isListedPublicSuffix } from '../../../site/site.ts'
import { fail, pass, type Rule } from '../../rule.ts'
import { onReadablePoints } from '../subjects.ts'

export const ipHost: Rule = {
  id: 'url/ip-host',
  severity: 'warning',
  title: 'The host is a name with a registrable domain',
  why: 'An IP address or a single-label name (localhost) has no registrable domain. It is same-site only with itself, and no domain cookie reaches it: fine for a test on one machine, not for a website.',
  wrong: 'https://192.0.2.10/service_cookie_transfer/',
  right: 'https://www.example.com/service_cookie_transfer/',
  fix: 'Use the host name that visitors use.',
  reference: {
    text: 'URL Standard, registrable domain',
    url: 'https://url.spec.whatwg.org/#host-registrable-domain',
  },
  needs: { rules: ['url/invalid'] },
  evaluate: onReadablePoints(({ parsed }, { prefix }) => {
    const { host, scheme } = parsed
    const isBareLabel = isSingleLabelHost(host) && !isListedPublicSuffix(host)
    if (!isIpHost(host) && !isBareLabel) return pass
    return fail(
      `The host ${host} has no registrable domain: only pages on exactly this host can use the point`,
      `Use a host name, as in ${scheme}://www.example.com${prefix}; for a test on one machine, suppress this rule`,
    )
  }),
}
