import { Secret } from '../config/secret.ts'

/** Whether a URL has the secret, found in a time that does not depend on how much of it is right. */
export type HasSecret = (query: string) => Promise<boolean>

/**
 * No signature is documented, so the service is recognised by a secret in the receiver's URL: the query parameter `secret`,
 * exactly once.
 *
 * @param accepted one secret, or the new and the old one while it changes
 * @throws TypeError for anything but strings and Secrets; RangeError for none, or for one of less than 16 characters
 */
export function compileHasSecret(accepted: Secret | string | readonly (Secret | string)[]): HasSecret {
  const secrets = [accepted].flat().map(revealText)
  if (secrets.length === 0) throw new RangeError('secret is an empty list')
  let digests: Promise<readonly Uint8Array[]> | undefined
  return async (query) => {
    digests ??= Promise.all(secrets.map(digest))
    const given = new URLSearchParams(query).getAll('secret')
    const [known, asked] = [await digests, await digest(given[0] ?? '')]
    const matches = known.filter((each) => difference(each, asked) === 0).length
    return matches > 0 && given.length === 1
  }
}

function revealText(secret: Secret | string): string {
  const text = secret instanceof Secret ? secret.reveal() : secret
  if (typeof text !== 'string') throw new TypeError('secret is neither a string nor a Secret')
  if (text.length < leastCharacters) {
    throw new RangeError(`secret has fewer than ${leastCharacters} characters, so it can be guessed`)
  }
  return text
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}

/** Compares every byte, even after a difference. */
function difference(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((bits, byte, index) => bits | (byte ^ (b[index] ?? 0)), 0)
}

const leastCharacters = 16
