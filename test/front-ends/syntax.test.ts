import { describe, expect, it } from 'vitest'
import { legalConfigs } from './support/legal-configs.ts'
import { checkSite, servers, skips } from './support/real-server.ts'
import { type RenderedPart, renderParts, toHostLines } from './support/rendered.ts'
import { type HostBlock, smallestSites } from './support/smallest-site.ts'
import { toFiles, toKeyFiles } from './support/started-site.ts'

const rows = (['route', 'forward'] as const).flatMap((mode) =>
  legalConfigs.map(([what, config]) => ({ mode, what, config })),
)

describe.each(servers)('$name', (server) => {
  it.skipIf(skips(server)).each(rows)('accepts the parts for $mode: $what', async ({ mode, config }) => {
    const parts = renderParts(server.name, mode, { ...DEFAULTS, ...config })
    expect(parts.map(({ text }) => text).join('')).not.toContain('the-literal-key')
    const { code, output } = await checkSite(server, (folder) => ({
      'server.conf': smallestSites[server.name]?.(toBlocks(parts), folder) ?? '',
      ...toFiles(parts),
      ...toKeyFiles(server, KEYS),
    }))
    expect(code, output).toBe(0)
    expect(output).not.toMatch(COMPLAINT)
  })
})

/** Each host in a place of its own, on ports that anybody may listen on. */
function toBlocks(parts: readonly RenderedPart[]): readonly HostBlock[] {
  return toHostLines(parts).map((lines, index) => ({
    host: '127.0.0.1',
    port: 8000 + index,
    scheme: 'http',
    lines,
  }))
}

const KEYS = { WIDGET_KEY: 'key', WIDGET_KEY_1: 'key', UK_WIDGET_KEY: 'key' }
const DEFAULTS = { service: { url: 'https://service.example' }, widgetKey: 'the-literal-key' }
const COMPLAINT = /not formatted|\[(?:warn|emerg|error|alert|WARNING|ALERT)\]/i
