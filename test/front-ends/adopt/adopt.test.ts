import { describe, expect, it } from 'vitest'
import { type Adopted, adoptFrontEnd } from '../../../src/front-ends/adopt.ts'

const PREFIX = '/service_cookie_transfer/'
const KEY = 'the-secret-key'

function adopt(text: string, prefix = PREFIX): Adopted {
  const adopted = adoptFrontEnd(text, prefix)
  if (typeof adopted === 'string') throw new Error(adopted)
  expect(JSON.stringify(adopted)).not.toContain(KEY)
  return adopted
}

/** What a row expects: points with the variable of their key, and the service. */
interface Row {
  readonly text: string
  readonly points: readonly string[]
  readonly origins?: readonly string[]
  readonly service?: string
  readonly variables?: readonly string[]
  /** A part of a note each, in any order; no other note may be there. */
  readonly notes?: readonly string[]
  /** How the note on the rules to remove begins. */
  readonly place?: string
}

const nginxRows: Readonly<Record<string, Row>> = {
  'a rule to the service, beside a redirect to https': {
    text: `
      server { listen 80; server_name www.example.com; return 301 https://$host$request_uri; }
      server {
        listen 443 ssl; listen [::]:443 ssl; server_name www.example.com;
        location / { root /srv; }
        location /service_cookie_transfer/ {
          proxy_pass https://cobrowse.example.net;
          proxy_set_header Host cobrowse.example.net;
          proxy_set_header X-Widget-Key "${KEY}";
          proxy_set_header X-Continuation-Origin https://www.example.com;
        }
      }`,
    points: ['https://www.example.com/service_cookie_transfer/'],
    service: 'https://cobrowse.example.net',
    notes: ['Line 6: the widget key of this rule is not copied; put it into the variable WIDGET_KEY.'],
  },
  'a rule to the service without our fields': {
    text: `server { listen 443 ssl; server_name www.example.com;
      location /service_cookie_transfer/ {
        proxy_pass https://cobrowse.example.net:8443; proxy_set_header Host www.example.com; } }`,
    points: ['https://www.example.com/service_cookie_transfer/'],
    service: 'https://cobrowse.example.net:8443',
  },
  'cookie paths in a pattern, two hosts, and serve behind it': {
    text: `server { listen 443 ssl; server_name www.example.com pay.example.com;
      location ~ ^(/shop|/shop/cart)?/service_cookie_transfer(/|$) { proxy_pass http://127.0.0.1:8080; } }`,
    points: ['https://www.example.com', 'https://pay.example.com'].flatMap((origin) => [
      `${origin}/shop/service_cookie_transfer/`,
      `${origin}/shop/cart/service_cookie_transfer/`,
      `${origin}/service_cookie_transfer/`,
    ]),
  },
  'upstreams, variables, inherited fields, a nested location and a port': {
    text: `http {
      upstream cobrowse { server cobrowse.example.net:8443; }
      server {
        listen 127.0.0.1:8443 ssl; server_name example.com;
        set $key ${KEY}; set $up cobrowse;
        proxy_set_header X-Widget-Key $key;
        location /shop/ { location ^~ /shop/service_cookie_transfer { proxy_pass https://$up; } }
      } }`,
    points: ['https://example.com:8443/shop/service_cookie_transfer/'],
    service: 'https://cobrowse.example.net:8443',
    notes: ['put it into the variable WIDGET_KEY'],
  },
  'TLS that ended before it': {
    text: `server { listen 8080; server_name www.example.com;
      location /service_cookie_transfer/ { proxy_pass https://s.example; proxy_set_header X-Continuation-Origin https://$host; } }`,
    points: ['https://www.example.com/service_cookie_transfer/'],
    service: 'https://s.example',
  },
  'two keys': {
    text: ['a', 'b', 'c']
      .map(
        (
          name,
        ) => `server { server_name ${name}.example.com; location /service_cookie_transfer/ { proxy_pass https://s.example;
        proxy_set_header X-Widget-Key ${KEY}${name === 'c' ? '2' : ''}; } }`,
      )
      .join('\n'),
    points: ['a', 'b', 'c'].map((name) => `http://${name}.example.com/service_cookie_transfer/`),
    variables: ['WIDGET_KEY', 'WIDGET_KEY', 'WIDGET_KEY_2'],
    service: 'https://s.example',
    notes: ['variable WIDGET_KEY.', 'variable WIDGET_KEY_2.'],
  },
  'no rule: the hosts are pages': {
    text: 'server { listen 80; listen 443 ssl; server_name www.example.com _ *.example.com ~^x; root /srv; }',
    points: [],
    origins: ['https://www.example.com'],
    notes: ['It has no rule for /service_cookie_transfer/', '*.example.com, ~^x'],
  },
  'a redirect to the slash': {
    text: `server { server_name www.example.com;
      location = /service_cookie_transfer { return 308 /service_cookie_transfer/; }
      location /service_cookie_transfer/ { proxy_pass http://127.0.0.1:8080; } }`,
    points: ['http://www.example.com/service_cookie_transfer/'],
  },
  'what it does not understand': {
    text: `include /etc/nginx/snippets/*.conf;
      server { server_name a.example.com;
        location ~ /[a-z]+/service_cookie_transfer/ { proxy_pass https://s.example; }
        location /service_cookie_transfer/deep/ { proxy_pass https://s.example; }
        location /x/service_cookie_transfer/ { return 404; }
        location /service_cookie_transfer/ { proxy_pass https://$service_host; proxy_set_header X-Widget-Key $key; } }
      server { server_name b.example.com; }`,
    points: ['http://a.example.com/service_cookie_transfer/'],
    notes: [
      'Line 1: /etc/nginx/snippets/*.conf is included, and was not read: "nginx -T" prints everything.',
      'Line 3: the paths of "location ~ /[a-z]+/service_cookie_transfer/" are not understood.',
      'Line 4: the paths of',
      'Line 5: "location /x/service_cookie_transfer/" forwards nothing',
      'Line 6: the widget key of this rule is not copied',
      'Line 6: the rule does not name the service by an https origin.',
      'Left out because they have no rule for /service_cookie_transfer/: http://b.example.com.',
    ],
  },
  'everything that nginx -T prints': {
    text: `nginx: configuration file /etc/nginx/nginx.conf test is successful
# configuration file /etc/nginx/nginx.conf:
http { include mime.types; include sites-enabled/*; }
# configuration file /etc/nginx/mime.types:
types { text/html html; }
# configuration file /etc/nginx/sites-enabled/shop:
server { server_name www.example.com; listen 443 ssl; include snippets/points.conf; }
# configuration file /etc/nginx/snippets/points.conf:

location /service_cookie_transfer/ { proxy_pass https://s.example; include snippets/points.conf; }
`,
    points: ['https://www.example.com/service_cookie_transfer/'],
    service: 'https://s.example',
    place: '/etc/nginx/snippets/points.conf:2: the output of render replaces',
  },
  'program text, comments, quotes and escapes': {
    text: `server { # a { comment
      server_name "www.example.com";
      content_by_lua_block { if x then y = "}" .. {1} end }
      log_format x '{ "a": "\\'b" }';
      location ~ "^/a{1,2};" { return 200 "}"; }
      if ($uri ~ \\{) { return 400; }
      location /service_cookie_transfer/ { proxy_pass http://\${up}:80; } }`.replace(' = "}" ..', ' ='),
    points: ['http://www.example.com/service_cookie_transfer/'],
  },
}

