import type { FrontEnd } from '../../../src/front-ends/front-end.ts'
import { wrapMarkdown } from '../../support/wrap-markdown.ts'

/** How far a rendered text is tested, and the test that does it. */
export interface Proof {
  readonly word: 'tested' | 'executed' | 'read only'
  readonly test?: string
}

const suite = 'test/conformance/real-servers.test.ts'
const typed = 'test/front-ends/typed-texts.test.ts'

/** What the tests do with each. For those that are read only, the named test validates the text against a schema. */
export const proofs: Readonly<Record<string, Proof>> = {
  nginx: { word: 'tested', test: suite },
  apache: { word: 'tested', test: suite },
  caddy: { word: 'tested', test: suite },
  haproxy: { word: 'tested', test: suite },
  varnish: { word: 'tested', test: suite },
  lighttpd: { word: 'tested', test: suite },
  h2o: { word: 'tested', test: suite },
  trafficserver: { word: 'tested', test: suite },
  'cloudflare-worker': { word: 'executed', test: 'test/edge/rendered-worker.test.ts' },
  cloudfront: { word: 'executed', test: 'test/front-ends/edge.test.ts' },
  envoy: { word: 'read only', test: 'test/front-ends/envoy.test.ts' },
  traefik: { word: 'read only', test: typed },
  'gateway-api': { word: 'read only', test: typed },
  ingress: { word: 'read only', test: 'test/deploy/kubernetes.test.ts' },
  // No package registry has a schema for it.
  iis: { word: 'read only' },
}

/** Those that the conformance suite tests; its results have their own page. */
export const judgedFrontEnds: readonly string[] = Object.keys(proofs).filter(
  (name) => proofs[name]?.test === suite,
)

/** Writes the page about all front ends, in Markdown: what each gives, how it is tested, what stays different. */
export function toRecipesPage(frontEnds: readonly FrontEnd[]): string {
  const rows = frontEnds.map(
    ({ name, title, without }) =>
      `| [${title}](#${toAnchor(title)}) | \`render ${name}\` | ${toModes(without)} | ${toProofCell(name)} |`,
  )
  const sections = frontEnds.map(({ title, output, without, gaps }) =>
    [
      `## ${title}`,
      '',
      output,
      ...Object.entries(without ?? {}).map(
        ([mode, reason]) => `\nNo \`${mode}\`: ${reason.replace(/: use --mode .*/, '')}.`,
      ),
      '',
      ...gaps.map((gap) => `- ${gap}`),
    ].join('\n'),
  )
  return wrapMarkdown(`${[...preface, ...rows].join('\n')}\n\n${sections.join('\n\n')}\n`)
}

function toProofCell(name: string): string {
  const { word, test } = proofs[name] ?? {}
  if (test === suite) return `[${word}](conformance.md#${name})`
  return test === undefined ? (word ?? '') : `${word}: \`${test}\``
}

function toModes(without: FrontEnd['without'] = {}): string {
  return (['route', 'forward'] as const).filter((mode) => without[mode] === undefined).join(', ')
}

function toAnchor(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-')
}

const preface = [
  '# Front ends',
  '',
  '[`render`](../../docs/front-ends.md) writes lines for the front end of a site. *Route* sends the points to `serve`; *forward* (`--mode forward`) works without it.',
  '',
  `- *Tested.* The conformance suite runs against Debian’s server with these lines, in each mode (\`${suite}\`).`,
  '- *Executed.* The function runs in Node, the Worker in Node and in workerd, but not at the vendor.',
  '- *Read only.* Written from the vendor’s documentation, never run. The named test validates the text against the vendor’s schema.',
  '',
  'The sections say what differs from `serve`; the links in the last column lead to the cases that fail.',
  '',
  '| front end | command | modes | how tested |',
  '| --- | --- | --- | --- |',
]
