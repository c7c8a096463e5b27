/**
 * Keeps a window up to date with the others: it polls the stamp of its page, and reloads the page once the stamp changes. When
 * the session is over, the visitor's window asks every point to send its changed cookies back. Only the Set-Cookie lines of
 * the answers matter; the reloaded page shows the result.
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
        // The other points may still answer.
      }
    }
    location.replace(location.pathname + '?returned')
  }

  const watch = async () => {
    try {
      const answer = await fetch(location.pathname + '/state', { cache: 'no-store' })
      if (answer.status === 404 || (await answer.json()).stamp !== stamp) return location.reload()
    } catch {
      // The service may come back.
    }
    setTimeout(watch, 700)
  }

  if (restore.length > 0) giveBack()
  else watch()
})()
`
