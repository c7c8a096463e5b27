import type { Config } from '../config/config.ts'
import { addProblemsOfRest, type ConfigSource, loadConfig, tellAbsentFile } from '../config/load.ts'
import type { Problem } from '../config/problem.ts'
import { type ResolvedConfig, resolveConfig } from '../forward/resolved-config.ts'
import { type FileTexts, recordFiles } from './file-texts.ts'
import { findCertificateProblems } from './find-certificate-problems.ts'

/** A config that can be served. */
export interface Loaded {
  readonly resolved: ResolvedConfig
  /** What it was loaded from. */
  readonly files: FileTexts
}

export type Loading = Loaded | { readonly problems: readonly Problem[] }

/** Loads a config with everything that it refers to. Reports all problems at once. */
export async function loadResolved({ file, flags, env, readFile }: ConfigSource): Promise<Loading> {
  const record = recordFiles(readFile)
  const source = { env, readFile: record.readFile }
  const parsed = await loadConfig({ file, flags, ...source })
  if ('problems' in parsed) {
    const findProblems = async (rest: Config) => {
      const made = await resolveConfig(rest, source)
      return 'problems' in made ? made.problems : []
    }
    return { problems: await addProblemsOfRest(parsed, findProblems) }
  }
  const made = await resolveConfig(parsed.config, source)
  if ('problems' in made) return { problems: tellAbsentFile(made.problems, parsed) }
  const problems = findCertificateProblems(made.resolved)
  return problems.length > 0 ? { problems } : { resolved: made.resolved, files: record.texts }
}
