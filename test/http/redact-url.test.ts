import { describe, expect, it } from 'vitest'
import { redactUrl } from '../../src/http/redact-url.ts'

describe('a URL as it is shown', () => {
  it.each([
    ['https://www.example.com/shop/', 'https://www.example.com/shop/'],
    ['https://h:8443/@scope/x', 'https://h:8443/@scope/x'],
    ['https://h/?', 'https://h/?'],
    ['https://h/x?key=1#y', 'https://h/x?…'],
    ['https://h/x#y', 'https://h/x#…'],
    ['https://h/x#y?key=1', 'https://h/x#…'],
    ['https://u:p@h/x', 'https://…@h/x'],
    ['HTTPS://u:p@h/x', 'HTTPS://…@h/x'],
    ['https://u:p@h/@scope/', 'https://…@scope/'],
    ['https://user:pa/ss@h/x', 'https://…@h/x'],
    ['https://user:12/34@h/x', 'https://…@h/x'],
    ['https://user:pa\\ss@h/x', 'https://…@h/x'],
    ['https://user:p@ss@h/x', 'https://…@h/x'],
    ['https://user:pa ss@h/x', 'https://…@h/x'],
    ['https://user:pa\nss@h/x', 'https://…@h/x'],
    ['https://user:se?cret@h/x', 'https://…'],
    ['https://user:se#cret@h/x', 'https://…'],
    ['https://user:?cret@h/x', 'https://…'],
    ['https://h/x?mail=a@b', 'https://…'],
    ['https:u:p@h', 'https:…@h'],
    ['//u:p@h', '…@h'],
    ['u:p@h', '…@h'],
    ['secret://u:p@h', '…@h'],
    ['u:p?x@h', '…'],
    ['not a URL', 'not a URL'],
    ['', ''],
  ])('%j: %j', (text, shown) => {
    expect(redactUrl(text)).toBe(shown)
  })
})
