import { parseUrl } from '../../http/url.ts'
import { toRegistrableDomain } from '../../site/site.ts'
import type { PageMarkup, ScriptElement } from './page-markup.ts'

/** How the widget is recognised. The URL of its script is not documented, so any script of the service counts. */
export interface WidgetMarks {
  /** `host:port` of the service and of its API. */
  readonly authorities: readonly string[]
  /** Of every account of the config; the widget code contains one, visible to all visitors. */
  readonly keys: readonly string[]
}

/** Whether the HTML of a page has the widget: its key, or a script of the service. Without it, a script may load it. */
export function readWidget(page: URL, markup: PageMarkup, { authorities, keys }: WidgetMarks) {
  if (keys.some((key) => key !== '' && markup.uncommented.includes(key))) return { kind: 'there' } as const
  const own = new Set(authorities)
  // If the service runs below the site's own domain, other scripts have that domain too, so it proves nothing.
  const domains = new Set(authorities.map(parseDomain))
  domains.delete(parseDomain(page.host))
  domains.delete(undefined)
  const isService = (authority: string) => own.has(authority) || domains.has(parseDomain(authority))
  const scripts = markup.scripts.filter(isRun)
  if (scripts.some((script) => findAuthorities(script, page).some(isService)))
    return { kind: 'there' } as const
  const loaders = scripts.flatMap((script) => findLoader(script, page) ?? [])
  // Naming a file helps the user more than "an inline script".
  const loader = loaders.find((name) => name !== INLINE) ?? loaders[0]
  return loader === undefined ? ({ kind: 'absent' } as const) : ({ kind: 'perhaps', loader } as const)
}

/** HTML Standard, the type attribute of script: JavaScript or a module. With another type it is data. */
function isRun({ attributes }: ScriptElement): boolean {
  const type = attributes.get('type')?.trim().toLowerCase() ?? ''
  return type === '' || type === 'module' || /^(?:text|application)\/(?:x-)?(?:java|ecma)script$/.test(type)
}

/** The host that a script is loaded from, and all hosts that it names in URLs. */
function findAuthorities({ attributes, text }: ScriptElement, page: URL): readonly string[] {
  const src = attributes.get('src')
  const url = src === undefined ? undefined : parseUrl(src, page.href)
  const named = [...attributes.values(), text].flatMap((each) => [...each.matchAll(HOST_IN_URL)])
  return [...(url === undefined ? [] : [url.host]), ...named.flatMap(([, host = '']) => host.toLowerCase())]
}

/** Any script that is run may load others; only running it would show. */
function findLoader({ attributes, text }: ScriptElement, page: URL): string | undefined {
  const src = attributes.get('src')
  if (src === undefined) return text.trim() === '' ? undefined : INLINE
  const url = parseUrl(src, page.href)
  if (url === undefined) return undefined
  return url.origin === page.origin ? url.pathname : url.host
}

function parseDomain(authority: string): string | undefined {
  const host = parseUrl(`http://${authority}`)?.hostname
  return host === undefined ? undefined : toRegistrableDomain(host)
}

const INLINE = 'an inline script'

/** Slashes may be escaped, as in JSON. */
const HOST_IN_URL = /\\?\/\\?\/([\w.-]+(?::\d{1,5})?)/g
