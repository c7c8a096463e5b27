import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import schema from '../../config.schema.json' with { type: 'json' }
import { commands } from '../../src/cli/commands.ts'
import { run } from '../../src/cli/run.ts'
import { fakeIo } from '../cli/fake-io.ts'
import { top } from './source-tree.ts'

/** The parts of documents that are generated from the program, by `npm run documents`. */
const parts = [
  ['docs/configuration.md', 'keys', () => toKeyTable()],
  ['docs/commands.md', 'commands', () => toCommandTexts()],
] as const

it.each(parts)('%s lists all %s', async (path, mark, write) => {
  const file = join(top, path)
  const text = readFileSync(file, 'utf8')
  const pattern = new RegExp(`(<!-- ${mark}, [^\n]* -->\n)[\\s\\S]*?(<!-- /${mark} -->)`)
  expect(text).toMatch(pattern)
  const written = await write()
  const expected = text.replace(pattern, (_all, start: string, end: string) => `${start}\n${written}\n${end}`)
  if (process.env.UPDATE_DOCUMENTS === '1') writeFileSync(file, expected)
  else expect(text, 'npm run documents writes it').toBe(expected)
})

interface Schema {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
}

function toKeyTable(): string {
  const rows = rowsOf(schema, '').map(
    ([key, { description = '', default: fallback, enum: words }]) =>
      `| \`${key}\` | ${fallback === undefined ? '' : `\`${JSON.stringify(fallback)}\``} | ${description}${words === undefined ? '' : ` One of ${words.map((word) => `\`${JSON.stringify(word)}\``).join(', ')}.`} |`,
  )
  return `| key | default | what it is |\n| --- | --- | --- |\n${rows.join('\n')}\n`
}

/** The keys that hold a value, with the names of their sections in front. */
function rowsOf(parent: Schema, prefix: string): readonly (readonly [key: string, key_: Schema])[] {
  return Object.entries(parent.properties ?? {}).flatMap(([name, child]) => {
    const key = `${prefix}${name}`
    const inner = [child, ...(child.anyOf ?? [])].find(({ properties }) => properties !== undefined)
    const element = [child.items, ...(child.items?.anyOf ?? [])].find(
      (each) => each?.properties !== undefined,
    )
    const below = [
      ...(inner === undefined ? [] : rowsOf(inner, `${key}.`)),
      ...(element === undefined ? [] : rowsOf(element, `${key}[].`)),
    ]
    const isSection = inner !== undefined && child.anyOf === undefined
    return isSection ? below : [[key, child] as const, ...below]
  })
}

/** What `--help` prints of each command, without the options that every command has. */
async function toCommandTexts(): Promise<string> {
  const texts: string[] = []
  for (const { name } of commands) {
    const io = fakeIo()
    expect(await run([name, '--help'], io)).toBe(0)
    const help = io.written.stdout
      .trimEnd()
      .replaceAll(/^ {2}(?:-h, --help|--version) .*\n/gm, '')
      .replace('Options:\n\n', '')
    texts.push(`## ${name}\n\n\`\`\`text\n${help}\n\`\`\`\n`)
  }
  return texts.join('\n')
}
