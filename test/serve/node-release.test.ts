import { expect, it } from 'vitest'
import { judgeNode, renderNodeInfo } from '../../src/serve/node-release.ts'
import { startServe } from '../attacks/serve.ts'

const WRITTEN = Date.parse('2026-11-22')

it.each([
  ['20.19.0', 'unmaintained'],
  ['20.20.2', 'unmaintained'],
  ['21.7.3', 'unmaintained'],
  ['22.22.9', 'unsafe'],
  ['22.23.3', 'unsafe'],
  ['22.23.4', 'safe'],
  ['22.24.0', 'safe'],
  ['23.11.1', 'unmaintained'],
  ['24.9.9', 'unsafe'],
  ['24.18.1', 'unsafe'],
  ['24.22.0', 'unsafe'],
  ['24.22.1', 'safe'],
  ['24.100.0', 'safe'],
  ['25.9.0', 'unmaintained'],
  ['26.12.0', 'unsafe'],
  ['26.12.1', 'safe'],
  ['26.13.0', 'safe'],
  // What is newer than the table is believed.
  ['27.0.0', 'safe'],
  ['30.1.2', 'safe'],
  ['27.0.0-nightly20261101abcdef', 'safe'],
  ['26.12.1-rc.1', 'safe'],
] as const)('Node %s is %s', (node, state) => {
  expect(judgeNode(node, WRITTEN).state).toBe(state)
})

it.each([
  ['22.23.4', '2027-04-30', 'safe'],
  ['22.23.4', '2027-05-01', 'unmaintained'],
  ['24.22.1', '2028-05-01', 'unmaintained'],
  ['26.12.1', '2029-05-01', 'unmaintained'],
] as const)('Node %s on %s is %s', (node, date, state) => {
  expect(judgeNode(node, Date.parse(date)).state).toBe(state)
})

it.each([
  ['24.22.1', undefined],
  ['24.18.0', 'this release of Node lacks security fixes: use Node 24.22.1 or newer'],
  ['22.22.3', 'this release of Node lacks security fixes: use Node 22.23.4 or newer'],
  ['20.20.2', 'this line of Node gets no more security fixes: use Node 24.22.1 or newer'],
])('Node %s: %s', (node, advice) => {
  expect(judgeNode(node, WRITTEN).advice).toBe(advice)
})

it('is a metric', () => {
  expect([...renderNodeInfo({ node: '24.18.0', openssl: '3.5.7' }, WRITTEN)]).toEqual([
    '# HELP continuation_point_node_info Node, and whether it has the security fixes known to this version.',
    '# TYPE continuation_point_node_info gauge',
    'continuation_point_node_info{version="24.18.0",openssl="3.5.7",state="unsafe"} 1',
  ])
})

it.each([
  ['99.0.0', 'info', 'node', 'safe'],
  ['24.18.0', 'warn', 'this release of Node lacks security fixes: use Node 24.22.1 or newer', 'unsafe'],
])('serve says once that it runs on Node %s', async (node, level, msg, state) => {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${node}' })`
  const serve = await startServe(
    'http://127.0.0.1:9',
    {},
    { nodeFlags: ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`] },
  )
  const lines = serve.program
    .stdout()
    .split('\n')
    .filter((line) => line.includes(`"node":"${node}"`))
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level, time: expect.any(String), node, openssl: process.versions.openssl, msg },
  ])
  expect(await serve.admin('/metrics')).toContain(
    `continuation_point_node_info{version="${node}",openssl="${process.versions.openssl}",state="${state}"} 1\n`,
  )
})
