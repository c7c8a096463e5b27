import {
  arrivesAsSent,
  arrivesFreeOf,
  arrivesInOneLine,
  arrivesTimes,
  arrivesWithAny,
  bodyArrives,
  keepsOut,
  ownedFieldsSet,
} from './arrival-expectations.ts'
import { type Case, type MakeCase, must, should } from './case.ts'
import { happened } from './response-expectations.ts'

/** What clients send about the previous hop. */
const FORGED_FORWARDING: readonly (readonly [name: string, value: string, make: MakeCase])[] = [
  ['Forwarded', 'host=forged.example', must],
  ['X-Forwarded-Host', 'forged.example', must],
  ['X-Forwarded-Server', 'forged.example', should],
  ['X-Forwarded-Port', '6666', should],
]

/**
 * The fields that make a request a continuation (spec 4.9, rules 2 to 4), which only the point may set. Underscores
 * are a must, since RFC 3875 section 4.1.18 makes them equal to hyphens; other characters fold on a few servers only.
 */
export const ownedFieldCases: readonly Case[] = [
  must('fields/set', 'a request gets Host, X-Widget-Key and X-Continuation-Origin', {
    expect: [arrivesAsSent, ownedFieldsSet],
  }),
  must('fields/set-on-root', 'a request to the root gets Host, X-Widget-Key and X-Continuation-Origin', {
    send: { path: '', fields: ['Accept', 'text/html'] },
    expect: [arrivesAsSent, ownedFieldsSet],
  }),
  must('fields/set-on-post', 'a POST with a body gets Host, X-Widget-Key and X-Continuation-Origin', {
    send: { method: 'POST', path: 'create', body: '{"a":1}', fields: ['Content-Type', 'application/json'] },
    expect: [arrivesAsSent, ownedFieldsSet, bodyArrives],
  }),
  forged('key', ['X-Widget-Key', 'forged']),
  forged('key-in-lower-case', ['x-widget-key', 'forged']),
  forged('key-twice', ['X-Widget-Key', 'forged', 'X-Widget-Key', 'forged too']),
  forged('key-empty', ['X-Widget-Key', '']),
  forged('key-with-underscores', ['X_Widget_Key', 'forged']),
  forged('key-with-one-underscore', ['X-Widget_Key', 'forged']),
  forged('key-with-dots', ['X.Widget.Key', 'forged'], should),
  forged('origin', ['X-Continuation-Origin', 'https://forged.example']),
  forged('origin-in-upper-case', ['X-CONTINUATION-ORIGIN', 'https://forged.example']),
  forged('origin-twice', [
    ...['X-Continuation-Origin', 'https://forged.example'],
    ...['X-Continuation-Origin', '{origin}'],
  ]),
  forged('origin-with-underscores', ['X_Continuation_Origin', 'https://forged.example']),
  forged('origin-with-dots', ['X.Continuation.Origin', 'https://forged.example'], should),
  // The second name would be left by a server that takes `cookie` out of the list.
  forged('connection-lists-key', ['Connection', 'keep-alive, X-Widget-Key, X-WidgCookieet-Key']),
  forged('connection-lists-origin', [
    'Connection',
    'keep-alive, X-Continuation-Origin, X-ContinuaCookietion-Origin',
  ]),
  forged('connection-lists-host', ['Connection', 'keep-alive, Host']),
  ...FORGED_FORWARDING.map(([name, value, make]) =>
    make(`fields/drops-${name.toLowerCase()}`, `a client's ${name} does not reach the service`, {
      send: { fields: [name, value] },
      expect: [keepsOut(name, value)],
    }),
  ),
  should(
    'fields/drops-underscored-forwarded-for',
    'X_Forwarded_For, which some servers read as X-Forwarded-For, does not reach the service',
    {
      send: { fields: ['X_Forwarded_For', '192.0.2.66'] },
      expect: [arrivesAsSent, keepsOut('X-Forwarded-For', '192.0.2.66')],
    },
  ),
  should(
    'fields/drops-underscored-content-length',
    'Content_Length, which some servers read as framing, does not reach the service',
    { send: { fields: ['Content_Length', '66'] }, expect: [arrivesAsSent, arrivesFreeOf('Content_Length')] },
  ),
  should('fields/one-forwarded-for', 'X-Forwarded-For arrives as one list, not as several lines', {
    send: { fields: ['X-Forwarded-For', '192.0.2.66'] },
    expect: [arrivesAsSent, arrivesInOneLine('X-Forwarded-For')],
  }),
  should('fields/via', 'a request gets a Via', { expect: [arrivesAsSent, arrivesWithAny('Via')] }),
  should('fields/loop', 'a request that has already been through the point is refused', {
    manner: 'looped',
    expect: [
      happened('the request can be sent again with the Via that arrived', 'no Via arrived'),
      arrivesTimes(1),
    ],
  }),
  should('fields/drops-upgrade', 'Upgrade is not forwarded', {
    send: { fields: ['Connection', 'Upgrade', 'Upgrade', 'conformance/1'] },
    expect: [arrivesAsSent, arrivesFreeOf('Upgrade')],
  }),
  should('fields/drops-connection-options', 'a field that Connection names is not forwarded', {
    send: { fields: ['Connection', 'keep-alive, X-One-Hop', 'X-One-Hop', '1'] },
    expect: [arrivesAsSent, arrivesFreeOf('X-One-Hop')],
  }),
]

function forged(name: string, fields: readonly string[], make = must): Case {
  return make(
    `fields/forged-${name}`,
    `a client can't forge or remove the headers: ${name.replaceAll('-', ' ')}`,
    { send: { fields }, expect: [arrivesAsSent, ownedFieldsSet] },
  )
}
