import { Secret } from '../config/secret.ts'

/**
 * The key that a caller gave, wrapped. An empty one is none: that is what `process.env.API_KEY ?? ''` gives where no key
 * is set.
 */
export function toKey(given: Secret | string | undefined): Secret | undefined {
  const key = typeof given === 'string' ? new Secret(given) : given
  return key?.reveal() === '' ? undefined : key
}
