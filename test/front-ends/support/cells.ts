import type { PartFile } from './part-lines.ts'
import { certificateFile, loadNeededModules, nginxHabits, wholeCertificateFile } from './typical-site.ts'

/** The same site many times in one process: each on an address of its own, with parts of its own. */
export interface Cell {
  /** `c12`: a folder, and the start of names that have to differ. */
  readonly id: string
  /** On loopback. */
  readonly address: string
  readonly parts: readonly PartFile[]
  /** What the site includes or says in its own config. */
  readonly steps: readonly string[]
}

export interface CellsPlace {
  readonly folder: string
  readonly port: number
}

/** Files of a server that runs every cell, by path below its folder. */
export const cellFiles: Readonly<
  Record<string, (cells: readonly Cell[], place: CellsPlace) => Record<string, string>>
> = {
  nginx: (cells, { folder, port }) => ({
    'server.conf': `worker_processes 1;
events { worker_connections 1024; }
http {
  ${nginxHabits(folder)}
  access_log ${folder}/site.log combined;
  error_log ${folder}/site.log info;
  underscores_in_headers on;
  include ${cells[0]?.id ?? 'none'}/conf.d/*.conf;
  ssl_certificate ${certificateFile('service', 'cert')};
  ssl_certificate_key ${certificateFile('service', 'key')};
  ${cells
    .map(
      ({ id, address, steps }) => `server {
    listen ${address}:${port} ssl;
    server_name localhost;
    add_header Content-Security-Policy "default-src 'self'";
    location / { return 404; }
    location /shop/ { return 200 "the site's own"; }
    location = /error.html { internal; return 200 "the site's own"; }
    ${inFolder(id, steps.join(' '))}
  }`,
    )
    .join('\n  ')}
}
`,
    ...partFiles(cells, (id, text) => inFolder(id, text).replaceAll('/var/log/nginx/', `${folder}/${id}/`)),
  }),
  apache: (cells, { folder, port }) => ({
    'server.conf': `${loadNeededModules('deflate', 'filter')}
ServerRoot ${folder}
DefaultRuntimeDir ${folder}
ServerName localhost
ErrorLog ${folder}/site.log
AddOutputFilterByType DEFLATE text/html
IncludeOptional ${cells[0]?.id ?? 'none'}/conf-available/*.conf
${cells
  .map(
    ({ id, address, steps }) => `Listen ${address}:${port}
<VirtualHost ${address}:${port}>
  # Else httpd asks DNS for one.
  ServerName localhost
  SSLEngine On
  SSLCertificateFile ${certificateFile('service', 'cert')}
  SSLCertificateKeyFile ${certificateFile('service', 'key')}
  ${inFolder(id, steps.join('\n'))}
</VirtualHost>
`,
  )
  .join('')}`,
    ...partFiles(cells, inFolder),
  }),
  caddy: (cells, { port }) => ({
    'server.conf': `{
	auto_https disable_redirects
}
${cells
  .map(
    ({ id, address, steps }) => `https://:${port} {
	bind ${address}
	tls ${certificateFile('service', 'cert')} ${certificateFile('service', 'key')}
	${steps.map((step) => step.replace('import ', `import ${id}/`)).join('\n\t')}
}
`,
  )
  .join('')}`,
    ...partFiles(cells, (_id, text) => text),
  }),
  haproxy: (cells, { port }) => ({
    'server.conf': `${globalOf(cells[0])}
defaults
    mode http
    log stdout format raw local0
    log-format "%HU %ST %B"
    timeout connect 5s
    timeout client 50s
    timeout server 50s
${cells
  .map(
    ({ id, address, steps, parts }) => `frontend ${id}
    bind ${address}:${port} ssl crt ${wholeCertificateFile('service')} alpn h2,http/1.1
    ${steps.join('\n    ').replaceAll('continuation_', `${id}_`)}
    default_backend ${id}_site
backend ${id}_site
    http-request deny deny_status 404
${(parts[0]?.text ?? '')
  .replace(/^global\n(?: .*\n)*/m, '')
  .replaceAll(/\bcontinuation_/g, `${id}_`)
  .replaceAll(/(server once |bind )127\.[\d.]+:/g, `$1${address.replace('127.0.', '127.2.')}:`)}
`,
  )
  .join('')}`,
    'site.log': '',
  }),
}

function partFiles(
  cells: readonly Cell[],
  edit: (id: string, text: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    cells.flatMap(({ id, parts }) => parts.map(({ file, text }) => [`${id}/${file}`, edit(id, text)])),
  )
}

function inFolder(id: string, text: string): string {
  return text.replaceAll(/\b([Ii]nclude) (?=snippets|continuation-point)/g, `$1 ${id}/`)
}

/** HAProxy has one section for the whole process. */
function globalOf(cell: Cell | undefined): string {
  return /^global\n(?: .*\n)*/m.exec(cell?.parts[0]?.text ?? '')?.[0] ?? ''
}