const apacheRows: Readonly<Record<string, Row>> = {
  'conditions: those on TLS redirect a host, others hide what a rule is for': {
    text: `<VirtualHost *:80>
  ServerName www.example.com
  RewriteEngine On
  RewriteCond %{HTTPS} !=on
  RewriteRule ^ https://%{HTTP_HOST}%{REQUEST_URI} [R=301,L]
</VirtualHost>
<VirtualHost *:443>
  ServerName www.example.com
  RewriteCond %{HTTP_USER_AGENT} bot
  RewriteRule ^ https://bots.example.com/ [R=302,L]
  RewriteCond %{THE_REQUEST} "/service_cookie_transfer/"
  RewriteRule ^ http://127.0.0.1:8080%{REQUEST_URI} [P]
</VirtualHost>`,
    points: [],
    origins: ['https://www.example.com'],
    notes: ['It has no rule', 'Line 12: the conditions of this RewriteRule are not understood.'],
  },
  'a host with TLS, and one that redirects to it': {
    text: `
<VirtualHost *:80>
  ServerName www.example.com
  Redirect permanent / https://www.example.com/
</VirtualHost>
<IfModule mod_ssl.c>
<VirtualHost *:443>
  ServerName www.example.com:443
  ServerAlias example.com *.example.com
  SSLEngine on
  ProxyPass "/service_cookie_transfer/" \\
    "https://cobrowse.example.net/service_cookie_transfer/" nocanon
  <Location "/service_cookie_transfer/">
    RequestHeader set X-Widget-Key "${KEY}"
    RequestHeader set X-Continuation-Origin "https://%{HTTP_HOST}s"
  </Location>
  ProxyPass /service_cookie_transfer/private !
</VirtualHost>
</IfModule>`,
    points: [
      'https://www.example.com/service_cookie_transfer/',
      'https://example.com/service_cookie_transfer/',
    ],
    service: 'https://cobrowse.example.net',
    notes: ['Line 11: the widget key of this rule is not copied', 'Line 7: names with wildcards'],
  },
  'patterns, rewrites, locations, definitions and a key of the environment': {
    text: `Define host www.example.com
Listen 8443
ServerName https://\${host}:8443
RequestHeader set X-Widget-Key "%{CO_KEY}e"
ProxyPassMatch "^/shop/service_cookie_transfer/(.*)$" "https://s.example/service_cookie_transfer/$1"
RewriteRule ^/?service_cookie_transfer/(.*) https://s.example/service_cookie_transfer/$1 [P,L]
<LocationMatch "^/(?:a|b)/service_cookie_transfer/">
  ProxyPass https://s.example
</LocationMatch>
Include conf.d/*.conf
Use Site`,
    points: ['/shop', '', '/a', '/b'].map(
      (path) => `https://www.example.com:8443${path}/service_cookie_transfer/`,
    ),
    variables: ['CO_KEY', 'CO_KEY', 'CO_KEY', 'CO_KEY'],
    service: 'https://s.example',
    notes: ['the variable CO_KEY', 'Line 10: conf.d/*.conf is included', 'Line 11: the macro Site is used'],
  },
  'no rule': {
    text: '<VirtualHost 192.0.2.1:443>\nServerName WWW.Example.com\n</VirtualHost>',
    points: [],
    origins: ['https://www.example.com'],
    notes: ['It has no rule'],
  },
}

