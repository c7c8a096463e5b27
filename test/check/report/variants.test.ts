import { describe, expect, it } from 'vitest'
import { groupByCause } from '../../../src/check/causes.ts'
import { printWholeFix } from '../../../src/check/fix.ts'
import { groupVariants } from '../../../src/check/report/variants.ts'
import { prefix } from '../a-config.ts'
import { aFinding, type FindingSketch } from '../a-finding.ts'

const urls = ['', '/shop', '/checkout'].map((path) => `https://www.example.com${path}${prefix}`)

describe('what a cause says about its points', () => {
  it.each<
    [string, (url: string, index: number) => FindingSketch['fix'] & {}, readonly (string | undefined)[]]
  >([
    ['the same of all', () => 'listen', ['listen']],
    [
      'the same with the path of each',
      (url) => `forward ${new URL(url).pathname} to https://service${prefix}`,
      [`forward ${prefix} to https://service${prefix}; likewise at the other points, each with its own URL`],
    ],
    [
      'the path of each before the lines of front ends',
      (url) => ({ what: `forward ${new URL(url).pathname}`, lines: [['nginx', 'proxy_pass']] }),
      [`forward ${prefix}; likewise at the other points, each with its own URL • nginx: proxy_pass`],
    ],
    ['different for each', (_url, index) => `do ${index}`, ['do 0', 'do 1', 'do 2']],
    ['different for one', (_url, index) => (index === 1 ? 'wait' : 'listen'), ['listen', 'wait']],
  ])('is %s', (_what, toFix, fixes) => {
    expect(
      variantsOf(urls.map((point, index) => ({ subject: { point }, fix: toFix(point, index) }))),
    ).toEqual(fixes)
  })

  it('differs by the message too', () => {
    const told = ['one', 'two'].map((message) => ({ message, topic: 'x' }))
    expect(variantsOf(told)).toHaveLength(2)
  })

  it('is the same for pages, and for what has no URL', () => {
    const page = (host: string) => ({
      subject: { page: `https://${host}/` },
      fix: `Add https://${host}${prefix}`,
    })
    expect(variantsOf([page('a.example.com'), page('b.example.com')])).toEqual([
      `Add https://a.example.com${prefix}; likewise at the other pages, each with its own URL`,
    ])
    const setting = (name: string) => ({ subject: { setting: name }, fix: `Set ${name}` })
    expect(variantsOf([setting('a'), setting('b')])).toEqual(['Set a', 'Set b'])
  })
})

function variantsOf(given: readonly FindingSketch[]) {
  const [cause] = groupByCause(given.map(aFinding))
  return cause === undefined ? [] : groupVariants(cause).map(({ fix }) => fix && printWholeFix(fix))
}
