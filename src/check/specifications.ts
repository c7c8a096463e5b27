import type { Reference } from './rule.ts'

// What rules refer to: a section of a specification, and what it is about.

export function rfc6265bis(section: string, about: string): Reference {
  const draft = 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis'
  return { text: `RFC 6265bis, ${about}`, url: `${draft}#section-${section}` }
}

export function rfc(number: number, section: string, about: string): Reference {
  return {
    text: `RFC ${number}, ${about}`,
    url: `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`,
  }
}

/** Its page on sites and origins. */
export function htmlStandard(anchor: string, about: string): Reference {
  return {
    text: `HTML Standard, ${about}`,
    url: `https://html.spec.whatwg.org/multipage/browsers.html#${anchor}`,
  }
}

export function urlStandard(anchor: string, about: string): Reference {
  return { text: `URL Standard, ${about}`, url: `https://url.spec.whatwg.org/#${anchor}` }
}
