/** Lines one level further in; empty ones stay empty. */
export function indent(lines: readonly string[], level = '  '): string[] {
  return lines.map((line) => (line === '' ? '' : level + line))
}

/** Lines with one empty line between the groups. */
export function separate(groups: readonly (readonly string[])[]): string[] {
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, index) => (index === 0 ? group : ['', ...group]))
}
