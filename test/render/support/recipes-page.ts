import type { FrontEnd } from '../../../src/render/front-end.ts'

/** How far a rendered text has been proven: by driving the server, by its own checker, by running the function, or not. */
export type Proof = 'driven' | 'compiled' | 'executed' | 'not run'

/** Writes the page about all front ends, in Markdown: what each gives, how it was proven, what stays different. */
export function toRecipesPage(
  frontEnds: readonly FrontEnd[],
  proofs: Readonly<Record<string, Proof>>,
): string {
  const rows = frontEnds.map(
    ({ name, title, without }) =>
      `| [${title}](#${toAnchor(title)}) | \`render ${name}\` | ${toCell(without?.route)} | ${toCell(without?.forward)} | ${proofs[name] ?? 'not run'} |`,
  )
  const sections = frontEnds.map(({ title, output, without, gaps }) =>
    [
      `## ${title}`,
      '',
      output,
      ...Object.entries(without ?? {}).map(([mode, reason]) => `\nNo \`${mode}\`: ${reason}.`),
      '',
      'What stays different from what `serve` does:',
      '',
      ...gaps.map((gap) => `- ${gap}`),
    ].join('\n'),
  )
  return `${[...preface, ...rows].join('\n')}\n\n${sections.join('\n\n')}\n`
}

function toCell(reasonAgainst: string | undefined): string {
  return reasonAgainst === undefined ? 'yes' : 'no'
}

function toAnchor(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-')
}

const preface = [
  '# Front ends',
  '',
  '`continuation-point render FRONT_END` writes the config of your front end from `config.json`. `--mode route` (the default)',
  'sends the points to `serve`; `--mode forward` does without it. Secrets are never in the text: a comment says where the',
  'front end reads the widget key. Points on https listen in plain HTTP on port 80 (on 8443 beside a point on http of the',
  'same host), for whoever ends TLS in front; a comment says how to end TLS there instead.',
  '',
  'Driven: in the test suite the server itself checks the text, and requests go through it in both modes.',
  'Compiled: the server’s own compiler takes it. Executed: the function runs in Node. Not run: no server was at hand.',
  '',
  '| front end | command | route | forward | proof |',
  '| --- | --- | --- | --- | --- |',
]
