import { Secret } from '../config/secret.ts'

/**
 * The key that a caller gave, wrapped. An empty one is none: that is what `process.env.API_KEY ?? ''` gives where no key
 * is set.
 *
 * @param name of the setting, for the messages
 * @throws TypeError for anything but text and a secret; RangeError for half a surrogate pair, which no URL can carry
 */
export function toKey(given: Secret | string | undefined, name: string): Secret | undefined {
  if (given === undefined) return undefined
  const key = typeof given === 'string' ? new Secret(given) : given
  if (!(key instanceof Secret)) throw new TypeError(`${name} is neither a string nor a Secret`)
  const text = key.reveal()
  if (/\p{Surrogate}/u.test(text)) throw new RangeError(`${name} holds half of a surrogate pair`)
  return text === '' ? undefined : key
}
