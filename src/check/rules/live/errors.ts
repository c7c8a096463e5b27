import { observationsFor } from '../../read/live-fact.ts'
import { describeReply, evidenceOf, isConclusive } from '../../read/reply.ts'
import { failAsRule, inconclusive, pass, type RulesById, skip } from '../../rule.ts'
import { eachLivePoint } from '../../subjects.ts'

export const errorRules: RulesById = {
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
      return failAsRule(`The front end puts an error page in place of the service's answer: ${sent}`, {
        sent: `${sent}, application/json`,
        ...evidenceOf(reply),
      })
    }),
  },
}
