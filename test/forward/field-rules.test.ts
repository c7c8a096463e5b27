import { describe, expect, it } from 'vitest'
import { foldName, isStrippedFromRequest } from '../../src/forward/field-rules.ts'

describe('foldName: a name as CGI-style servers read it', () => {
  it.each([
    ['x-widget-key', 'x-widget-key'],
    ['x_widget_key', 'x-widget-key'],
    ['x_widget.key', 'x-widget-key'],
    ["a!#$%&'*+.^_`|~b", 'a--------------b'],
    ['xwidgetkey', 'xwidgetkey'],
    ['', ''],
  ])('%s is %s', (name, folded) => {
    expect(foldName(name)).toBe(folded)
  })
})

describe('isStrippedFromRequest', () => {
  it.each([
    // Ours
    ['x-widget-key', true],
    ['x_widget_key', true],
    ['x-continuation_origin', true],
    ['x-widget-keys', false],
    ['continuation_point-check', true],
    // The hop before
    ['forwarded', true],
    ['x-forwarded-proto', true],
    ['x-forwarded-prefix', false],
    ['x_forwarded_prefix', true],
    // Framing: the true spelling is for whoever frames the body
    ['content-length', false],
    ['content_length', true],
    ['transfer_encoding', true],
    // Hop-by-hop, by their own names only
    ['connection', true],
    ['transfer-encoding', true],
    ['keep_alive', false],
    // Set again or answered here
    ['host', true],
    ['expect', true],
    // End to end
    ['cookie', false],
    ['authorization', false],
    ['accept_language', false],
  ])('%s: %s', (lowerName, isStripped) => {
    expect(isStrippedFromRequest(lowerName)).toBe(isStripped)
  })
})
