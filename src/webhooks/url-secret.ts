import { Secret } from '../config/secret.ts'

/** Whether a URL has the secret, found in a time that does not depend on how much of it is right. */
export type HasSecret = (query: string) => boolean

/**
 * No signature is documented, so the service is recognised by a secret in the receiver's URL: the query parameter `secret`,
 * exactly once.
 *
 * @param accepted one secret, or the new and the old one while it changes
 * @throws TypeError for anything but strings and Secrets; RangeError for none, or for one of less than 16 characters
 */
export function compileHasSecret(accepted: Secret | string | readonly (Secret | string)[]): HasSecret {
  const known = [accepted].flat().map((secret) => encode(revealText(secret)))
  if (known.length === 0) throw new RangeError('secret is an empty list')
  return (query) => {
    const given = new URLSearchParams(query).getAll('secret')
    const asked = encode(given[0] ?? '')
    const matches = known.filter((each) => difference(each, asked) === 0).length
    return matches > 0 && given.length === 1
  }
}

function revealText(secret: Secret | string): string {
  const text = secret instanceof Secret ? secret.reveal() : secret
  if (typeof text !== 'string') throw new TypeError('secret is neither a string nor a Secret')
  if (text.length < LEAST_CHARACTERS) {
    throw new RangeError(`secret has fewer than ${LEAST_CHARACTERS} characters, so it can be guessed`)
  }
  return text
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Compares every byte of the known one, even after a difference. */
function difference(known: Uint8Array, asked: Uint8Array): number {
  return known.reduce((bits, byte, index) => bits | (byte ^ (asked[index] ?? 0)), known.length ^ asked.length)
}

const LEAST_CHARACTERS = 16
