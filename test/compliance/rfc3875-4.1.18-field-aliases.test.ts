import { describe, it } from 'vitest'
import { setUpStage } from '../support/stage.ts'

const HEAD = 'GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n'

/** Every token character but letters, digits and the hyphen: back ends fold them to `_` in HTTP_* variables. */
const FOLDED = "!#$%&'*+.^_`|~".split('')

describe('other spellings of fields that the proxy owns (RFC 3875 section 4.1.18)', () => {
  const stage = setUpStage()

  const expectForwarded = async (lines: string, kept = '') => {
    await stage.expectForwarded(`${HEAD}${lines}\r\n`, { lines: kept })
  }

  it.each(['X-Widget-Key', 'x-widget-key', 'X-WIDGET-KEY', 'X-Continuation-Origin', 'x-CONTINUATION-origin'])(
    '%s of a client is replaced',
    (name) => expectForwarded(`${name}: forged\r\n${name}:\r\n`),
  )

  it.each(FOLDED)('names with %s for the hyphen', async (character) => {
    const spell = (name: string) => `${name.replaceAll('-', character)}: forged\r\n`
    await expectForwarded(
      [
        'X-Widget-Key',
        'x-widget-key',
        'X-CONTINUATION-ORIGIN',
        'Content-Length',
        'Transfer-Encoding',
        'X-Forwarded-For',
        'X-Forwarded-Host',
        'X-Forwarded-Proto',
        'X-Forwarded-Port',
        'X-Forwarded-Server',
      ]
        .map(spell)
        .join(''),
    )
  })

  it.each(FOLDED)('names with %s for one hyphen only', (character) =>
    expectForwarded(`X-Widget${character}Key: forged\r\nX${character}Continuation-Origin: forged\r\n`),
  )

  it.each([
    'X_Widgets_Key: 1\r\n',
    'XWidgetKey: 1\r\n',
    'X__Widget_Key: 1\r\n',
    'X_Widget_Key_: 1\r\n',
    'Cookie_: sid=2\r\n',
    'Accept_Language: de\r\n',
    'X-Forwarded: 1\r\n',
    'x.y.z: 1\r\n',
  ])('%j is not an alias of ours and is kept', (lines) => expectForwarded(lines, lines))

  it('look-alikes of Content-Length frame no body', () => {
    const lines = 'Content_Length: 0\r\nContent.Length: 1\r\nContent-Length: 4\r\n'
    return stage.expectForwarded(`${HEAD.replace('GET', 'POST')}${lines}\r\nbody`, {
      method: 'POST',
      rest: 'content-length: 4\r\n\r\nbody',
    })
  })
})
