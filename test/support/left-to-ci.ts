import { env } from 'node:process'

/**
 * Whether this run leaves to CI what a change of the code can hardly break: the package and the image as they are
 * installed, the pipelines, and what other proxies do.
 */
export const isLeftToCi = env.CI === undefined
