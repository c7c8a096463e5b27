/** Indents lines by one level, except empty ones. */
export function indent(lines: readonly string[], level = '  '): string[] {
  return lines.map((line) => (line === '' ? '' : level + line))
}

export function block(head: string, lines: readonly string[], level?: string): string[] {
  return [`${head} {`, ...indent(lines, level), '}']
}

/** An element of XML, or a section of Apache httpd; `head` begins with its name. */
export function element(head: string, lines: readonly string[]): string[] {
  return [`<${head}>`, ...indent(lines), `</${head.split(' ', 1)}>`]
}

/** Joins groups of lines with an empty line between them. */
export function separate(groups: readonly (readonly string[])[]): string[] {
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, index) => (index === 0 ? group : ['', ...group]))
}
