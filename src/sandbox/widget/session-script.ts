/**
 * Ends a session from its page: asks every point to send its changed cookies back, then sends the form. The answers'
 * Set-Cookie lines are what matters; what came of them the page shows when it is loaded again.
 */
export const SESSION_SCRIPT = `(() => {
  'use strict'
  const form = document.getElementById('end')
  if (form === null) return
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    form.querySelector('button').disabled = true
    for (const url of JSON.parse(document.getElementById('restore').textContent)) {
      try {
        await fetch(url, { method: 'POST', credentials: 'include', redirect: 'error' })
      } catch {
        // A point that does not answer keeps the others from nothing.
      }
    }
    form.submit()
  })
})()
`
