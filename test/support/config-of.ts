import type { Config } from '../../src/config/config.ts'
import { parseConfig } from '../../src/config/parse.ts'
import { renderProblems } from '../../src/config/problem.ts'
import { type ResolvedConfig, resolveConfig } from '../../src/forward/resolved-config.ts'

/** The config that a test writes, as values or as text; it has to be valid. */
export function configOf(written: object | string): Config {
  const text = typeof written === 'string' ? written : JSON.stringify(written)
  const parsed = parseConfig(text, 'config.json')
  if ('problems' in parsed) throw new Error(renderProblems(parsed.problems))
  return parsed.config
}

/** The same with its secrets, and with what its files hold. */
export async function resolvedConfigOf(
  written: object,
  readFile: (path: string) => Promise<string> = async () => '',
): Promise<ResolvedConfig> {
  const made = await resolveConfig(configOf(written), { env: {}, readFile })
  if ('problems' in made) throw new Error(renderProblems(made.problems))
  return made.resolved
}
