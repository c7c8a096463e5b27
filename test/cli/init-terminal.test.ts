import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config/parse.ts'
import { openFolder } from '../support/folder.ts'

const typed = fileURLToPath(new URL('../support/typed-terminal.py', import.meta.url))
const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** Only where there is no Python; on CI the test fails then. */
const isAbsent = spawnSync('python3', ['--version']).status !== 0 && process.env.CI === undefined

describe.skipIf(isAbsent)('init at a real terminal', () => {
  const folder = openFolder()
  const file = join(folder, 'config.json')

  function type(text: string) {
    const words = [typed, text, process.execPath, main, 'init', '--output', file]
    return spawnSync('python3', words, { encoding: 'utf8', timeout: 20_000 })
  }

  it('leaves nothing behind on Ctrl-C', () => {
    const { status, stdout } = type('www.example.com\n\u0003')
    expect([status, stdout]).toEqual([130, expect.stringMatching(/: \^C\r\n$/)])
    expect(existsSync(file)).toBe(false)
  })

  it.each([
    ['the first question', '\u0004'],
    ['a later one', 'www.example.com\n\u0004'],
  ])('says that it wrote nothing when the input ends at %s', (_which, text) => {
    const { status, stdout } = type(text)
    expect([status, stdout]).toEqual([
      2,
      expect.stringMatching(
        /: (?:\^D[\b]*)?\r\ncontinuation-point: nothing was written: the input ended before the last answer\r\n$/,
      ),
    ])
    expect(existsSync(file)).toBe(false)
  })

  it('reads pasted lines one by one', () => {
    const { status, stdout } = type(
      'www.example.com\npay.example.com\nhttps://s.example\ncaddy\nsid basket:/shop\n',
    )
    expect([status, stdout]).toEqual([0, expect.stringContaining(' render caddy ')])
    expect(parseConfig(readFileSync(file, 'utf8'), file)).toMatchObject({
      config: {
        service: { url: 'https://s.example' },
        pages: [{ url: 'https://www.example.com/' }, { url: 'https://pay.example.com/' }],
        cookies: [
          { name: 'sid', domain: 'www.example.com', path: '/', httponly: true },
          { name: 'basket', domain: 'www.example.com', path: '/shop', httponly: true },
        ],
      },
    })
  })
})
