import { describe, expect, it } from 'vitest'
import type { PointConfig } from '../../src/config/config.ts'
import { parsePoints } from '../../src/points/parse-points.ts'

const PREFIX = '/service_cookie_transfer/'

const toConfig = (url: string, index: number): PointConfig => ({
  url,
  widgetKey: undefined,
  location: { file: 'config.json', line: index + 1, column: 1, pointer: `/points/${index}` },
})

describe('parsePoints', () => {
  it('keeps the order and the entry of each point', () => {
    const configs = [
      'https://b.example/service_cookie_transfer/',
      'https://a.example/service_cookie_transfer/',
    ].map(toConfig)
    const parsed = parsePoints(configs, PREFIX)
    expect('points' in parsed && parsed.points.map(({ point, config }) => [point.host, config])).toEqual([
      ['b.example', configs[0]],
      ['a.example', configs[1]],
    ])
  })

  it('names every fault at once, each with its place', () => {
    const parsed = parsePoints(
      [
        'https://www.example.com/service_cookie_transfer/',
        'nothing',
        'https://www.example.com/other/',
        'HTTPS://WWW.example.com:443/service_cookie_transfer/',
      ].map(toConfig),
      PREFIX,
    )
    expect(
      'problems' in parsed &&
        parsed.problems.map(({ location, message }) => [location.pointer, /url\/[a-z]+/.exec(message)?.[0]]),
    ).toEqual([
      ['/points/1', 'url/invalid'],
      ['/points/2', 'url/prefix'],
      ['/points/3', 'url/duplicate'],
    ])
  })
})
