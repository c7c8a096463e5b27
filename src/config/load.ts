import { isDeepStrictEqual } from 'node:util'
import type { Config } from './config.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { fileFault, type ReadFile } from './file-fault.ts'
import { type Override, parseConfig } from './parse.ts'
import type { Location, OrProblems, Problem } from './problem.ts'

export const DEFAULT_FILE = 'config.json'

/** The sources of a config. Flags override the environment, which overrides the file. */
export interface ConfigSource {
  /** The file of `--config`; by default `config.json` in the working directory, if it exists. */
  readonly file: string | undefined
  readonly flags: ConfigFlags
  readonly env: Environment
  readonly readFile: ReadFile
}

export type ConfigFlags = { readonly [Name in keyof typeof FLAG_PATHS]?: Override['value'] | undefined }

export interface LoadedConfig {
  readonly config: Config
  readonly file: string | undefined
}

/** Loads the config. Without the default file, environment and flags may suffice: each command checks what it needs. */
export async function loadConfig(source: ConfigSource): Promise<OrProblems<LoadedConfig>> {
  const { problems, config, file } = await loadSound(source)
  return config === undefined || problems.length > 0 ? { problems } : { config, file }
}

/** Loads the config, and makes of it what a command needs; reports all problems of both, each once. */
export async function loadWith<Made extends object>(
  source: ConfigSource,
  make: (config: Config) => Promise<OrProblems<Made>>,
): Promise<OrProblems<Made>> {
  const { problems, config, file } = await loadSound(source)
  if (config === undefined) return { problems }
  const made = await make(config)
  if (!('problems' in made)) return problems.length === 0 ? made : { problems }
  const isNew = ({ location }: Problem) =>
    !problems.some((each) => isDeepStrictEqual(each.location, location))
  return { problems: [...problems, ...tellAbsentFile(made.problems, { config, file }).filter(isNew)] }
}

/** All problems, and the config without the variables and flags that have some; without it if the file has problems itself. */
async function loadSound({ file, flags, env, readFile }: ConfigSource) {
  const name = file ?? DEFAULT_FILE
  const read = await readConfigFile(file, readFile)
  if ('problem' in read) return { problems: [read.problem] }
  const { text = '{}' } = read
  // These variables are not misspelt ones of ours, even if the file is invalid.
  const referenced = [...text.matchAll(/"env:(\w+)"/g)].map(([, named = '']) => named)
  const fromEnvironment = readEnvironment(env, referenced)
  const overrides = [...fromEnvironment.overrides, ...readFlags(flags)]
  const parsed = parseConfig(text, name, overrides)
  const found = 'problems' in parsed ? parsed.problems : []
  const rest = 'config' in parsed ? parsed : parseConfig(text, name, withoutFaulty(overrides, found))
  return {
    problems: [...found, ...fromEnvironment.problems],
    config: 'config' in rest ? rest.config : undefined,
    file: read.text === undefined ? undefined : name,
  }
}

/**
 * What a command found wrong with a config. If there is no config file, that comes first, and no problem has a line and
 * a column; if there are no variables either, it is the cause of all that is missing.
 */
export function tellAbsentFile(
  problems: readonly Problem[],
  { config, file }: LoadedConfig,
): readonly Problem[] {
  const isMissing = ({ location }: Problem) => location.file === DEFAULT_FILE
  if (file !== undefined || !problems.some(isMissing)) return problems
  const absent: Problem = {
    location: { file: DEFAULT_FILE, pointer: '' },
    message: 'there is no config: this file does not exist',
    expected:
      'a file that the command init writes, another one named with --config, ' +
      'or the variables CONTINUATION_SERVICE_URL, CONTINUATION_POINTS and CONTINUATION_WIDGET_KEY',
  }
  const { points, service, widgetKey } = config
  if (points.length === 0 && service.api === undefined && widgetKey === undefined)
    return [absent, ...problems.filter((problem) => !isMissing(problem))]
  const withoutPosition = ({ file, pointer }: Location) => ({ file, pointer })
  return [absent, ...problems.map((each) => ({ ...each, location: withoutPosition(each.location) }))]
}

/** Without the service's URL, a command would report that there is none. */
function withoutFaulty(overrides: readonly Override[], problems: readonly Problem[]): readonly Override[] {
  return overrides.flatMap((override) => {
    if (!problems.some(({ location }) => location === override.location)) return [override]
    return override.path.join('.') === 'service.url'
      ? [{ ...override, value: 'https://unknown.invalid' }]
      : []
  })
}

async function readConfigFile(file: string | undefined, readFile: ReadFile) {
  try {
    return { text: await readFile(file ?? DEFAULT_FILE) }
  } catch (error) {
    const reason = fileFault(error, 'read')
    if (file === undefined && reason === 'it does not exist') return { text: undefined }
    const location = { file: file ?? DEFAULT_FILE, pointer: '' }
    const expected = 'the path of a readable file'
    return { problem: { location, message: `the config can't be read: ${reason}`, expected } }
  }
}

function readFlags(flags: ConfigFlags): readonly Override[] {
  return Object.entries(FLAG_PATHS).flatMap(([name, [pointer, ...path]]) => {
    const value = flags[name as keyof ConfigFlags]
    return value === undefined ? [] : [{ path, value, location: { file: 'command line', pointer } }]
  })
}

/** How each is written, and what it overrides. */
const FLAG_PATHS = {
  host: ['--host', 'listen', 'host'],
  port: ['--port', 'listen', 'port'],
  adminPort: ['--admin-port', 'admin', 'port'],
  prefix: ['--prefix', 'service', 'prefix'],
  points: ['URL', 'points'],
  pages: ['--page', 'pages'],
} as const
