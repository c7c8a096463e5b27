/** A Dockerfile as its instructions, and those instructions done by hand where no engine is. */

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { npmEnv } from '../support/npm-env.ts'

export interface Instruction {
  /** In upper case. */
  readonly keyword: string
  /** What follows it, continuation lines joined. */
  readonly rest: string
}

export interface Stage {
  readonly name: string
  readonly base: string
  readonly instructions: readonly Instruction[]
}

export interface Dockerfile {
  /** Before the first stage. */
  readonly globals: readonly Instruction[]
  readonly stages: readonly Stage[]
}

export function parseDockerfile(path: string): Dockerfile {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(?:#|$)/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
  const globals: Instruction[] = []
  const stages: (Stage & { instructions: Instruction[] })[] = []
  for (const line of lines) {
    const [, keyword = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    if (keyword.toUpperCase() === 'FROM') {
      const [base = '', , name = ''] = rest.split(/\s+/)
      stages.push({ name, base, instructions: [] })
    } else (stages.at(-1)?.instructions ?? globals).push({ keyword: keyword.toUpperCase(), rest })
  }
  return { globals, stages }
}

/** The stage that becomes the image. */
export function lastStage({ stages }: Dockerfile): Stage {
  const stage = stages.at(-1)
  if (stage === undefined) throw new Error('The Dockerfile has no FROM')
  return stage
}

/** The rest of every instruction with this keyword. */
export function restsOf({ instructions }: Pick<Stage, 'instructions'>, keyword: string): string[] {
  return instructions.filter((each) => each.keyword === keyword).map(({ rest }) => rest)
}

/** Sources and target of a COPY, and the stage it copies from. */
export function parseCopy(rest: string): { from: string | undefined; sources: string[]; target: string } {
  const words = rest.split(/\s+/)
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length)
  const paths = words.filter((word) => !word.startsWith('--'))
  return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' }
}

/**
 * Does what the stages say below `root`, a folder for each stage: WORKDIR, COPY and RUN, the latter only for npm.
 *
 * @returns the folder of the last stage
 */
export function buildStages(dockerfile: Dockerfile, context: string, root: string): string {
  for (const { name, instructions } of dockerfile.stages) {
    let workdir = join(root, name)
    for (const { keyword, rest } of instructions) {
      if (keyword === 'WORKDIR') {
        workdir = join(root, name, rest)
        mkdirSync(workdir, { recursive: true })
      } else if (keyword === 'COPY') {
        const { from, sources, target } = parseCopy(rest)
        for (const source of sources) {
          const into = join(workdir, target, target === './' ? basename(source) : '')
          cpSync(join(from === undefined ? context : join(root, from), source), into, { recursive: true })
        }
      } else if (keyword === 'RUN') {
        runNpm(rest, workdir)
      }
    }
  }
  return join(root, lastStage(dockerfile).name)
}

function runNpm(command: string, cwd: string): void {
  if (!/^npm [\w=\s-]+$/.test(command)) throw new Error(`Only npm is run here, not: ${command}`)
  const { status, stdout, stderr } = spawnSync('npm', command.split(' ').slice(1), {
    cwd,
    env: npmEnv(),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stdout}${stderr}`)
}
