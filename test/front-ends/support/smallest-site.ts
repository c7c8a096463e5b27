import type { RenderedPart } from './rendered.ts'
import { stepsFor } from './started-site.ts'
import { certificateFile, loadNeededModules, nginxFolders, wholeCertificateFile } from './typical-site.ts'

/** What a server serves for one host, and what is written there by the steps of the parts. */
export interface HostBlock {
  /** An IPv6 literal in brackets. */
  readonly host: string
  readonly port: number
  readonly scheme: 'http' | 'https'
  readonly lines: readonly string[]
}

/** The smallest config of a server that can hold parts: every page of its own is a 404. */
export const smallestSites: Readonly<
  Record<string, (blocks: readonly HostBlock[], folder: string) => string>
> = {
  nginx: (blocks, folder) => `events {}
http {
  ${nginxFolders(folder)}
  access_log ${folder}/site.log;
  error_log ${folder}/site.log;
  include conf.d/*.conf;
  ssl_certificate ${certificateFile('service', 'cert')};
  ssl_certificate_key ${certificateFile('service', 'key')};
  ${plainPorts(blocks)
    .map((port) => `server { listen 127.0.0.1:${port} default_server; return 404; }`)
    .join('\n  ')}
  ${blocks
    .map(
      ({ host, port, scheme, lines }) => `server {
    listen 127.0.0.1:${port}${scheme === 'https' ? ' ssl' : ''};
    server_name "${host}";
    location / { return 404; }
    ${lines.join('\n    ')}
  }`,
    )
    .join('\n  ')}
}
`,
  caddy: (blocks) =>
    blocks
      .map(
        ({ host, port, scheme, lines }) => `${scheme}://${host}:${port} {
	bind 127.0.0.1
	${scheme === 'https' ? `tls ${certificateFile('service', 'cert')} ${certificateFile('service', 'key')}\n\t` : ''}${lines.join('\n\t')}
	respond 404
}
`,
      )
      .join(''),
  apache: (blocks, folder) => `${loadNeededModules('setenvif')}
ServerRoot ${folder}
DefaultRuntimeDir ${folder}
ServerName site.invalid
ErrorLog ${folder}/site.log
IncludeOptional conf-available/*.conf
${[...new Set(blocks.map(({ port }) => `Listen 127.0.0.1:${port}`))].join('\n')}
${plainPorts(blocks)
  .map((port) => `<VirtualHost 127.0.0.1:${port}>\n  ServerName site.invalid\n</VirtualHost>`)
  .join('\n')}
${blocks
  .map(
    ({ host, port, scheme, lines }) => `<VirtualHost 127.0.0.1:${port}>
  ServerName ${host.startsWith('[') ? `site.invalid\n  ServerAlias ${host} ${host.slice(1, -1)}` : host}
  ${scheme === 'https' ? `SSLEngine On\n  SSLCertificateFile ${certificateFile('service', 'cert')}\n  SSLCertificateKeyFile ${certificateFile('service', 'key')}\n  ` : ''}${lines.join('\n  ')}
</VirtualHost>
`,
  )
  .join('')}`,
  haproxy: (blocks) => `global
    log stdout format raw local0
defaults
    mode http
    timeout connect 5s
    timeout client 50s
    timeout server 50s
${[...new Set(blocks.map(({ port }) => port))].map((port) => haproxyFrontend(blocks.filter((block) => block.port === port))).join('')}backend site
    http-request deny deny_status 404
`,
}

/** A block for each origin of the URLs, with what the steps of the parts have for it. */
export function toBlocks(parts: readonly RenderedPart[], urls: readonly string[]): readonly HostBlock[] {
  const origins = [...new Set(urls.map((url) => new URL(url).origin))].map((origin) => new URL(origin))
  return origins.map(({ hostname, port, protocol, origin }) => ({
    host: hostname,
    port: Number(port),
    scheme: protocol === 'https:' ? 'https' : 'http',
    // Of the origin in forward mode, of the host in route mode.
    lines: [origin, hostname].map((name) => stepsFor(parts, name)).find(({ length }) => length > 0) ?? [],
  }))
}

/** Whoever asks for another host there gets a place without parts. */
function plainPorts(blocks: readonly HostBlock[]): readonly number[] {
  return [...new Set(blocks.flatMap(({ port, scheme }) => (scheme === 'http' ? [port] : [])))]
}

function haproxyFrontend(blocks: readonly HostBlock[]): string {
  const [{ port, scheme }] = blocks as [HostBlock]
  const tls = scheme === 'https' ? ` ssl crt ${wholeCertificateFile('service')} alpn h2,http/1.1` : ''
  return `frontend at-${port}
    bind 127.0.0.1:${port}${tls}
    ${blocks.flatMap(({ lines }) => lines).join('\n    ')}
    default_backend site
`
}
