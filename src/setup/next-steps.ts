import { findFrontEnd, frontEnds } from '../front-ends/index.ts'
import { toInlineJson } from '../text/json-text.ts'
import { count, wrap } from '../text/prose.ts'
import { type Program, quotePath, renderConfigFlag } from '../text/typed-command.ts'
import { type FirstConfig, PLACEHOLDER } from './first-config.ts'
import type { InitAnswers } from './questions.ts'

/** The written config, and what the next steps depend on. */
interface Written {
  readonly file: string
  readonly made: Pick<FirstConfig, 'points' | 'scopes' | 'text'>
  readonly answers: InitAnswers
  readonly program: Program
}

/** What `init` prints after it wrote the config: what is missing, and the next commands. */
export function renderNextSteps(written: Written): string {
  const { file, made, program } = written
  const { points, scopes } = made
  const name = quotePath(file)
  const missing = [
    ...(points.length === 0 ? ['the URLs of a point and of its page'] : []),
    ...(made.text.includes(PLACEHOLDER) ? ["the service's address"] : []),
  ]
  const lacking = [
    ...(missing.length === 0 ? [] : [`${missing.join(' and ')} into ${name}`]),
    'the widget key into the variable WIDGET_KEY',
  ]
  const others = frontEnds
    .slice(1)
    .map(({ name }) => name)
    .join(', ')
  const hint = written.answers.frontEnd === undefined ? ` (for nginx; else render ${others})` : ''
  const next = wrap('', `Next: put ${lacking.join(', and ')}. Then${hint}:`, 80)
  const config = renderConfigFlag(file)
  return `Wrote ${name}: ${count(points.length, 'point')}, ${count(scopes.length, 'cookie')}.
${scopes.length > 0 ? '' : `Add the cookies to transfer: see ${program} init --help.\n`}${next.join('\n')}

${toCommands(written)
  .map((line) => `${line === '' ? '' : `  ${line}`}\n`)
  .join('')}
Your account at the service has to list the same points and cookies. settings
apply writes them there, if the config has "apiKey"; settings sheet prints
what to type in the dashboard:

  ${program} settings apply${config}
  ${program} settings sheet${config}

Both keys are in the integration panel, below the widget code.
`
}

function toCommands({ file, answers: { frontEnd = 'nginx' }, program }: Written): readonly string[] {
  const config = renderConfigFlag(file)
  const check = `${program} check${config}`
  if (frontEnd === 'node') {
    return [
      "import { createServer } from 'node:http'",
      "import { openPoints } from 'continuation-point/node'",
      `const points = await openPoints(${toInlineJson(file)}, ${SECRETS})`,
      'site.use(points.listener) // before anything that reads bodies',
      'createServer({ maxHeaderSize: 65_536 }, site).listen(3000) // in place of site.listen: cookies make large heads',
      '',
      check,
    ]
  }
  const folder = findFrontEnd(frontEnd)?.home.folder
  const output = folder === undefined ? '' : ` --output ${folder}`
  return [`${program} render ${frontEnd}${config}${output}`, `${program} serve${config}`, check]
}

/** Values of the config's `env:NAME` references. */
const SECRETS = '{ env: process.env }'
