import { describe, expect, it } from 'vitest'
import { legalConfigs } from './support/legal-configs.ts'
import { checkSite, checkSyntax, servers, skips } from './support/real-server.ts'
import { type RenderedPart, renderConfig, renderParts } from './support/rendered.ts'
import { toFiles } from './support/started-site.ts'
import { withCertificates } from './support/typical-site.ts'

const rows = (['route', 'forward'] as const).flatMap((mode) =>
  legalConfigs.map(([what, config]) => ({ mode, what, config })),
)

describe.each(servers)('$name', (server) => {
  it.skipIf(skips(server)).each(rows)(
    'accepts what is rendered for $mode: $what',
    async ({ mode, config }) => {
      const text = renderConfig(server.name, mode, { ...DEFAULTS, ...config })
      expect(text).not.toContain('the-literal-key')
      const { code, output } = await checkSyntax(server, withCertificates(text))
      expect(code, output).toBe(0)
      expect(output).not.toMatch(COMPLAINT)
    },
  )

  it.skipIf(skips(server) || smallestSites[server.name] === undefined).each(rows)(
    'accepts the parts for $mode: $what',
    async ({ mode, config }) => {
      const parts = renderParts(server.name, mode, { ...DEFAULTS, ...config })
      expect(parts.map(({ text }) => text).join('')).not.toContain('the-literal-key')
      const { code, output } = await checkSite(server, (folder) => ({
        'server.conf': `${server.name === 'apache' ? `ServerRoot ${folder}\n` : ''}${smallestSites[server.name]?.(parts) ?? ''}`,
        ...toFiles(parts, folder),
        ...Object.fromEntries(
          ['WIDGET_KEY', 'WIDGET_KEY_1', 'UK_WIDGET_KEY'].map((name) => [
            `continuation-point/${name}.conf`,
            'set $continuation_widget_key "key";',
          ]),
        ),
      }))
      expect(code, output).toBe(0)
      expect(output).not.toMatch(COMPLAINT)
    },
  )
})

/** Just enough around the parts, each host in a place of its own. */
const smallestSites: Readonly<Record<string, (parts: readonly RenderedPart[]) => string>> = {
  nginx: (parts) => `events {}
http {
  include conf.d/*.conf;
  ${parts
    .flatMap(({ steps }) =>
      steps.flatMap((step) => (step.what.startsWith('In the server block') ? [step.lines.join(' ')] : [])),
    )
    .map((lines, index) => `server { listen 127.0.0.1:${8000 + index}; ${lines} }`)
    .join('\n  ')}
}
`,
  caddy: (parts) =>
    parts
      .flatMap(({ steps }) =>
        steps.flatMap((step) => (step.what.startsWith('At the top of') ? [step.lines.join('\n\t')] : [])),
      )
      .map((lines, index) => `http://127.0.0.1:${8000 + index} {\n\t${lines}\n}\n`)
      .join(''),
  apache: (parts) => `${[
    'mpm_event',
    'authz_core',
    'env',
    'headers',
    'proxy',
    'proxy_http',
    'rewrite',
    'socache_shmcb',
    'ssl',
  ]
    .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
    .join('\n')}
ServerName localhost
ErrorLog /dev/null
IncludeOptional conf-available/*.conf
${parts
  .flatMap(({ steps }) =>
    steps.flatMap((step) => (step.what.startsWith('In the virtual host') ? [step.lines.join('\n')] : [])),
  )
  .map((lines, index) => `<VirtualHost *:${8000 + index}>\n${lines}\n</VirtualHost>\n`)
  .join('')}`,
  haproxy: (parts) => `defaults
    mode http
    timeout connect 5s
    timeout client 50s
    timeout server 50s
frontend site
    bind 127.0.0.1:8000
    ${stepsOf(parts, 'In the frontend').join('\n    ')}
`,
}

function stepsOf(parts: readonly RenderedPart[], start: string): readonly string[] {
  return parts
    .flatMap(({ steps }) => steps)
    .filter(({ what }) => what.startsWith(start))
    .map(({ lines }) => lines.join('\n'))
}

const DEFAULTS = { service: { url: 'https://service.example' }, widgetKey: 'the-literal-key' }
const COMPLAINT = /not formatted|\[(?:warn|emerg|error|alert|WARNING|ALERT)\]/i
