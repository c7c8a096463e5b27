import { describe, expect, it } from 'vitest'
import { readMarkup } from '../../../src/check/read/page-markup.ts'
import { readWidget } from '../../../src/check/read/widget-sign.ts'

const PAGE = new URL('https://www.example.com/start')
const MARKS = { authorities: ['cobrowse.example.net', '127.0.0.1:9000'], keys: ['key-1234', ''] }
const CODE = '<script src="https://cobrowse.example.net/widget.js"></script>'

describe('the widget in a page', () => {
  const kindOf = (html: string) => readWidget(PAGE, readMarkup(html), MARKS).kind

  it.each([
    ['a script of the service', CODE],
    ['one without scheme, in capitals', '<SCRIPT async SRC=//COBROWSE.example.net/w.js></SCRIPT>'],
    ['one of another host of the vendor', "<script src='https://cdn.example.net/w.js'></script>"],
    ['one of a port', '<script src="http://127.0.0.1:9000/w.js"></script>'],
    ['the key in an attribute', '<div data-key="key-1234"></div>'],
    ['the key in data', '<script type="application/json">{"key":"key-1234"}</script>'],
    ['an inline loader', '<script>load("https://cobrowse.example.net/w.js")</script>'],
    ['a loader with escaped slashes', String.raw`<script>load("https:\/\/cdn.example.net\/w.js")</script>`],
    ['a module', `<script type=module>import "https://cobrowse.example.net/w.js"</script>`],
    ['one after a comment', `<!-- <script> -->${CODE}`],
    ['one after a title with a tag in it', `<title><script></title>${CODE}`],
    ['one after an attribute with a bracket', `<p title="a > b <!--">${CODE}`],
    ['one after attributes without a space between', `<p a="1"b='2'/c>${CODE}`],
  ])('is there with %s', (_what, html) => {
    expect(kindOf(html)).toBe('there')
  })

  it.each([
    ['in a comment', `<!-- ${CODE} key-1234 -->`],
    ['in a comment that never ends', `<!-- ${CODE}`],
    ['in a noscript', `<noscript>${CODE}</noscript>`],
    ['in a text area', `<textarea>${CODE}</textarea>`],
    ['as a link', '<a href="https://cobrowse.example.net/">help</a>'],
    ['as data that is not run', '<script type="text/template" src="https://cdn.example.net/w.js"></script>'],
    ['of another port of the host', '<script>"http://127.0.0.1:9001/w.js"; dataLayer = []</script>'],
    ['in a script that never ends', '<script src="https://cobrowse.example.net/widget.js">'],
    ['not at all', '<!doctype html><title>Shop</title><p>Hello'],
    ['in no HTML', ''],
  ])('is absent %s', (_where, html) => {
    expect(kindOf(html)).not.toBe('there')
  })

  it.each([
    ['<script src="/bundle.js"></script>', '/bundle.js'],
    ['<script src="https://tags.example.org/m.js?id=1"></script>', 'tags.example.org'],
    ['<script>const s = document.createElement("script")</script>', 'an inline script'],
    ['<script>widget("the-key-of-another-account")</script>', 'an inline script'],
    ['<script>dataLayer = []</script><script src="/bundle.js"></script>', '/bundle.js'],
    ['<script type="module">import "./main.js"</script>', 'an inline script'],
  ])('may come with %s', (html, loader) => {
    expect(readWidget(PAGE, readMarkup(html), MARKS)).toEqual({ kind: 'perhaps', loader })
  })

  it.each(['<script> </script>', '<script type="application/ld+json">{}</script>', '<p>import</p>'])(
    'can’t come with %s',
    (html) => {
      expect(kindOf(html)).toBe('absent')
    },
  )

  it("is not recognised by a script of the site, if the service runs below the site's domain", () => {
    const marks = { authorities: ['cobrowse.example.com'], keys: [] }
    const sign = (host: string) =>
      readWidget(PAGE, readMarkup(`<script src="https://${host}/w.js"></script>`), marks).kind
    expect([sign('static.example.com'), sign('cobrowse.example.com')]).toEqual(['perhaps', 'there'])
  })
})

describe('hostile HTML', () => {
  const most = 1_048_576

  it.each([
    '<!--',
    '<script>',
    '<script ',
    '<meta content="',
    "<meta a='",
    '<p ',
    '<title>',
    '</script',
    '< ',
    '<p a=',
    '//',
    'import ',
  ])('of %s and nothing else is read in one go', (piece) => {
    const html = piece.repeat(most / piece.length)
    const markup = readMarkup(html)
    expect(markup.uncommented.length).toBeLessThanOrEqual(html.length)
    expect(readWidget(PAGE, markup, MARKS).kind).not.toBe('there')
  })

  it.each(['//', 'import ', '.src ', 'a//b.c:1', '\\/'])('in a script of %s is read in one go', (piece) => {
    const html = `<script>${piece.repeat(most / piece.length)}</script>`
    expect(readWidget(PAGE, readMarkup(html), MARKS).kind).not.toBe('there')
  })
})
