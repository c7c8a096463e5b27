import type { FrontEnd } from '../../../src/render/front-end.ts'

/** How far a rendered text has been proven: by driving the server, by its own checker, by running the function, or not. */
export type Proof = 'driven' | 'compiled' | 'executed' | 'not run'

/** Writes the page about all front ends, in Markdown: what each gives, how it was proven, what stays different. */
export function toRecipesPage(
  frontEnds: readonly FrontEnd[],
  proofs: Readonly<Record<string, Proof>>,
): string {
  const rows = frontEnds.map(
    ({ name, title, without, parts }) =>
      `| [${title}](#${toAnchor(title)}) | \`render ${name}\` | ${toCell(without?.route)} | ${toCell(without?.forward)} | ${parts === undefined ? 'no' : 'yes'} | ${proofs[name] ?? 'not run'} |`,
  )
  const sections = frontEnds.map(({ title, output, without, gaps, parts }) =>
    [
      `## ${title}`,
      '',
      parts === undefined
        ? output
        : `Parts, or with \`--whole\`: ${output.charAt(0).toLowerCase()}${output.slice(1)}`,
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
  '`continuation-point render FRONT_END` prints what the front end takes, made from `config.json`: parts for a site that is',
  'there already, or with `--whole` a complete config, where points on https end TLS. `--output DIR` writes the files and says',
  'what is left to do. `--mode route` (the default) sends the points to `serve`; `--mode forward` does without it. Secrets are',
  'never in the text: a comment says where the front end reads the widget key.',
  '',
  'Driven: in the test suite the server itself checks both forms, requests go through them in both modes, and each line of the',
  'parts is left out in turn, so that something fails: `test/render/needed-lines.test.ts`.',
  'Compiled: the server’s own compiler takes it. Executed: the function runs in Node. Not run: no server was at hand.',
  '',
  '| front end | command | route | forward | `--whole` | proof |',
  '| --- | --- | --- | --- | --- | --- |',
]
