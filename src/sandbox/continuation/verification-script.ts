/**
 * Completes the verification page in the browser, which alone knows the requested URL: compares the origin that arrived
 * with the page's own, and the page's URL with the listed ones, then counts again.
 */
export const VERIFICATION_SCRIPT = `(() => {
  'use strict'
  const { continuationOrigin, listedUrls } = JSON.parse(document.getElementById('verification').textContent)
  const boxes = [...document.querySelectorAll('[data-check]')]
  const asked = location.origin + location.pathname

  const settle = (check, outcome, description) => {
    const box = boxes.find((candidate) => candidate.dataset.check === check)
    if (!('waiting' in box.dataset)) return
    delete box.dataset.waiting
    box.dataset.outcome = outcome
    box.querySelector('.outcome').textContent = outcome === 'pass' ? 'Passed' : 'Failed'
    box.querySelector('.description').textContent = description
    box.querySelector('.help').hidden = outcome === 'pass'
    for (const waiting of box.querySelectorAll('.waiting, noscript')) waiting.remove()
  }

  const sameOrigin = continuationOrigin === location.origin
  settle('origin', sameOrigin ? 'pass' : 'fail', sameOrigin
    ? 'X-Continuation-Origin is ' + continuationOrigin + ', the origin that your browser requested.'
    : 'X-Continuation-Origin is ' + continuationOrigin + ', but your browser requested ' + location.origin + '.')

  const listed = listedUrls.includes(asked)
  settle('allowed', sameOrigin && listed ? 'pass' : 'fail', !sameOrigin
    ? 'It needs a correct X-Continuation-Origin first.'
    : listed
      ? 'The account settings list ' + asked + '.'
      : 'Your browser requested ' + asked + '. For this origin, the account settings list only ' + listedUrls.join(' and ') + '.')

  const failed = boxes.filter((box) => box.dataset.outcome === 'fail').length
  const headline = failed === 0 ? 'All checks passed' : failed + ' of ' + boxes.length + ' checks failed'
  document.querySelector('.verdict').dataset.verdict = failed === 0 ? 'pass' : 'fail'
  document.querySelector('h1').textContent = headline
  document.querySelector('.lead').textContent = failed === 0
    ? asked + ' carries this site\\u2019s cookies to the service.'
    : 'Each red box says what was found. Open its help, fix the setup, then reload this page.'
  document.title = headline + ' \\u2013 continuation point'
})()
`
