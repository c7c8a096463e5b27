// How `check --offline` grows: each kind of input with n, 2n and 4n.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, program } from './own.mjs'

/** The second size of each kind is the one that the targets name. */
export function measureCheckGrowth() {
  const kinds = [
    ['points with a cookie each', 1_000, coveredCookies],
    ['cookies that no point covers, on a host each', 500, (count) => uncovered(count, 1)],
    ['the same with a page each', 500, (count) => uncovered(count, count)],
    ['causes: http points with an https page each', 250, mixedSchemes],
  ]
  return kinds.flatMap(([what, count, render]) => {
    const sizes = [count, 2 * count, 4 * count]
    const runs = sizes.map((size) => timeCheck(render(size)))
    const [least, middle, most] = runs
    const seconds = runs.map((run) => run.seconds.toFixed(2)).join(', ')
    const megabytes = runs.map((run) => run.megabytes.toFixed(1)).join(', ')
    return [
      [
        `\`check --offline\`, ${what}: ${sizes.join(', ')}`,
        `${seconds} s`,
        `at most 5 × for 4 ×; ${sizes[1]} under 1 s`,
        most.seconds <= 5 * least.seconds && middle.seconds < 1,
      ],
      ['its JSON', `${megabytes} MB`, `${sizes[1]} under 2 MB`, middle.megabytes < 2],
    ]
  })
}

function timeCheck(config) {
  const file = join(folder, 'check.json')
  writeFileSync(file, JSON.stringify(config))
  const words = [program, 'check', '--offline', '--format', 'json', '--config', file]
  const startedAtMs = performance.now()
  const { stdout } = spawnSync(process.execPath, words, { maxBuffer: 1e9 })
  return { seconds: (performance.now() - startedAtMs) / 1_000, megabytes: stdout.length / 1e6 }
}

/** Eight points on each host, a cookie for each point. */
export function coveredCookies(count) {
  const places = hosts(Math.ceil(count / 8))
    .flatMap((host) => Array.from({ length: 8 }, (_, at) => ({ host, path: `/p${at}` })))
    .slice(0, count)
  return configOf({
    points: places.map(({ host, path }) => `https://${host}${path}${PREFIX}`),
    cookies: places.map(({ host, path }) => ({
      name: 'id',
      domain: host,
      path,
      httponly: true,
      secure: true,
    })),
  })
}

function uncovered(count, pages) {
  return configOf({
    pages: hosts(pages).map((host) => `https://${host}/`),
    cookies: hosts(count).map((domain) => ({ name: 'id', domain, path: '/shop', httponly: true })),
  })
}

function mixedSchemes(count) {
  return configOf({
    pages: hosts(count).map((host) => `https://${host}/`),
    points: hosts(count).map((host) => `http://${host}${PREFIX}`),
    cookies: hosts(count).map((domain) => ({ name: 'id', domain, path: '/shop', httponly: true })),
  })
}

function hosts(count) {
  return Array.from({ length: count }, (_, at) => `h${at}.example.com`)
}

function configOf(more) {
  return {
    service: { url: 'https://cobrowse.example.net' },
    widgetKey: 'bench',
    pages: ['https://www.example.com/'],
    points: [`https://www.example.com${PREFIX}`],
    ...more,
  }
}

const PREFIX = '/service_cookie_transfer/'
