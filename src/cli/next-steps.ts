import { findFrontEnd } from '../render/front-ends.ts'

/** What was written, and for whom the next steps are. */
export interface Written {
  readonly file: string
  readonly pointCount: number
  readonly cookieCount: number
  /** A name of `render`, `node`, or `undefined` when nobody told. */
  readonly frontEnd: string | undefined
  readonly keyVariables: readonly string[]
  readonly service: 'known' | 'unknown'
  /** How this program was called: `continuation-point`, `npx continuation-point`. */
  readonly program: string
}

/** What `init` prints once the config is written: what it lacks, and the commands that come next. */
export function renderNextSteps(written: Written): string {
  const { file, pointCount, cookieCount, service, keyVariables, program } = written
  const lacking = [
    ...(pointCount === 0 ? ['the URL of a point and of its page in it'] : []),
    ...(service === 'known' ? [] : ["the service's address in it"]),
    keyVariables.length > 1
      ? `the widget keys in the variables ${keyVariables.join(', ')}`
      : `the widget key in the variable ${keyVariables[0] ?? 'WIDGET_KEY'}`,
  ]
  const listing =
    cookieCount > 0
      ? ''
      : `The cookies to carry belong into it: ${program} scopes --help tells how to get them.\n`
  return `Wrote ${file}: ${count(pointCount, 'point')}, ${count(cookieCount, 'cookie')}.
${listing}Next: put ${lacking.join(', and ')}. Then:

${toCommands(written)
  .map((line) => `${line === '' ? '' : `  ${line}`}\n`)
  .join('')}`
}

function toCommands({ file, frontEnd = 'nginx', program }: Written): readonly string[] {
  const config = file === 'config.json' ? '' : ` --config ${quote(file)}`
  const check = `${program} check${config}`
  if (frontEnd === 'node') {
    return [
      "import { createServer } from 'node:http'",
      "import { openPoints } from 'continuation-point/node'",
      `const points = await openPoints(${JSON.stringify(file)}, ${SECRETS})`,
      'site.use(points.listener) // before whatever reads bodies',
      'createServer({ maxHeaderSize: 65_536 }, site).listen(3000) // in place of site.listen: cookies make large heads',
      '',
      check,
    ]
  }
  const folder = findFrontEnd(frontEnd)?.parts === undefined ? undefined : FOLDERS[frontEnd]
  const output = folder === undefined ? '' : ` --output ${folder}`
  return [`${program} render ${frontEnd}${config}${output}`, `${program} serve${config}`, check]
}

/** For a shell. */
function quote(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** Where `env:NAME` of the config is looked up. */
const SECRETS = '{ env: process.env }'

/** Where front ends that include parts have their config; whoever has it elsewhere says so. */
const FOLDERS: Readonly<Record<string, string>> = {
  nginx: '/etc/nginx',
  apache: '/etc/apache2',
  caddy: '/etc/caddy',
  haproxy: '/etc/haproxy',
}
