/**
 * Keeps a window of a session up to date with the others: it asks for the stamp of its page, and loads the page again
 * once that differs. In the visitor's window of a session that is over it asks every point to send its changed cookies
 * back; the answers' Set-Cookie lines are what matters, and what came of them the page shows when it is loaded again.
 */
export const WINDOW_SCRIPT = `(() => {
  'use strict'
  const live = document.getElementById('live')
  if (live === null) return
  const { stamp, restore } = JSON.parse(live.textContent)

  const giveBack = async () => {
    for (const url of restore) {
      try {
        await fetch(url, { method: 'POST', credentials: 'include', redirect: 'error' })
      } catch {
        // A point that does not answer keeps the others from nothing.
      }
    }
    location.replace(location.pathname + '?returned')
  }

  const watch = async () => {
    try {
      const answer = await fetch(location.pathname + '/state', { cache: 'no-store' })
      if (answer.status === 404 || (await answer.json()).stamp !== stamp) return location.reload()
    } catch {
      // The service is gone or slow; it may come back.
    }
    setTimeout(watch, 700)
  }

  if (restore.length > 0) giveBack()
  else watch()
})()
`
