import { check, type Selection } from '../../src/check/check.ts'
import type { Facts } from '../../src/check/facts.ts'
import { gatherOfflineFacts } from '../../src/check/offline-facts.ts'
import { rules } from '../../src/check/rules/index.ts'
import { aConfig, type Given } from './a-config.ts'

/** All rules, or those selected, on what follows from a config, and on what was observed. */
export function checkGiven(given: Given, selection: Partial<Selection> = {}, observed: Partial<Facts> = {}) {
  const config = aConfig(given)
  const facts = { ...gatherOfflineFacts(config), ...observed }
  return check(facts, rules, { only: [], skip: [], suppress: config.suppress, ...selection })
}
