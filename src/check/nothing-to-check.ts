import { defaultFile, type LoadedConfig } from '../config/load.ts'

/**
 * The message for a check without points, pages and cookies: an empty report would read as a pass.
 *
 * @param next what to do, besides what every command suggests
 */
export function findNothingToCheck({ config, file }: LoadedConfig, next: string): string | undefined {
  if (config.points.length + config.pages.length + config.cookies.length > 0) return undefined
  return file === undefined
    ? `there is no ${defaultFile} here, and there is nothing to check: ${next}, or write a config with the command init`
    : `there is nothing to check: ${file} has no points, pages or cookies; add some, or ${next}`
}
