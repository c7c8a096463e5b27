import { expect } from 'vitest'
import { expectGreen, type Points } from './hour.ts'

/** One mistake that people make in a set-up that works. */
export interface Mistake {
  readonly name: string
  /** The rule that has to name it first. */
  readonly rule: string
  make(): Promise<void> | void
  /** Does what `check` printed. Where that is a line to paste, the line is taken from the text. */
  follow(printed: string): Promise<void> | void
}

/** Makes the mistake, reads what `check` prints, does that, and checks again. */
export async function play({ rule, make, follow }: Mistake, points: Points): Promise<void> {
  await make()
  const { stdout } = await points.check()
  expect(stdout.split('\n')[0], stdout).toContain(rule)
  await follow(stdout)
  expectGreen(await points.check())
}

/** The line of the fix for this front end, without its name. */
export function lineFor(frontEnd: string, printed: string): string {
  const [, line] = new RegExp(`^ +• ${frontEnd}: (.+)$`, 'm').exec(printed) ?? []
  if (line === undefined) throw new Error(`There is no line for ${frontEnd}:\n${printed}`)
  return line
}

/** For a fix in words: only their presence can be checked. */
export function expectWords(printed: string, words: string): void {
  expect(printed).toContain(words)
}
