/**
 * Shows in the shop's pages what a script can read there, which is all that a widget alone could carry, and keeps a
 * wish list and the way in as shops do.
 */
export const SHOP_SCRIPT = `(() => {
  'use strict'
  try {
    localStorage.shop_wishlist ??= 'reading-arm'
    sessionStorage.shop_entered_at ??= location.pathname
  } catch {
    // This visitor allows no storage.
  }
  const readable = document.getElementById('readable')
  if (readable === null) return
  readable.textContent = document.cookie === '' ? 'no cookie' : document.cookie
  const names = document.cookie.split('; ').map((pair) => pair.split('=', 1)[0])
  for (const cell of document.querySelectorAll('[data-cookie]')) {
    cell.textContent = names.includes(cell.dataset.cookie) ? 'reads it' : 'cannot see it'
  }
})()
`
