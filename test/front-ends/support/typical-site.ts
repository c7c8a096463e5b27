import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { certificate, pemOf } from '../../support/certificates/certificate.ts'

/** Where an existing site runs, and what it includes. */
export interface SitePlace {
  readonly folder: string
  /** Of the site's TLS listener, on 127.0.0.1. */
  readonly tlsPort: number
  /** Of the listener that redirects everyone to https. */
  readonly plainPort: number
  /** What has to be written for each host, by the steps of the parts; empty if a host has none. */
  readonly inShop: readonly string[]
  readonly inOther: readonly string[]
}

/** The shop's name, for which the test certificate is good; the other host has a certificate of its own. */
export const SHOP = 'localhost'
export const OTHER = 'other.example'

export function certificateFile(name: string, kind: 'cert' | 'key'): string {
  return certificate(`${name}.${kind}`)
}

/** HAProxy reads certificate and key from one file. */
export function wholeCertificateFile(name: string): string {
  wholeCertificates ??= openFolder()
  const file = join(wholeCertificates, `${name}.pem`)
  writeFileSync(file, pemOf(`${name}.cert`) + pemOf(`${name}.key`))
  return file
}

let wholeCertificates: string | undefined

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Where nginx may write. */
export function nginxFolders(folder: string): string {
  return `client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;`
}

/** What the nginx of a site says for all its hosts: folders of its own, compression, error pages. */
export function nginxHabits(folder: string): string {
  return `default_type text/html;
  ${nginxFolders(folder)}
  gzip on;
  gzip_types *;
  error_page 404 500 502 503 504 /error.html;`
}

/**
 * A site as it may have stood for years: two hosts with TLS, pages below a cookie path, static files by their ending, a
 * rule that gives all else to the application, a redirect to https, headers and compression of its own for all of them.
 */
