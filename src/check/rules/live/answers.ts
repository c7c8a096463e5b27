import { observationsFor } from '../../read/observations.ts'
import { describeReply, evidenceOf, isConclusive, valuesIn } from '../../read/reply.ts'
import { cite, failAsRule, inconclusive, pass, type RulesById, skip } from '../../rule.ts'
import { eachLivePoint } from '../../subjects.ts'

/** Rules on what comes back of large answers and of errors. */
export const answerRules: RulesById = {
  'live/response-size': {
    title: 'Set-Cookie lines of up to 32 KiB come back',
    why: 'After a session the cookies come back in the head of an answer, all at once. A web server or proxy that keeps heads in a small buffer answers with an error of its own instead, and only for visitors with many cookies.',
    wrong: 'nginx with its default proxy_buffer_size of 4 or 8 KiB',
    right: 'nginx: proxy_buffer_size 64k; proxy_buffers 4 64k; in the location of the point',
    fix: 'Raise the limit for the heads of answers.',
    remedy: (advice) => advice.allowLargeAnswers,
    reference: cite('RFC 9110', '5.4', 'header limits'),
    needs: { rules: ['live/forwarded', 'live/methods', 'live/set-cookie'], answers: ['response-size'] },
    evaluate: eachLivePoint((fact) => {
      const observations = observationsFor(fact, 'response-size')
      if (observations.length === 0) return skip('the service was asked for no large answer')
      let largest = 0
      for (const { question, reply } of observations) {
        const octets = Number(/octets=(\d+)/.exec(question.rest)?.[1])
        const arrived = valuesIn(reply, 'set-cookie').join('').length
        if (reply.standIn !== undefined && arrived >= octets) {
          largest = octets
          continue
        }
        if (!isConclusive(reply))
          return inconclusive(`Large answers could not be tested: ${describeReply(reply)}`)
        const sent = `${octets / 1024} KiB of Set-Cookie lines`
        const largestArrived = largest === 0 ? 'none' : `${largest / 1024} KiB`
        const evidence = { sent, ...evidenceOf(reply), largestArrived, largestArrivedOctets: largest }
        return failAsRule(`An answer with ${sent} does not come back: ${describeReply(reply)}`, evidence)
      }
      return pass
    }),
  },
  'live/errors': {
    title: "The service's errors come back as it sent them",
    why: 'The widget reads what the service says of an error. An error page of the site in its place says nothing, and loses the cookies of the answer.',
    wrong: 'nginx: proxy_intercept_errors on; with an error_page, for the whole site',
    right: 'nginx: proxy_intercept_errors off; in the location of the point',
    fix: 'Turn off error pages for what the service answers below the point.',
    remedy: (advice) => advice.keepErrors,
    needs: { rules: ['live/forwarded', 'live/methods'], answers: ['error'] },
    evaluate: eachLivePoint((fact) => {
      const observations = observationsFor(fact, 'error')
      const replaced = observations.find(({ reply }) => reply.standIn === undefined)
      if (replaced === undefined)
        return observations.length > 0 ? pass : skip('the service was asked for no error')
      const { question, reply } = replaced
      if (!isConclusive(reply)) return inconclusive(`Errors could not be tested: ${describeReply(reply)}`)
      const sent = question.rest.replace(/^.*?(\d{3})\?.*$/, '$1')
      const message = `Your web server or proxy puts an error page in place of the service's answer: ${sent}`
      return failAsRule(message, { sent: `${sent}, application/json`, ...evidenceOf(reply) })
    }),
  },
}
