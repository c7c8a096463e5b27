import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const help = execFileSync(process.execPath, ['bench/run.mjs', '--help'], { encoding: 'utf8' })
const commands = [...readFileSync('bench/README.md', 'utf8').matchAll(/^npm run bench -- (.+)$/gm)].map(
  ([, words = '']) => words,
)

describe('the benchmark’s document', () => {
  it('has commands', () => expect(commands.length).toBeGreaterThan(2))

  it.each(commands)('has only existing flags and names: %s', (words) => {
    for (const [, flag = '', value] of words.matchAll(/(--[a-z]+)(?: ([^-\s]\S*))?/g)) {
      expect(help).toContain(flag)
      if (flag === '--load') expect(namesOf('loads')).toContain(value)
      if (flag === '--peer') expect(namesOf('peers')).toContain(value)
    }
  })
})

function namesOf(kind: 'loads' | 'peers'): readonly string[] {
  return new RegExp(`^${kind}: (.+)$`, 'm').exec(help)?.[1]?.split(', ') ?? []
}