const caddyRows: Readonly<Record<string, Row>> = {
  'patterns, and directives outside of any site': {
    text: `import common
handle /service_cookie_transfer/* {
  reverse_proxy 127.0.0.1:8080
}
www.example.com {
  @shop path_regexp shop ^/(a|b)/service_cookie_transfer/
  reverse_proxy @shop 127.0.0.1:8080
  @other vars_regexp {http.request.orig_uri} ^(?:https?://[^/?]*)?/service_cookie_transfer/
  handle @other {
    reverse_proxy 127.0.0.1:8080
  }
}`,
    points: ['/a', '/b'].map((path) => `https://www.example.com${path}/service_cookie_transfer/`),
    notes: [
      'Line 1: common is imported',
      'Line 2: "handle" is outside of any site',
      'Line 8: the matcher @other is not understood',
    ],
  },
  'two sites, a matcher with paths, and serve behind them': {
    text: `{
  email a@example.com
}
www.example.com,
pay.example.com {
  @points path /service_cookie_transfer/* /shop/service_cookie_transfer/*
  handle @points {
    reverse_proxy 127.0.0.1:8080
  }
  handle {
    respond <<HTML
      <p>}{"'</p>
      HTML 200
  }
}`,
    points: ['https://www.example.com', 'https://pay.example.com'].flatMap((origin) => [
      `${origin}/service_cookie_transfer/`,
      `${origin}/shop/service_cookie_transfer/`,
    ]),
  },
  'the service, by a rule of one line, in a file without braces': {
    text: `http://shop.example.com:8080
reverse_proxy /service_cookie_transfer/* https://cobrowse.example.net {
  header_up Host {upstream_hostport}
  header_up X-Widget-Key {env.CO_KEY}
  header_up -Forwarded
}
import common`,
    points: ['http://shop.example.com:8080/service_cookie_transfer/'],
    variables: ['CO_KEY'],
    service: 'https://cobrowse.example.net',
    notes: ['the variable CO_KEY', 'Line 7: common is imported, and was not read'],
  },
  'fields of the outer block, an upstream with TLS, invalid addresses': {
    text: `(snippet) {
  header X y
}
example.com:8443 *.example.com {$DOMAIN} :8080 {
  route {
    request_header X-Widget-Key ${KEY}
    handle_path /a/service_cookie_transfer* {
      reverse_proxy {
        to s.example:8443
        transport http {
          tls
        }
      }
    }
  }
  reverse_proxy /*/service_cookie_transfer/x* s.example:443
}`,
    points: ['https://example.com:8443/a/service_cookie_transfer/'],
    service: 'https://s.example:8443',
    notes: ['the variable WIDGET_KEY', 'Line 4: an address without', 'Line 16: the path /*/service_cookie'],
  },
  'snippets with arguments, in other snippets and in themselves': {
    text: `(points) {
  handle {args[0]}/service_cookie_transfer/* {
    import serve {args.1}
  }
  import points
}
(serve) {
  reverse_proxy 127.0.0.1:{args[0]}
}
www.example.com {
  import points "" 8080
  import points /shop 8080
  import elsewhere
}`,
    points: ['', '/shop'].map((path) => `https://www.example.com${path}/service_cookie_transfer/`),
    notes: [
      'Line 5: points is imported, and was not read',
      'Line 13: elsewhere is imported, and was not read',
    ],
  },
  'no certificates of its own': {
    text: '{\n  auto_https off\n}\nshop.example.com {\n  file_server\n}',
    points: [],
    origins: ['http://shop.example.com'],
    notes: ['It has no rule'],
  },
}

