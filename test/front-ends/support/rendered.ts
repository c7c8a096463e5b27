import { renderProblems } from '../../../src/config/problem.ts'
import { findFrontEnd } from '../../../src/front-ends/index.ts'
import { type FrontEnd, type Part, renderPart } from '../../../src/front-ends/part.ts'
import { resolveSite, type Site, type SiteRequest } from '../../../src/front-ends/site.ts'
import { configOf } from '../../support/config-of.ts'

/** All that a front end gets for a config as it would be in a file, through the real parser. */
export function renderConfig(
  name: string,
  mode: SiteRequest['mode'],
  config: Record<string, unknown>,
  upstream = '127.0.0.1:8080',
): string {
  return renderParts(name, mode, config, upstream)
    .map(({ text }) => text)
    .join('\n')
}

/** The parts of a front end, by file, as they are written. */
export function renderParts(
  name: string,
  mode: SiteRequest['mode'],
  config: Record<string, unknown>,
  upstream = '127.0.0.1:8080',
): readonly RenderedPart[] {
  const parts = frontEndOf(name).parts(siteOf(mode, config, upstream))
  return parts.map((part) => ({ ...part, text: renderPart(part, name) }))
}

export type RenderedPart = Part & { readonly text: string }

/** What each host has to include, without what is for the whole server. */
export function toHostLines(parts: readonly RenderedPart[]): readonly (readonly string[])[] {
  const ofHost =
    /^(?:In the (?:virtual host|frontend) of|Once in each server block|At the top of the site block)/
  return parts
    .flatMap(({ steps }) => steps)
    .filter(({ what }) => ofHost.test(what))
    .map(({ lines }) => lines)
}

function frontEndOf(name: string): FrontEnd {
  const frontEnd = findFrontEnd(name)
  if (frontEnd === undefined) throw new Error(`no front end ${name}`)
  return frontEnd
}

function siteOf(mode: SiteRequest['mode'], config: Record<string, unknown>, upstream: string): Site {
  const made = resolveSite(configOf(config), { mode, upstream, nameServers: ['127.0.0.1'] })
  if ('problems' in made) throw new Error(renderProblems(made.problems))
  return made.site
}
