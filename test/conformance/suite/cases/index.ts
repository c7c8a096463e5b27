import type { Case } from './case.ts'
import { connectionCases } from './connections.ts'
import { cookieCases } from './cookies.ts'
import { ownedFieldCases } from './owned-fields.ts'
import { requestCases } from './requests.ts'
import { responseCases } from './responses.ts'

/** All cases, in the order in which they are run. */
export const cases: readonly Case[] = [
  ...ownedFieldCases,
  ...requestCases,
  ...cookieCases,
  ...responseCases,
  ...connectionCases,
]
