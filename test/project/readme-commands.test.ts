import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toPage } from '../first-hour/shop.ts'
import { freePort } from '../front-ends/support/real-server.ts'
import { skipsBrowser } from '../sandbox/support/chromium.ts'
import { openFolder, openFolderOfTest } from '../support/folder.ts'
import { listenForTest } from '../support/listen.ts'
import { endAfterTest } from '../support/open-for-test.ts'
import { listening, type Program, startProgram } from '../support/program.ts'
import { blocks, textOf } from './documents.ts'
import { top } from './source-tree.ts'

const folder = openFolder()

/** Command lines of the README: those of its blocks, then those in backticks. */
const lines = [
  ...blocks
    .filter(
      ({ path, language, text }) => path === 'README.md' && (language === 'sh' || /^docker /.test(text)),
    )
    .flatMap(({ text }) =>
      text
        .trim()
        .replaceAll(/ \\\n */g, ' ')
        .split('\n'),
    ),
  ...[...textOf('README.md').matchAll(/`((?:npx|npm run) [^`]+)`/g)].map(([, line = '']) => line),
]

const HERE = 'this file'
const NO_ENGINE = 'no container engine; test/deploy/container.test.ts does what the Dockerfile says'

/** What runs each line. */
const table: readonly (readonly [line: string, by: string])[] = [
  ['npm ci && npm start', 'test/project/install.test.ts'],
  ['npm ci && npm test', HERE],
  ['npm pack', 'test/project/package.test.ts'],
  ['npm install --global ./continuation-point-0.1.0.tgz', 'test/project/package.test.ts'],
  ['npx continuation-point rehearse https://www.example.com/ --write config.json', HERE],
  ['npx continuation-point check https://www.example.com/service_cookie_transfer/', HERE],
  ['npx continuation-point render nginx --output /etc/nginx', HERE],
  ['API_KEY=… npx continuation-point settings apply', HERE],
  ['WIDGET_KEY=… npx continuation-point serve', HERE],
  ['WIDGET_KEY=… API_KEY=… npx continuation-point check', HERE],
  ['docker build --tag continuation-point .', NO_ENGINE],
  [
    'docker run --publish 127.0.0.1:8080:8080 --env CONTINUATION_WIDGET_KEY --env CONTINUATION_SERVICE_URL=https://cobrowse.example.net --env CONTINUATION_POINTS=https://www.example.com/service_cookie_transfer/ continuation-point',
    NO_ENGINE,
  ],
  ['npx continuation-point --help', 'test/project/install.test.ts'],
]

describe('the commands of the README', () => {
  it('are each run by a test', () => {
    expect(table.map(([line]) => line)).toEqual(lines)
    const files = table.map(([, by]) => by).filter((by) => by.startsWith('test/') && !by.includes(' '))
    expect(files.filter((file) => !existsSync(join(top, file)))).toEqual([])
  })

  it.for(table.filter(([, by]) => by === NO_ENGINE))('%s', ([, reason], { skip }) => skip(reason))

  it.skipIf(skipsBrowser)(
    'make the pictures from the pages of today',
    () => {
      const made = spawnSync(process.execPath, [join(top, 'release/pictures.mjs'), folder], {
        encoding: 'utf8',
      })
      expect(made.stderr).toBe('')
      for (const name of readdirSync(join(top, 'docs/images')))
        expect(readFileSync(join(folder, name)).subarray(1, 4).toString()).toBe('PNG')
    },
    120_000,
  )

  it('test the line that CI runs', () => {
    const [, pattern = ''] =
      /sed -n 's\/\^\\\((.*)\\\)\$\//.exec(readFileSync(join(top, '.ci/run'), 'utf8')) ?? []
    expect(pattern).toBe('npm ci && npm test')
  })

  it.skipIf(skipsBrowser)(
    'set up a site: a config, the front end, the account, the points, a green check',
    async () => {
      const sandbox = endAfterTest(startProgram(['sandbox', '--port', '0']))
      const [, service = ''] = await sandbox.printed(/Service\s+(http:\S+)/)
      const servePort = await freePort()
      const site = createServer({ maxHeaderSize: 65_536 }, (incoming, outgoing) => {
        if (!incoming.url?.includes('/service_cookie_transfer/')) {
          outgoing.setHeader('Set-Cookie', SET_COOKIES).setHeader('Content-Type', 'text/html')
          return outgoing.end(toPage(service))
        }
        const { method, url: path, headers } = incoming
        const passed = request(
          { port: servePort, method, path, headers, maxHeaderSize: 131_072 },
          (answer) => {
            answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders))
          },
        )
        passed.on('error', () => outgoing.destroy())
        return incoming.pipe(passed)
      })
      const url = `http://www.shop.localhost:${await listenForTest(site)}/`
      /** A line of the README, with this site and folder instead of the ones in it. */
      const wordsOf = (start: string) => {
        const said = lines.map((line) => line.replace(/^.*npx continuation-point /, ''))
        const line = said.find((each) => each === start) ?? said.find((each) => each.startsWith(start)) ?? ''
        return line.replace('https://www.example.com/', url).replace('/etc/nginx', folder).split(' ')
      }
      const start = (
        start: string,
        env: Readonly<Record<string, string>> = {},
        ...more: string[]
      ): Program => {
        return endAfterTest(startProgram([...wordsOf(start), ...more], { cwd: folder, env }))
      }
      const outputOf = async (program: Program): Promise<string> => {
        expect(await program.ended(), `${program.stdout()}${program.stderr()}`).toBe(0)
        return program.stdout()
      }
      // The browser's window, and the visitor's Enter, are left out.
      const rehearsed = await outputOf(start('rehearse', {}, '--headless', '--no-sandbox'))
      expect(rehearsed).toMatch(/^Wrote config\.json: 2 points, 2 cookies\./m)
      const printed = await outputOf(start('render'))
      const [, included = ''] = /^ {2}include (\S+);$/m.exec(printed) ?? []
      expect(existsSync(join(folder, included))).toBe(true)
      const config = join(folder, 'config.json')
      const text = readFileSync(config, 'utf8').replace('// "apiKey"', '"apiKey"')
      writeFileSync(config, text.replace('https://cobrowse.example.net', service))
      await outputOf(start('settings apply', KEYS))
      const ports = { CONTINUATION_PORT: `${servePort}`, CONTINUATION_ADMIN_PORT: '0' }
      await listening(start('serve', { ...KEYS, ...ports }))
      const withoutConfig = startProgram(wordsOf('check https://www.example.com/service_cookie_transfer/'), {
        cwd: openFolderOfTest(),
      })
      expect(await outputOf(endAfterTest(withoutConfig))).toContain('no findings')
      expect(await outputOf(start('check', KEYS))).toContain('no findings')
    },
    120_000,
  )
})

/** Keys of the stand-in service. */
const KEYS = { WIDGET_KEY: 'demo-widget-key', API_KEY: 'demo-api-key' }

const SET_COOKIES = ['sid=1; Path=/; HttpOnly', 'basket=1; Domain=shop.localhost; Path=/shop; HttpOnly']
