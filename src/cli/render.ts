import { tellAbsentFile } from '../config/absent-file.ts'
import { loadConfig } from '../config/load.ts'
import { renderProblems } from '../config/render-problems.ts'
import { suggest } from '../config/suggestion.ts'
import { findFrontEnd, frontEnds } from '../render/front-ends.ts'
import { parseNameServers } from '../render/name-servers.ts'
import { toSite } from '../render/site.ts'
import { type Arguments, defineCommand } from './command.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import type { Io } from './io.ts'

const options = {
  config: {
    type: 'string',
    value: 'FILE',
    summary: 'the config file (default: config.json, if there is one)',
  },
  mode: {
    type: 'string',
    value: 'MODE',
    choices: ['route', 'forward'],
    summary: 'route the points to serve (default), or forward them without it',
  },
  upstream: {
    type: 'string',
    value: 'HOST:PORT',
    summary: 'where serve listens (default: 127.0.0.1:8080)',
  },
} as const

const details = `The text goes to stdout: a whole config for the front end, or the part that is ours
where front ends are made of parts. Secrets are never in it: a comment says where the
front end reads the widget key.

Front ends:

${frontEnds.map(({ name, title }) => `  ${name.padEnd(20)}${title}`).join('\n')}`

export const command = defineCommand({
  name: 'render',
  summary: 'print the config of a front end',
  details,
  options,
  operands: { usage: 'FRONT_END', min: 1, max: 1 },
  run,
})

async function run({ values, operands }: Arguments<typeof options>, io: Io): Promise<ExitCode> {
  const [name = ''] = operands
  const mode = values.mode === 'forward' ? 'forward' : 'route'
  const frontEnd = findFrontEnd(name)
  if (frontEnd === undefined) return refuse(toUnknownFrontEnd(name), io)
  const reasonAgainst = frontEnd.without?.[mode]
  if (reasonAgainst !== undefined) return refuse(reasonAgainst, io)
  if (mode === 'forward' && values.upstream !== undefined) {
    return refuse('--upstream says where serve listens, and --mode forward works without serve', io)
  }
  const loaded = await loadConfig({ file: values.config, flags: {}, env: io.env, readFile: io.readFile })
  if ('problems' in loaded) {
    io.stderr(renderProblems(loaded.problems))
    return exitCode.usage
  }
  const made = toSite(loaded.config, {
    mode,
    upstream: values.upstream ?? '127.0.0.1:8080',
    nameServers: parseNameServers(await io.readFile('/etc/resolv.conf').catch(() => '')),
  })
  if ('problems' in made) {
    io.stderr(renderProblems(loaded.file === undefined ? tellAbsentFile(made.problems) : made.problems))
    return exitCode.usage
  }
  io.stdout(frontEnd.render(made.site))
  return exitCode.done
}

function refuse(message: string, io: Io): ExitCode {
  io.stderr(`continuation-point: ${message}\nSee continuation-point render --help.\n`)
  return exitCode.usage
}

function toUnknownFrontEnd(name: string): string {
  const suggestion = suggest(
    name,
    frontEnds.map((each) => each.name),
  )
  const question = suggestion === undefined ? '' : `, did you mean ${suggestion}?`
  return `unknown front end ${JSON.stringify(name)}${question}`
}
