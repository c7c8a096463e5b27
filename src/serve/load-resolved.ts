import { type ConfigSource, loadWith } from '../config/load.ts'
import type { Problem } from '../config/problem.ts'
import { type ResolvedConfig, resolveConfig } from '../forward/resolved-config.ts'
import { type FileTexts, recordFiles } from './file-texts.ts'
import { findCertificateProblems } from './find-certificate-problems.ts'

/** A config that can be served. */
export interface Loaded {
  readonly resolved: ResolvedConfig
  /** What it was loaded from. */
  readonly files: FileTexts
  /** Those of them that are not the config itself. */
  readonly secrets: FileTexts
}

export type Loading = Loaded | { readonly problems: readonly Problem[] }

/** Loads a config with everything that it refers to. Reports all problems at once. */
export async function loadResolved({ file, flags, env, readFile }: ConfigSource): Promise<Loading> {
  const [ofConfig, ofSecrets] = [recordFiles(readFile), recordFiles(readFile)]
  const made = await loadWith({ file, flags, env, readFile: ofConfig.readFile }, (config) =>
    resolveConfig(config, { env, readFile: ofSecrets.readFile }),
  )
  if ('problems' in made) return made
  const problems = findCertificateProblems(made.resolved)
  return problems.length > 0
    ? { problems }
    : { ...made, files: { ...ofConfig.texts, ...ofSecrets.texts }, secrets: ofSecrets.texts }
}
