import { isCrossSite } from '../../place.ts'
import { fail, onPointsOfPages, pass, type Rule } from '../../rule.ts'

export const crossSite: Rule = {
  id: 'url/cross-site',
  severity: 'error',
  title: 'A page shares the registrable domain of the point',
  why: 'The widget ignores a continuation URL whose registrable domain is not that of the page where the session starts: the browser would not attach the cookies. Nothing says so; the cookies are just missing.',
  wrong: 'page https://www.example.com/, point https://www.example.net/service_cookie_transfer/',
  right: 'page https://www.example.com/, point https://www.example.com/service_cookie_transfer/',
  fix: "Put the point on a host of the page's site, or list the page that uses it.",
  reference: {
    text: 'HTML Standard, same site',
    url: 'https://html.spec.whatwg.org/multipage/browsers.html#same-site',
  },
  after: ['url/invalid'],
  phase: 'judge',
  evaluate: onPointsOfPages(({ place }, { pages, pagesBySite, prefix }) => {
    if (!isCrossSite(place, pagesBySite)) return pass
    const page = pages.find((each) => each.place !== undefined)?.place
    return fail(
      `No page is on the site ${place.site}, so the widget ignores this point`,
      `Put it on the page's site, as in ${page?.origin}${prefix}, or add the page that uses it to "pages"`,
      { site: place.site, pageSites: [...pagesBySite.keys()].slice(0, 10) },
    )
  }),
}
