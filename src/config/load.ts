import type { Config } from './config.ts'
import { type Environment, findUnknownVariables, toEnvironmentOverrides, toNumber } from './environment.ts'
import { fileFault, type ReadFile } from './file-fault.ts'
import type { Path } from './location.ts'
import type { Override } from './overlay.ts'
import { parseConfig } from './parse.ts'
import type { Problem } from './problem.ts'

/** The default config file. */
export const defaultFile = 'config.json'

/** The sources of a config. Flags override the environment, which overrides the file. */
interface ConfigSource {
  /** The file of `--config`; by default `config.json` in the working directory, if it exists. */
  readonly file: string | undefined
  readonly flags: ConfigFlags
  readonly env: Environment
  readonly readFile: ReadFile
}

/** Values from the command line, as typed. */
export interface ConfigFlags {
  readonly host?: string | undefined
  readonly port?: string | undefined
  readonly adminPort?: string | undefined
  readonly points?: readonly string[] | undefined
  readonly pages?: readonly string[] | undefined
  readonly every?: string | undefined
}

export type LoadedConfig =
  | {
      readonly config: Config
      /** The file that was read, if there was one. */
      readonly file: string | undefined
    }
  | { readonly problems: readonly Problem[] }

/**
 * Loads the config. The default file may be missing: the environment and the flags may suffice, and each command checks
 * that it has what it needs. Secrets stay references (see `resolveSecrets`).
 */
export async function loadConfig({ file, flags, env, readFile }: ConfigSource): Promise<LoadedConfig> {
  const read = await readConfigFile(file, readFile)
  if ('problem' in read) return { problems: [read.problem] }
  const fromEnvironment = toEnvironmentOverrides(env)
  const overrides = [...fromEnvironment.overrides, ...toFlagOverrides(flags)]
  const text = read.text ?? '{}'
  const parsed = parseConfig(text, file ?? defaultFile, overrides)
  const problems = [
    ...('problems' in parsed ? parsed.problems : []),
    ...fromEnvironment.problems,
    ...findUnknownVariables(env, namedVariables(text)),
  ]
  if ('problems' in parsed || problems.length > 0) return { problems }
  return { config: parsed.config, file: read.text === undefined ? undefined : (file ?? defaultFile) }
}

/**
 * What a command found wrong with a config. If there is no config file, that comes first, and no problem has a line and
 * a column.
 *
 * @param file the file that was read, if there was one
 */
export function tellAbsentFile(problems: readonly Problem[], file: string | undefined): readonly Problem[] {
  const isMissing = ({ location }: Problem) => location.file === defaultFile
  if (file !== undefined || !problems.some(isMissing)) return problems
  const absent: Problem = {
    location: { file: defaultFile, pointer: '' },
    message: 'there is no config: this file does not exist',
    expected: 'a file that "continuation-point init" writes, or another one named with --config',
  }
  const withoutPosition = (problem: Problem): Problem =>
    isMissing(problem)
      ? { ...problem, location: { file: defaultFile, pointer: problem.location.pointer } }
      : problem
  return [absent, ...problems.map(withoutPosition)]
}

async function readConfigFile(
  file: string | undefined,
  readFile: ReadFile,
): Promise<{ readonly text: string | undefined } | { readonly problem: Problem }> {
  try {
    return { text: await readFile(file ?? defaultFile) }
  } catch (error) {
    const reason = fileFault(error, 'read')
    if (file === undefined && reason === 'it does not exist') return { text: undefined }
    const location = { file: file ?? defaultFile, pointer: '' }
    return { problem: { location, message: `the config can't be read: ${reason}`, expected: nextStep } }
  }
}

function toFlagOverrides(flags: ConfigFlags): readonly Override[] {
  const values: readonly (readonly [string, Path, Override['value'] | undefined])[] = [
    ['--host', ['listen', 'host'], flags.host],
    ['--port', ['listen', 'port'], flags.port && toNumber(flags.port)],
    ['--admin-port', ['admin', 'port'], flags.adminPort && toNumber(flags.adminPort)],
    ['URL', ['points'], flags.points],
    ['--page', ['pages'], flags.pages],
    ['--every', ['monitor', 'every'], flags.every],
  ]
  return values.flatMap(([pointer, path, value]) =>
    value === undefined ? [] : [{ path, value, location: { file: 'command line', pointer } }],
  )
}

/** All `env:NAME` references of the file, valid or not: these variables are not misspelt ones of ours. */
function namedVariables(text: string): readonly string[] {
  return [...text.matchAll(/"env:(\w+)"/g)].map(([, name = '']) => name)
}

const nextStep = 'a readable file; name another with --config'
