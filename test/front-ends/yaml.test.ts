import { expect, it } from 'vitest'
import { renderYaml } from '../../src/front-ends/yaml.ts'

it.each([
  ['text in quotes', { a: 'no', b: '1', c: 'x: y # z' }, ['a: "no"', 'b: "1"', 'c: "x: y # z"']],
  ['numbers and booleans without', { a: 1, b: true }, ['a: 1', 'b: true']],
  ['lists of objects', { a: [{ b: 1, c: 2 }, 'd'] }, ['a:', '  - b: 1', '    c: 2', '  - "d"']],
  ['lists of lists', [['a', 'b']], ['- - "a"', '  - "b"']],
  ['nothing for what is absent', { a: undefined, b: 1 }, ['b: 1']],
  ['empty lists and objects', { a: [], b: {} }, ['a: []', 'b: {}']],
  ['odd keys in quotes', { '@type': 'x', '1': 'y' }, ['"1": "y"', '"@type": "x"']],
  [
    'comments where they stand',
    { '# why': '', a: { '# how': '', b: 1 } },
    ['# why', 'a:', '  # how', '  b: 1'],
  ],
])('renderYaml writes %s', (_what, value, lines) => {
  expect(renderYaml(value)).toEqual(lines)
})
