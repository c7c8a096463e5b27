/**
 * A field section as it stood on the wire: name, value, name, value… in order, with case and repetition kept
 * (the shape of Node's `rawHeaders`). Values are latin1 strings, one character an octet.
 */
export type Fields = readonly string[]

/** Every value of the field `lowerName` (given in lower case), in order. */
export function valuesOf(fields: Fields, lowerName: string): string[] {
  const values: string[] = []
  for (let i = 0; i < fields.length; i += 2) {
    if (isField(fields[i] as string, lowerName)) values.push(fields[i + 1] as string)
  }
  return values
}

/** Whether the field `lowerName` (given in lower case) is present. */
export function hasField(fields: Fields, lowerName: string): boolean {
  for (let i = 0; i < fields.length; i += 2) {
    if (isField(fields[i] as string, lowerName)) return true
  }
  return false
}

/** Field names compare without case, RFC 9110 section 5.1. The length test spares most names the conversion. */
export function isField(name: string, lowerName: string): boolean {
  return name.length === lowerName.length && name.toLowerCase() === lowerName
}

/**
 * The members of a comma-separated list field, RFC 9110 section 5.6.1: empty members dropped, white space trimmed.
 * Quoted strings are respected, so a comma inside one does not split.
 */
export function listMembers(values: readonly string[]): string[] {
  const members: string[] = []
  for (const value of values) {
    for (const [member] of value.matchAll(/(?:"(?:\\.|[^"\\])*"|[^",]|")+/gs)) {
      const trimmed = member.trim()
      if (trimmed !== '') members.push(trimmed)
    }
  }
  return members
}
