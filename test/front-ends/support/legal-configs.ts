const PREFIX = '/service_cookie_transfer/'

/** Unusual but valid configs: each with what is special about it. */
export const legalConfigs = Object.entries<Record<string, unknown>>({
  'one https point': { points: [`https://www.example.com${PREFIX}`] },
  'several origins, one of them on both schemes': {
    points: [
      `https://www.example.com${PREFIX}`,
      `https://www.example.com/shop${PREFIX}`,
      `http://www.example.com${PREFIX}`,
      { url: `https://www.example.co.uk:8443${PREFIX}`, widgetKey: 'env:UK_WIDGET_KEY' },
    ],
  },
  'international hosts, addresses and one long name': {
    points: [
      `https://bücher.example${PREFIX}`,
      `http://[2001:db8::1]:8081${PREFIX}`,
      `http://192.0.2.1${PREFIX}`,
      `https://${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.example${PREFIX}`,
    ],
  },
  'cookie paths that hold what configs use for themselves': {
    points: [
      "/$host/'/(a|b)*+",
      `/{}/{env.HOME}/{$HOME}/\${HOME}`,
      '/%20%22%5C%0A%00/%25%zz',
      '/;}/,[1]=^~!@&|',
      '/ünï/日本',
      '/%{ENV:HOME}/$1/%1/\u{1f36a}',
      '/"quoted"/`ticked`/<angled>',
    ].map((path) => `https://www.example.com${path}${PREFIX}`),
  },
  'every setting away from its default': {
    points: [`https://www.example.com/shop${PREFIX}`],
    service: { url: 'https://service.example:8443', keepCookiePath: true },
    forward: { clientAddress: 'omit' },
    timeouts: { connect: '250ms', headers: '2m', idle: '1s' },
    limits: { headerBytes: 8192, bodyBytes: 1_000_000 },
    log: { access: false },
  },
  'a service on an address': {
    points: [`http://www.example.com${PREFIX}`],
    service: { url: 'https://[2001:db8::5]' },
  },
  'another prefix': {
    points: ["http://www.example.com/$x'(a)/"],
    service: { url: 'http://127.0.0.1:1', prefix: "/$x'(a)/", ca: 'file:/etc/ssl/for-https-only.pem' },
  },
})
