import { toPointUrl } from '../../carrying-url.ts'
import type { Facts } from '../../facts.ts'
import { fail, onReadablePages, pass, type Rule } from '../../rule.ts'

export const noPoint: Rule = {
  id: 'page/no-point',
  severity: 'error',
  title: 'A point is on the origin of the page',
  why: 'One continuation point is needed for each place where the widget is used: each host, and http apart from https. Without one on its own origin the page carries no httpOnly cookie of its host.',
  wrong: 'page https://shop.example.com/, the only point https://www.example.com/service_cookie_transfer/',
  right: 'page https://shop.example.com/, a point https://shop.example.com/service_cookie_transfer/',
  fix: "Add a point on the page's own scheme, host and port.",
  reference: {
    text: 'HTML Standard, origin',
    url: 'https://html.spec.whatwg.org/multipage/browsers.html#origin',
  },
  needs: { rules: ['page/invalid'] },
  phase: 'judge',
  evaluate: (facts) => {
    const origins = toPointOrigins(facts)
    return onReadablePages(({ place }, { prefix }) =>
      origins.has(place.origin)
        ? pass
        : fail(
            `No point is on ${place.origin}, the origin of this page`,
            `Add ${toPointUrl(place.origin, '/', prefix)} to "points"`,
          ),
    )(facts)
  },
}

function toPointOrigins({ points }: Facts): ReadonlySet<string> {
  return new Set(points.flatMap(({ point }) => point?.origin ?? []))
}
