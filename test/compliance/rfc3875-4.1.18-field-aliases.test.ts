import { describe, it } from 'vitest'
import { setUpStage } from '../support/stage.ts'

const HEAD = 'GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n'

// Each name in every spelling is in test/forward/request.test.ts.
describe('other spellings of fields that the proxy owns (RFC 3875 section 4.1.18)', () => {
  const stage = setUpStage()

  it.each([
    'X-Widget-Key',
    'x-widget-key',
    'X_Widget_Key',
    'x.widget-KEY',
    'X~Continuation~Origin',
    'X_Forwarded_For',
  ])('%s of a client is dropped', (name) =>
    stage.expectForwarded(`${HEAD}${name}: forged\r\n${name}:\r\n\r\n`),
  )

  it('look-alikes of Content-Length frame no body', () => {
    const lines = 'Content_Length: 0\r\nContent.Length: 1\r\nContent-Length: 4\r\n'
    return stage.expectForwarded(`${HEAD.replace('GET', 'POST')}${lines}\r\nbody`, {
      method: 'POST',
      rest: 'content-length: 4\r\n\r\nbody',
    })
  })
})
