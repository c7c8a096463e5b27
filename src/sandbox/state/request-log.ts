import type { Arrival } from './arrival.ts'
import { formatTimestamp } from './schema.ts'
import type { Service } from './service.ts'

/** Keeps the last thousand requests, without keys, tokens and passwords, and with a short body only if that is JSON. */
export function openRequestLog() {
  const requests: unknown[] = []
  let number = 0
  return {
    list: () => requests,
    add(
      { method, target, path, query }: Arrival,
      body: Buffer,
      status: number,
      service: Service,
      nowMs: number,
    ): void {
      const secrets = secretsOf(service)
      const shown = target.length > MOST_SHOWN_OCTETS ? [] : [...query]
      const mask = (text: string) => secrets.reduce((masked, each) => masked.replaceAll(each, MASKED), text)
      number += 1
      requests.push({
        number,
        at: formatTimestamp(nowMs),
        method,
        path: mask(maskClientPath(path)).slice(0, MOST_SHOWN_OCTETS),
        query: shown.map(([name, value]) => [mask(name), isSecretName(name) ? MASKED : mask(value)]),
        octets: body.length,
        body: maskJson(body, mask),
        status,
      })
      if (requests.length > MOST_REQUESTS) requests.shift()
    },
  }
}

/** Every key and token, the longest first; none of them may be shown. */
function secretsOf({ companies }: Service): readonly string[] {
  return [...companies.values()]
    .flatMap(({ rest_key, widget_key, client_key, resellerKey, agents }) => {
      const tokens = [...agents.values()].map(({ token }) => token?.text)
      return [rest_key, widget_key, client_key, resellerKey, ...tokens]
    })
    .filter((secret) => secret !== undefined)
    .sort((a, b) => b.length - a.length)
}

/** The value of a JSON body without what is under the name of a secret, right or wrong, and without known keys. */
function maskJson(body: Buffer, mask: (text: string) => string): unknown {
  if (body.length === 0 || body.length > MOST_SHOWN_OCTETS) return undefined
  try {
    return JSON.parse(body.toString('utf8'), (name, value) => {
      if (isSecretName(name)) return MASKED
      return typeof value === 'string' ? mask(value) : value
    })
  } catch {
    return undefined
  }
}

/** The path of a client contains its key, and the reseller's unless it says `all`. */
function maskClientPath(path: string): string {
  const [, root = path, rest = ''] = /^(\/v2\/clients\/)(.*)$/.exec(path) ?? []
  return root + rest.replaceAll(/[^/]+/g, (segment) => (segment === 'all' ? segment : MASKED))
}

function isSecretName(name: string): boolean {
  return /key|password|token|secret/i.test(name)
}

const MOST_REQUESTS = 1000
const MOST_SHOWN_OCTETS = 8 * 1024
const MASKED = '[masked]'