export const typicalSites: Readonly<Record<string, (place: SitePlace) => string>> = {
  nginx: ({ folder, tlsPort, plainPort, inShop, inOther }) => `worker_processes 1;
events { worker_connections 512; }
http {
  ${nginxHabits(folder)}
  access_log ${folder}/access.log combined;
  error_log ${folder}/error.log info;
  include conf.d/*.conf;
  server {
    listen 127.0.0.1:${tlsPort} ssl http2;
    server_name ${SHOP};
    ssl_certificate ${certificateFile('service', 'cert')};
    ssl_certificate_key ${certificateFile('service', 'key')};
    add_header X-Frame-Options DENY;
    client_max_body_size 1m;
    location = / { return 200 "the shop"; }
    location / { try_files /none /index.php?$args; }
    location ~ \\.php$ { return 404; }
    location ~ /\\. { deny all; }
    location /shop/ { return 200 "the basket"; }
    location ~* \\.(?:css|html|js)$ { expires 1h; return 200 "static"; }
    location = /error.html { internal; return 200 "the shop's own error page"; }
    ${inShop.join('\n    ')}
  }
  server {
    listen 127.0.0.1:${tlsPort} ssl http2;
    server_name ${OTHER};
    ssl_certificate ${certificateFile('other-name', 'cert')};
    ssl_certificate_key ${certificateFile('other-name', 'key')};
    location / { return 200 "the other site"; }
    ${inOther.join('\n    ')}
  }
  server {
    listen 127.0.0.1:${plainPort};
    return 301 https://$host$request_uri;
  }
}
`,
  caddy: ({ tlsPort, plainPort, inShop, inOther }) => `{
	http_port ${plainPort}
	default_bind 127.0.0.1
}
${SHOP}:${tlsPort} {
	${inShop.join('\n\t')}
	tls ${certificateFile('service', 'cert')} ${certificateFile('service', 'key')}
	header X-Frame-Options DENY
	encode gzip
	handle /shop/* {
		respond "the basket"
	}
	@static path *.css *.html
	handle @static {
		respond "static"
	}
	handle / {
		respond "the shop"
	}
	handle_path /assets/* {
		respond "asset"
	}
	handle {
		root * /usr/share/empty
		try_files {path} /index.html
		file_server
	}
	handle_errors {
		respond "the shop's own error page"
	}
}
${OTHER}:${tlsPort} {
	${inOther.join('\n\t')}
	tls ${certificateFile('other-name', 'cert')} ${certificateFile('other-name', 'key')}
	respond "the other site"
}
`,
  apache: ({
    folder,
    tlsPort,
    plainPort,
    inShop,
    inOther,
  }) => `${loadNeededModules('alias', 'deflate', 'filter', 'http2', 'setenvif')}
ServerRoot ${folder}
DefaultRuntimeDir ${folder}
ServerName ${SHOP}
ErrorLog ${folder}/error.log
AddOutputFilterByType DEFLATE text/html text/plain application/json
Protocols h2 http/1.1
Listen 127.0.0.1:${tlsPort}
Listen 127.0.0.1:${plainPort}
IncludeOptional conf-available/*.conf
ErrorDocument 404 "the shop's own error page"
<VirtualHost 127.0.0.1:${tlsPort}>
  ServerName ${SHOP}
  SSLEngine On
  SSLCertificateFile ${certificateFile('service', 'cert')}
  SSLCertificateKeyFile ${certificateFile('service', 'key')}
  Header set X-Frame-Options DENY
  Redirect 301 /old /new
  ErrorDocument 410 "the basket"
  ${inShop.join('\n  ')}
  RewriteEngine On
  RewriteRule ^/shop/index - [G]
  RewriteCond %{REQUEST_URI} !^/index\\.php
  RewriteRule ^ /index.php [L]
</VirtualHost>
<VirtualHost 127.0.0.1:${tlsPort}>
  ServerName ${OTHER}
  SSLEngine On
  SSLCertificateFile ${certificateFile('other-name', 'cert')}
  SSLCertificateKeyFile ${certificateFile('other-name', 'key')}
  ${inOther.join('\n  ')}
</VirtualHost>
<VirtualHost 127.0.0.1:${plainPort}>
  RewriteEngine On
  RewriteRule ^ https://%{HTTP_HOST}%{REQUEST_URI} [R=301,L]
</VirtualHost>
`,
  haproxy: ({ folder, tlsPort, plainPort, inShop, inOther }) => `global
    maxconn 256
defaults
    mode http
    timeout connect 5s
    timeout client 50s
    timeout server 50s
frontend secure
    bind 127.0.0.1:${tlsPort} ssl crt ${wholeCertificateFile('service')} crt ${wholeCertificateFile('other-name')} alpn h2,http/1.1
    http-response set-header X-Frame-Options DENY
    compression algo gzip
    compression type text/html text/plain
    http-request redirect location /new code 301 if { path /old }
    ${inShop.join('\n    ')}
    ${inOther.join('\n    ')}
    use_backend %[path,map_beg(${folder}/paths.map)] if { path,map_beg(${folder}/paths.map) -m found }
    default_backend site
frontend plain
    bind 127.0.0.1:${plainPort}
    http-request redirect scheme https code 301
backend basket
    http-request return status 200 content-type text/plain string "the basket" if { path /shop/index }
    http-request deny deny_status 404
backend site
    http-request return status 200 content-type text/plain string "the shop" if { path / }
    http-request deny deny_status 404
`,
}

/** The lines that load modules of Apache from where Debian has them. */
export function loadModules(...names: readonly string[]): string {
  return names.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')
}

/** Those that both sites of Apache and every cell need, and more. */
export function loadNeededModules(...more: readonly string[]): string {
  const needed = ['authz_core', 'env', 'headers', 'proxy', 'proxy_http', 'rewrite']
  return loadModules('mpm_event', ...[...needed, 'socache_shmcb', 'ssl', 'unique_id', ...more].toSorted())
}
