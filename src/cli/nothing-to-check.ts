import { defaultFile } from '../config/absent-file.ts'
import type { LoadedConfig } from '../config/load.ts'

/**
 * What to tell who has points, pages and cookies checked and names none: a report on nothing would read as a pass.
 *
 * @param next what to do instead, before the ways that every command has
 */
export function findNothingToCheck(
  { config, file }: Exclude<LoadedConfig, { readonly problems: unknown }>,
  next: string,
): string | undefined {
  if (config.points.length + config.pages.length + config.cookies.length > 0) return undefined
  return file === undefined
    ? `there is no ${defaultFile} here, and there is nothing to check: ${next}, or write a config with continuation-point init`
    : `there is nothing to check: ${next}, or a config with points, pages or cookies`
}
