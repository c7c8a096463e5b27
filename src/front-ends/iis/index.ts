import { NOT_STORED } from '../../forward/field-rules.ts'
import { toMarkup } from '../../text/escape.ts'
import { RESPONSE_REMOVED, ROUTE_REMOVED, requestRemoved } from '../fields.ts'
import type { FrontEnd } from '../front-end.ts'
import { element, indent } from '../indent.ts'
import type { SiteOrigin, SitePoint } from '../origins.ts'
import { wholeFile } from '../part.ts'
import { quoteRegex } from '../quote.ts'
import { DOTS_REFUSED } from '../refused.ts'
import { describePurpose, type Site, toTargetUrl } from '../site.ts'

export const iis: FrontEnd = {
  name: 'iis',
  title: 'IIS',
  output: 'A web.config for IIS 10 with URL Rewrite 2.1 and Application Request Routing 3.',
  gaps: [
    'ARR appends to X-Forwarded-For, and adds X-Original-URL and X-ARR-LOG-ID, its id of the request; in forward mode there is no X-Request-Id.',
    'TLS to the service is verified against the certificate store of the machine: import service.ca there.',
    'Limits of request heads are set in the registry of http.sys (MaxFieldLength, MaxRequestBytes).',
  ],
  parts: (site) => wholeFile('web.config', render(site)),
}

function render(site: Site): readonly string[] {
  const { origins, target, headerBytes, bodyBytes } = site
  const isRoute = target.kind === 'route'
  const preface = [
    describePurpose('IIS', site),
    '',
    `Once for the server (appcmd, section system.webServer/proxy): enabled="true", preserveHostHeader="${isRoute}", reverseRewriteHostInResponseHeaders="false", and every server variable`,
    'that is set below must be in system.webServer/rewrite/allowedServerVariables.',
    ...(isRoute
      ? []
      : [
          'IIS reads no environment here: put the widget keys into continuation-keys.config next to this file,',
          '  <rewriteMaps><rewriteMap name="WidgetKeys"><add key="NAME" value="the key" /></rewriteMap></rewriteMaps>',
        ]),
  ]
  const rules = origins.flatMap((origin) => origin.points.flatMap((point) => rule(site, origin, point)))
  const rewrite = [
    ...(isRoute ? [] : ['<rewriteMaps configSource="continuation-keys.config" />']),
    ...element('rules', rules),
    ...(isRoute ? [] : outboundRules()),
  ]
  const mostBytes = Math.min(bodyBytes ?? MOST_BYTES, MOST_BYTES)
  const security = [
    '<!-- Encoded characters in a path are forwarded as they are. -->',
    ...element('requestFiltering allowDoubleEscaping="true"', [
      `<requestLimits maxQueryString="${headerBytes}" maxUrl="${headerBytes}" maxAllowedContentLength="${mostBytes}" />`,
    ]),
  ]
  const webServer = [...element('rewrite', rewrite), ...element('security', security)]
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<!--',
    ...indent(preface),
    '-->',
    ...element('configuration', element('system.webServer', webServer)),
  ]
}

/** UNENCODED_URL holds the path as received, query included; everything else in IIS is decoded. */
function rule(site: Site, { url, scheme, authorities }: SiteOrigin, point: SitePoint): string[] {
  const { target } = site
  const { path, strippedPath, keyName } = point
  const kept = quoteRegex(path.slice(strippedPath.length))
  const names = authorities.map(quoteRegex).join('|')
  const conditions = [
    `<add input="{HTTP_HOST}" pattern=${quoteAttribute(`^(?:${names})$`)} />`,
    ...(scheme === 'https'
      ? ['<add input="{HTTP_X_FORWARDED_PROTO}" pattern="^http$" negate="true" />']
      : []),
    `<add input="{UNENCODED_URL}" pattern=${quoteAttribute(DOTS_REFUSED)} negate="true" />`,
    `<add input="{UNENCODED_URL}" pattern=${quoteAttribute(`^${quoteRegex(strippedPath)}(${kept}.*)$`)} ignoreCase="false" />`,
  ]
  const isRoute = target.kind === 'route'
  const removed = isRoute ? ROUTE_REMOVED : [...requestRemoved(site), 'X-Request-Id']
  const set = isRoute
    ? { 'X-Forwarded-Proto': scheme }
    : { 'X-Widget-Key': `{WidgetKeys:${keyName}}`, 'X-Continuation-Origin': url }
  const variables = Object.entries({ ...Object.fromEntries(removed.map((name) => [name, ''])), ...set }).map(
    ([name, value]) => `<set name="${toVariable('HTTP', name)}" value=${quoteAttribute(value)} />`,
  )
  return element(`rule name=${quoteAttribute(`continuation point ${url}${path}`)} stopProcessing="true"`, [
    '<match url=".*" />',
    ...element('conditions trackAllCaptures="false"', conditions),
    ...element('serverVariables', variables),
    `<action type="Rewrite" url=${quoteAttribute(`${toTargetUrl(target)}{C:1}`)} appendQueryString="false" logRewrittenUrl="false" />`,
  ])
}

function outboundRules(): string[] {
  return element('outboundRules', [
    '<!-- These would affect more of the site than this response. -->',
    ...RESPONSE_REMOVED.flatMap((name) =>
      outboundRule(`remove ${name}`, toVariable('RESPONSE', name), '.+', ''),
    ),
    ...outboundRule('add Cache-Control', 'RESPONSE_Cache_Control', '^$', NOT_STORED),
  ])
}

function outboundRule(name: string, variable: string, pattern: string, value: string): string[] {
  return element(`rule name="${name}"`, [
    `<match serverVariable="${variable}" pattern="${pattern}" />`,
    `<action type="Rewrite" value="${value}" />`,
  ])
}

function toVariable(side: 'HTTP' | 'RESPONSE', name: string): string {
  const folded = name.replaceAll('-', '_')
  return `${side}_${side === 'HTTP' ? folded.toUpperCase() : folded}`
}

const MOST_BYTES = 4_294_967_295

/** The value of an XML attribute, with its quotes. */
function quoteAttribute(text: string): string {
  return `"${toMarkup(text)}"`
}