describe.each([
  ['nginx', nginxRows],
  ['apache', apacheRows],
  ['caddy', caddyRows],
] as const)('adopting a config of %s', (server, rows) => {
  it.each(Object.entries<Row>(rows))('%s', (_name, row) => {
    const adopted = adopt(row.text)
    expect(adopted.server).toBe(server)
    expect(adopted.points.map(({ url }) => url).sort()).toEqual([...row.points].sort())
    if (row.variables !== undefined)
      expect(adopted.points.map((point) => point.widgetKey)).toEqual(
        row.variables.map((name) => `env:${name}`),
      )
    expect(adopted.origins).toEqual(row.origins ?? [...new Set(row.points.map((url) => new URL(url).origin))])
    expect(adopted.service).toBe(row.service)
    const { notes = [] } = row
    const replaced = adopted.notes.filter((note) =>
      note.includes('the output of render replaces these rules'),
    )
    const leadsToService = row.service !== undefined || /X-(?:Widget-Key|Continuation-Origin)/.test(row.text)
    expect(replaced).toHaveLength(leadsToService ? 1 : 0)
    if (row.place !== undefined) expect(replaced[0]).toMatch(new RegExp(`^${row.place}`))
    expect(adopted.notes).toHaveLength(notes.length + replaced.length)
    for (const note of notes) expect(adopted.notes.join('\n')).toContain(note)
  })
})

