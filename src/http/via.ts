import { type Fields, hasField, listMembers, valuesOf } from './fields.ts'

/**
 * Whether a Via field names `pseudonym` as a recipient, RFC 9110 section 7.6.3: each member is
 * `[protocol-name "/"] protocol-version RWS received-by [RWS comment]`.
 */
export function viaNames(fields: Fields, pseudonym: string): boolean {
  if (!hasField(fields, 'via')) return false
  for (const member of listMembers(valuesOf(fields, 'via'))) {
    if (member.split(/[ \t]+/)[1]?.toLowerCase() === pseudonym) return true
  }
  return false
}
