import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import schema from '../../config.schema.json' with { type: 'json' }
import { configOption } from '../../src/cli/command.ts'
import { commands } from '../../src/cli/commands.ts'
import { renderHelp } from '../../src/cli/help.ts'
import { FRONT_END_NAMES } from '../../src/config/schema.ts'
import { wrapMarkdown } from '../support/wrap-markdown.ts'
import { top } from './source-tree.ts'

/** The parts of documents that are generated from the program, by `npm run documents`. */
const parts = [
  ['docs/configuration.md', 'keys', () => toKeyList()],
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

function toKeyList(): string {
  const lines = rowsOf(schema, '').map(([key, { description = '', default: fallback, enum: words }]) => {
    const lead = `- \`${key}\`${fallback === undefined ? '' : ` (\`${JSON.stringify(fallback)}\`)`}`
    return `${lead}: ${description}${words === undefined ? '' : toChoices(key, words)}`
  })
  return wrapMarkdown(`${lines.join('\n')}\n`)
}

/** Front ends are listed with the options of `check`. */
function toChoices(key: string, words: readonly unknown[]): string {
  if (key === 'frontEnd') return ' One of [these](commands.md#check).'
  return ` One of ${words.map((word) => `\`${JSON.stringify(word)}\``).join(', ')}.`
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

/** Each command, the page about it, and its options as `--help` prints them, without those that all or most have. */
async function toCommandTexts(): Promise<string> {
  const texts: string[] = []
  for (const entry of commands) {
    const { command } = await entry.load()
    const options = Object.entries(command.options)
      .filter(([, option]) => option !== configOption)
      .map(([flag, option]) => [
        flag,
        entry.name !== 'check' && isFrontEnd(option) ? { ...option, choices: ['as for check'] } : option,
      ])
    const shown = { ...command, options: Object.fromEntries(options), details: '' }
    const [usage = '', summary = '', rows = ''] = renderHelp(entry, shown, 'continuation-point').split('\n\n')
    const own = rows.replace('Options:\n', '').replaceAll(/^ {2}(?:-h, --help|--version) .*\n?/gm, '')
    // Without operands the usage says nothing.
    const lines = [command.operands === undefined ? '' : `${usage}\n\n`, own].join('').trimEnd()
    const page = pages[entry.name]
    const more = page === undefined ? '' : ` [More](${page}).`
    const block = lines === '' ? '' : `\n\`\`\`text\n${lines}\n\`\`\`\n`
    texts.push(`## ${entry.name}\n\n${summary}${more}\n${block}`)
  }
  return wrapMarkdown(texts.join('\n'))
}

/** Names are listed once. */
const isFrontEnd = (option: object) => 'choices' in option && option.choices === FRONT_END_NAMES

/** The page about each command. */
const pages: Readonly<Record<string, string>> = {
  serve: 'operating.md#starting-and-stopping',
  check: 'checking.md',
  rehearse: 'first-config.md#from-a-rehearsal',
  init: 'first-config.md#by-questions',
  render: 'front-ends.md',
  demo: 'stand-in.md',
  sandbox: 'stand-in.md',
  settings: 'account.md',
}
