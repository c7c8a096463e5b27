/**
 * What can be written as YAML. A key that begins with `#` is a comment in front of the next key, its value is not
 * looked at; an entry that is `undefined` is left out.
 */
export type Yaml = string | number | boolean | readonly Yaml[] | { readonly [key: string]: Yaml | undefined }

/** Writes block YAML, a line each. Strings are always in double quotes as JSON writes them, which YAML 1.2 reads alike. */
export function toYaml(value: Yaml): string[] {
  if (isList(value)) {
    return value.flatMap((item) => {
      const [first = '', ...rest] = toYaml(item)
      return [`- ${first}`, ...rest.map((line) => `  ${line}`)]
    })
  }
  if (typeof value === 'object') return Object.entries(value).flatMap(([key, entry]) => toEntry(key, entry))
  return [JSON.stringify(value)]
}

function toEntry(key: string, value: Yaml | undefined): string[] {
  if (value === undefined) return []
  if (key.startsWith('#')) return [key]
  const name = /^[A-Za-z][A-Za-z0-9_.-]*$/.test(key) ? key : JSON.stringify(key)
  if (typeof value !== 'object') return [`${name}: ${JSON.stringify(value)}`]
  const lines = toYaml(value)
  if (lines.length === 0) return [`${name}: ${isList(value) ? '[]' : '{}'}`]
  return [`${name}:`, ...lines.map((line) => `  ${line}`)]
}

function isList(value: Yaml): value is readonly Yaml[] {
  return Array.isArray(value)
}