describe('adoptFrontEnd', () => {
  it('finds the given prefix', () => {
    const text =
      'server { server_name a.example.com; location /vendor_cookies/ { proxy_pass http://127.0.0.1:1; } }'
    expect(adopt(text, '/vendor_cookies/').points).toHaveLength(1)
    expect(adopt(text).points).toEqual([])
  })

  it.each([
    [' \n', 'it is empty'],
    ['hello', 'it is not a config of nginx, Apache httpd or Caddy'],
    // README.md says so.
    ['frontend www\n  bind :80\n  use_backend points if { path_beg /x/ }\n', 'it is not a config of nginx'],
    ['server { listen 80; \u0000 }', 'control characters'],
    ['server {\n listen 80;\n', "as a config of nginx it can't be read past line 1: a block is not closed"],
    ['server {\n listen 80;\n}\n}', 'line 4: a block ends that was not opened'],
    ['server {\n return 200 "x;\n}', 'line 2: a quote is not closed'],
    ['server {\n listen 80;\n root /srv\n}', 'line 3: a directive does not end in a semicolon'],
    [`server { listen 80;\n${'a {'.repeat(40)}`, 'its blocks are nested too deeply'],
    ['<VirtualHost *:80>\nServerName x\n</Location>', 'line 3: </location> closes <virtualhost>'],
    ['example.com {\n reverse_proxy x:1\n', 'line 1: a block is not closed'],
  ])('says why %j can’t be read', (text, reason) => {
    expect(adoptFrontEnd(text, PREFIX)).toContain(reason)
  })

  it('reads no more than a megabyte', () => {
    expect(adoptFrontEnd(`# ${'x'.repeat(1_048_576)}`, PREFIX)).toContain('larger than 1 MiB')
  })

  it('ends on snippets that double at each level', () => {
    const snippets = Array.from(
      { length: 40 },
      (_, at) => `(s${at}) {\n${`  import s${at + 1}\n`.repeat(2)}}\n`,
    )
    const { notes } = adopt(`${snippets.join('')}www.example.com {\n  import s0\n}`)
    expect(notes.join()).toContain(' is imported, and was not read')
    expect(notes.length).toBeLessThan(100)
  })

  it('ends on files that include each other in every order', () => {
    const files = Array.from({ length: 14 }, (_, index) => `# configuration file /e/${index}:\ninclude *;\n`)
    expect(adoptFrontEnd(`${files.join('')}server { listen 80; }`, PREFIX)).toBeDefined()
  })

  it('ends on a pattern with many stars', () => {
    const files = ['m', `${'a'.repeat(60)}c`].map((name) => `# configuration file /e/${name}:\n`)
    const text = `${files[0]}include /e/${'a*'.repeat(30)}b;\nserver { listen 80; }\n${files[1]}`
    expect(adoptFrontEnd(text, PREFIX)).toBeDefined()
  })

  it('shows ten lines that it does not understand, and counts the rest', () => {
    const rows = Array.from({ length: 14 }, (_, index) => `include x${index};`)
    const { notes } = adopt(`${rows.join('\n')}\nserver { server_name a.example.com;\nlisten 80; }`)
    expect(notes.filter((note) => note.startsWith('Line'))).toHaveLength(10)
    expect(notes.at(-1)).toBe('4 more lines were not understood.')
  })

  it.each(['server {', '"', ';\n', '\\', '${', 'location ~ ((((', '<<A\n', '<', '#', '\n', ' '])(
    'ends on a long row of %j',
    (piece) => {
      const text = `server { listen 80;\n${piece.repeat(Math.floor(100_000 / piece.length))}`
      expect(adoptFrontEnd(text, PREFIX)).toBeDefined()
    },
  )
})
