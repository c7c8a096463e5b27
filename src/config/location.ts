/** Keys and indexes from the root of the config down to one value. */
export type Path = readonly (string | number)[]

/** The path as a JSON Pointer (RFC 6901, section 3): `~` and `/` within a key are escaped. */
export function formatPointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
