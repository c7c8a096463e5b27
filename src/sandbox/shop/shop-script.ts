/**
 * Shows what a script can read in the shop's pages, which is all that a widget alone could carry, and stores a wish list and
 * the referrer as shops do. It polls the shop's view of the visitor's cookies, so that what a session changed shows as soon
 * as it is back.
 */
export const SHOP_SCRIPT = `(() => {
  'use strict'
  try {
    localStorage.shop_wishlist ??= 'reading-arm'
    sessionStorage.shop_entered_at ??= location.pathname
  } catch {
    // Storage is blocked.
  }

  const readable = document.getElementById('readable')
  const readCookies = () => {
    if (readable === null) return
    readable.textContent = document.cookie === '' ? 'no cookie' : document.cookie
    const names = document.cookie.split('; ').map((pair) => pair.split('=', 1)[0])
    for (const cell of document.querySelectorAll('[data-cookie]')) {
      cell.textContent = names.includes(cell.dataset.cookie) ? 'reads it' : 'cannot see it'
    }
  }

  let known
  const show = (visit) => {
    for (const cell of document.querySelectorAll('[data-visit]')) {
      const name = cell.dataset.visit
      const value = cell.querySelector('dd')
      if (value.textContent !== visit[name]) value.textContent = visit[name]
      if (known !== undefined && known[name] !== visit[name]) cell.dataset.changed = ''
    }
    document.body.dataset.look = visit.look
    known = visit
    readCookies()
  }

  const refresh = async () => {
    try {
      if (!document.hidden) show(await (await fetch('/checkout/visit', { cache: 'no-store' })).json())
    } catch {
      // The shop is gone; the page stays.
    }
    setTimeout(refresh, 1500)
  }
  if (document.querySelector('[data-visit]') !== null) refresh()

  readCookies()
})()
`
