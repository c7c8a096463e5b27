/** A value to write as YAML. A key that begins with `#` is a comment, and its value is ignored; `undefined` is omitted. */
export type Yaml = string | number | boolean | readonly Yaml[] | { readonly [key: string]: Yaml | undefined }

/** Renders block YAML as lines. Strings are JSON strings in double quotes, which are valid YAML 1.2. */
export function renderYaml(value: Yaml): string[] {
  if (isList(value)) {
    return value.flatMap((item) => {
      const [first = '', ...rest] = renderYaml(item)
      return [`- ${first}`, ...rest.map((line) => `  ${line}`)]
    })
  }
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([key, entry]) => renderEntry(key, entry))
  return [JSON.stringify(value)]
}

function renderEntry(key: string, value: Yaml | undefined): string[] {
  if (value === undefined) return []
  if (key.startsWith('#')) return [key]
  const name = /^[A-Za-z][A-Za-z0-9_.-]*$/.test(key) ? key : JSON.stringify(key)
  if (typeof value !== 'object') return [`${name}: ${JSON.stringify(value)}`]
  const lines = renderYaml(value)
  if (lines.length === 0) return [`${name}: ${isList(value) ? '[]' : '{}'}`]
  return [`${name}:`, ...lines.map((line) => `  ${line}`)]
}

function isList(value: Yaml): value is readonly Yaml[] {
  return Array.isArray(value)
}
