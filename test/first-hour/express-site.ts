import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { top } from '../project/source-tree.ts'
import { type Program, startProgram } from '../support/program.ts'
import type { Machine } from './clone.ts'
import { end } from './hour.ts'

/** A shop on Express before it has points: a body parser, and a page. */
export type ExpressSite = ReturnType<typeof makeExpressSite>

export function makeExpressSite(machine: Machine, port: number, page: string) {
  const folder = join(machine.site, 'express')
  const script = join(folder, 'server.mjs')
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  // In place of `npm install`, which needs a network: Express, and the clone.
  symlinkSync(join(top, 'node_modules/express'), join(folder, 'node_modules/express'))
  symlinkSync(machine.clone, join(folder, 'node_modules/continuation-point'))
  writeFileSync(script, toServer(port, page))
  let program: Program | undefined
  return {
    folder,
    edit: (change: (text: string) => string) => writeFileSync(script, change(readFileSync(script, 'utf8'))),
    start: async (env: Readonly<Record<string, string>>) => {
      program = startProgram([], { script, cwd: folder, env })
      await program.printed(/listening/)
    },
    close: async () => {
      if (program !== undefined) await end(program)
    },
  }
}

function toServer(port: number, page: string): string {
  return `import express from 'express'

const site = express()
site.use(express.json())
site.get('/', (request, response) => response.type('html').send(${JSON.stringify(page)}))
const server = site.listen(${port}, '127.0.0.1')
server.on('listening', () => console.log('listening'))
`
}

/** The lines that \`init\` printed, where they say that they belong. */
export function pasteLines(text: string, printed: string): string {
  const lines = printed.split('\n').map((line) => line.trim())
  const starting = (word: string) => lines.filter((line) => line.startsWith(word)).join('\n')
  return text
    .replace(/^import express.*$/m, (line) => `${line}\n${starting('import ')}\n${starting('const points ')}`)
    .replace('site.use(express.json())', (line) => `${starting('site.use(')}\n${line}`)
    .replace(/site(\.listen\(.*\))/, (_all, listen) =>
      starting('createServer(').replace(/\.listen\(.*/, () => listen),
    )
}
