/**
 * Parses a URL (URL Standard section 4.4), relative to `base` if there is one.
 *
 * **Ours:** in place of `URL.canParse`, which in Node 20 and 22 starts to refuse hosts with letters such as ü once V8 has
 * compiled its callers, after some thousand calls, and of `URL.parse`, which Node 20 does not have.
 *
 * @returns `undefined` when the text is not a URL
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** Parses an absolute http or https URL. The URL Standard would add slashes that are missing, as in `http:host`. */
export function parseHttpUrl(text: string): URL | undefined {
  return /^https?:\/\//i.test(text) ? parseUrl(text) : undefined
}
