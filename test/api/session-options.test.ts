import { describe, expect, test } from 'vitest'
import {
  optionsOfA,
  optionsOfB,
  renamedOptions,
  type SessionOptions,
  sharedOptions,
  toNamingSet,
} from '../../src/api/session-options.ts'
import { optionSets } from '../sandbox/support/option-sets.ts'

test.each([
  ['A', optionSets.a, optionsOfA, renamedOptions.map(({ a }) => a)],
  ['B', optionSets.b, optionsOfB, renamedOptions.map(({ b }) => b)],
] as const)('set %s is complete', (_set, documented, own, renamed) => {
  const known = [...Object.keys(sharedOptions), ...Object.keys(own), ...renamed]
  expect(known.sort()).toEqual(Object.keys(documented).sort())
})

describe('toNamingSet', () => {
  test.each<readonly ['A' | 'B', SessionOptions, object]>([
    ['A', { sounds_enabled: true }, { enable_sounds: true }],
    ['B', { enable_sounds: true }, { sounds_enabled: true }],
    [
      'B',
      { show_cursors: true, disable_end_redirect: false },
      { hide_cursors: false, end_redirect_enabled: true },
    ],
    [
      'A',
      { hide_cursors: true, end_redirect_enabled: false },
      { show_cursors: false, disable_end_redirect: true },
    ],
    ['A', { hidden: true, splash: true, region: 'eu' }, { hidden: true, splash: true, region: 'eu' }],
    ['B', JSON.parse('{ "splash": true, "tomorrow": [1] }'), { splash: true, tomorrow: [1] }],
    ['B', JSON.parse('{ "show_cursors": "odd" }'), { hide_cursors: 'odd' }],
    ['B', { ui_off: true, hide_session_ui: false }, { hide_session_ui: false }],
    ['B', { hide_session_ui: false, ui_off: true }, { hide_session_ui: false }],
    ['A', { selected_regions: ['eu'], position: 'left' }, { selected_regions: ['eu'], position: 'left' }],
  ])('%s of %j', (set, options, renamed) => {
    expect(set === 'A' ? toNamingSet(options, 'A') : toNamingSet(options, 'B')).toEqual(renamed)
  })
})
