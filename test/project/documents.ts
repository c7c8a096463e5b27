import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { top } from './source-tree.ts'

/** Every file of the repository, also those that are not committed yet. */
export const tracked: readonly string[] = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: top,
  encoding: 'utf8',
}).split('\n')

/** Copies them into a folder, but for some. */
export function copyTracked(folder: string, left: RegExp): void {
  for (const path of tracked.filter((each) => each !== '' && !left.test(each)))
    cpSync(join(top, path), join(folder, path))
}

/** Every Markdown document, by its path from the top. */
export const documents = tracked
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(join(top, path), 'utf8') }))

/** The text of a document; empty if there is none. */
export const textOf = (page: string) => documents.find(({ path }) => path === page)?.text ?? ''

/** A fenced block; its language is empty where none is named. */
export interface Block {
  readonly path: string
  readonly language: string
  readonly text: string
}

/** Also those that are indented as part of a list. */
export const everyBlock: readonly Block[] = documents.flatMap(({ path, text }) =>
  [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```/gm)].map(
    ([, indent = '', language = '', body = '']) => ({
      path,
      language,
      text: body.replace(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  ),
)

/** Those with a language. */
export const blocks = everyBlock.filter(({ language }) => language !== '')

/** One command of a shell block. */
export interface CommandLine {
  readonly path: string
  /** Names of the variables in front. */
  readonly variables: readonly string[]
  readonly words: readonly string[]
}

/** Every command of the shell blocks, continuation lines joined. */
export const commandLines: readonly CommandLine[] = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ path, text }) =>
    text
      .replace(/\\\n/g, ' ')
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.startsWith('#'))
      .flatMap((line) => line.split(/&&|\|(?!\|)/))
      .map((line) => {
        const [, assignments = '', command = ''] = /^\s*((?:[A-Z_]+=\S*\s+)*)(.*?)\s*$/.exec(line) ?? []
        const variables = [...assignments.matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name)
        return { path, variables, words: command.split(/\s+/) }
      }),
  )

/** The relative links and pictures of a document: file (empty for its own) and anchor (empty for the top). */
export function links(text: string): readonly { readonly file: string; readonly anchor: string }[] {
  return [...withoutBlocks(text).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(
    ([, file = '', anchor = '']) => ({ file, anchor }),
  )
}

/** The anchors of a document's headings, as GitHub and npm make them. */
export function headingAnchors(text: string): ReadonlySet<string> {
  const headings = [...withoutBlocks(text).matchAll(/^#{1,6} (.+)$/gm)]
  return new Set(
    headings.map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

/** A document without its fenced blocks. */
export function withoutBlocks(text: string): string {
  return text.replace(/^( *)```[\s\S]*?^\1```/gm, '')
}
