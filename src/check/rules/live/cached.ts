import type { Fix } from '../../fix.ts'
import { explainUnclear } from '../../read/contrast.ts'
import { isVouched, observationsFor, vouchedOf } from '../../read/observations.ts'
import { escapeAndCut } from '../../read/reply.ts'
import {
  cacheLinesOf,
  cacheMarks,
  findCacheMarks,
  findLooserRules,
  noncesOf,
  showsStoredResponse,
} from '../../read/stored-responses.ts'
import { cite, fail, inconclusive, pass, type RulesById, type Ruling } from '../../rule.ts'
import { eachLivePoint } from '../../subjects.ts'

export const cachedRules: RulesById = {
  'live/cached': {
    title: 'Every answer comes from the service, none from a cache',
    why: 'A cached answer can give one visitor the cookies or the session of another. Many caches store an answer just because its URL looks static, or because it has no Cache-Control.',
    wrong: 'a CDN rule "cache everything", or proxy_cache with proxy_cache_valid, over the whole site',
    right:
      'caching bypassed for everything below the path of the point, and Cache-Control: private, no-store on it',
    fix: "Bypass the cache below the point's path.",
    remedy: (advice) => advice.bypassCache,
    reference: cite('RFC 9111', '3', 'storing responses in caches'),
    needs: { rules: ['live/forwarded'], answers: ['nonce'] },
    evaluate: eachLivePoint((fact) => {
      const { path } = fact.point
      const fix: Fix = {
        what: `Bypass every cache for ${path}*, and set Cache-Control: private, no-store there (CDN: a bypass rule for this path)`,
        remedy: (advice) => advice.bypassCache,
      }
      if (showsStoredResponse(fact)) {
        const marks = fact.observations.flatMap(({ reply }) => cacheMarks(reply))
        return failByFields('The answer to one request came back for another', fix, [...new Set(marks)])
      }
      const marks = findCacheMarks(fact)
      if (marks.length > 0) return failByFields('An answer says that it comes from a cache', fix, marks)
      const [looser] = findLooserRules(fact)
      if (looser !== undefined) {
        const fix: Fix = {
          what: `Leave Cache-Control as the service sends it for ${path}*`,
          remedy: (advice) => advice.keepCacheControl,
        }
        const lines = cacheLinesOf(looser)
        return failByFields('Caches may store what the service forbids them to store', fix, lines)
      }
      const observations = observationsFor(fact, 'nonce')
      if (isVouched(fact) && observations.every((each) => vouchedOf(each) !== undefined)) return pass
      if (observations.length > 0 && noncesOf(fact).length === observations.length) return pass
      return inconclusive(explainUnclear(fact))
    }),
  },
}

function failByFields(message: string, fix: Fix, fields: readonly string[]): Ruling {
  return fail(message, fix, { fields: fields.slice(0, 5).map(escapeAndCut) })
}
