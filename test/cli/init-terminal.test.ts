import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config/parse.ts'
import { isInstalled } from '../deploy/installed.ts'
import { openFolder } from '../support/folder.ts'
import { runProgram } from '../support/program.ts'

const typed = fileURLToPath(new URL('../support/typed-terminal.py', import.meta.url))

describe.runIf(isInstalled('python3'))('init at a real terminal', () => {
  const folder = openFolder()
  const file = join(folder, 'config.json')

  const type = (text: string) =>
    runProgram(['init', '--output', file], { node: 'python3', nodeFlags: [typed, text, process.execPath] })

  it('leaves nothing behind on Ctrl-C', async () => {
    const { code, stdout } = await type('www.example.com\n\u0003')
    expect([code, stdout]).toEqual([130, expect.stringMatching(/: \^C\r\n$/)])
    expect(existsSync(file)).toBe(false)
  })

  it('reads pasted lines one by one', async () => {
    const { code, stdout } = await type(
      'www.example.com\npay.example.com\nhttps://s.example\ncaddy\nsid basket:/shop\n',
    )
    expect([code, stdout]).toEqual([0, expect.stringContaining(' render caddy ')])
    const [, start = ''] = /^((?:.+\r\n)+)\r\nYour site, /m.exec(stdout) ?? []
    expect(start.replace(/\s+/g, ' ')).toBe(
      `This writes ${file}, which tells the other commands about your site, and changes nothing else. Each question says what Enter alone means; Ctrl-C ends it, and nothing is written. `,
    )
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
