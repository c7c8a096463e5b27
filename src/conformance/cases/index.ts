import type { Case } from '../case.ts'
import { answerCases } from './answers.ts'
import { connectionCases } from './connections.ts'
import { cookieCases } from './cookies.ts'
import { ownedFieldCases } from './owned-fields.ts'
import { requestCases } from './requests.ts'

/** Every case, in the order in which they are played. */
export const cases: readonly Case[] = [
  ...ownedFieldCases,
  ...requestCases,
  ...cookieCases,
  ...answerCases,
  ...connectionCases,
]
