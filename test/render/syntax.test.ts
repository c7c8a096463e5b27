import { describe, expect, it } from 'vitest'
import { legalConfigs } from './support/legal-configs.ts'
import { checkSyntax, servers, skips } from './support/real-server.ts'
import { renderConfig } from './support/rendered.ts'

const rows = (['route', 'forward'] as const).flatMap((mode) =>
  legalConfigs.map(([what, config]) => ({ mode, what, config })),
)

describe.each(servers)('$name', (server) => {
  it.skipIf(skips(server)).each(rows)(
    'accepts what is rendered for $mode: $what',
    async ({ mode, config }) => {
      const text = renderConfig(server.name, mode, {
        service: { url: 'https://service.example' },
        widgetKey: 'the-literal-key',
        ...config,
      })
      expect(text).not.toContain('the-literal-key')
      const { code, output } = await checkSyntax(server, text)
      expect(code, output).toBe(0)
      expect(output).not.toMatch(/not formatted|\[(?:warn|emerg|error|alert|WARNING|ALERT)\]/i)
    },
  )
})
