import { describe, expect, it } from 'vitest'
import { frontEnds } from '../../src/front-ends/index.ts'
import { parseNameServers } from '../../src/front-ends/name-servers.ts'
import { legalConfigs } from './support/legal-configs.ts'
import { renderConfig } from './support/rendered.ts'

const modes = ['route', 'forward'] as const
const rendered = frontEnds.flatMap(({ name, without, parts }) =>
  modes
    .filter((mode) => without?.[mode] === undefined)
    .flatMap((mode) => legalConfigs.map(([what, config]) => ({ name, mode, what, config, parts }))),
)

describe.each(rendered)('$name, $mode: $what', ({ name, mode, config, parts }) => {
  const text = renderConfig(name, mode, {
    service: { url: 'https://service.example' },
    widgetKey: 'the-literal-key',
    apiKey: 'the-api-key',
    ...config,
  })

  it('shows no secret', () => {
    expect(text).not.toMatch(/the-literal-key|the-api-key/)
  })

  it('consists of whole lines, without control characters or trailing blanks', () => {
    expect(text.endsWith('\n')).toBe(true)
    expect(text).not.toMatch(/[^\S\n\t]\n|(?<!== )undefined|NaN|\[object/)
    expect(text.replace(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u)
  })

  it('names what it is for in its first comment', () => {
    if (parts !== undefined) expect(text).toMatch(/^# continuation-point\S*|^# snippets/)
    else
      expect(text).toMatch(
        mode === 'route' ? /routes the continuation points/ : /forwards the widget.s calls/,
      )
  })
})

describe('every front end', () => {
  it.each(frontEnds)('$name says what it is and what it can’t do', ({ output, gaps, without }) => {
    for (const sentence of [output, ...gaps]) expect(sentence).toMatch(/^[A-Z‘’A-Za-z].*\.$/)
    expect(Object.keys(without ?? {}).length).toBeLessThan(2)
  })
})

describe('parseNameServers', () => {
  it.each([
    ['nameserver 192.0.2.53\n', ['192.0.2.53']],
    [
      '# nameserver 1.1.1.1\nsearch example\n nameserver  192.0.2.1 \nnameserver 2001:db8::53\n',
      ['192.0.2.1', '[2001:db8::53]'],
    ],
    ['nameserver fe80::1%eth0\nnameserver 192.0.2.2\n', ['192.0.2.2']],
    ['nameserver ; return 200\n', ['127.0.0.53']],
    ['', ['127.0.0.53']],
  ])('%j: %j', (text, servers) => {
    expect(parseNameServers(text)).toEqual(servers)
  })
})
