import { formatTimestamp } from '../schema/schema.ts'
import type { Arrival } from '../wire/arrival.ts'
import type { Service } from './service.ts'

/** Keeps the last thousand requests, without keys, tokens and passwords, and with a body only if that is JSON. */
export function openRequestLog() {
  const requests: unknown[] = []
  let number = 0
  return {
    /** The oldest first; numbers begin at 1. */
    list: () => requests,
    /** @param nowMs the stand-in's time */
    add(
      { method, path, query }: Arrival,
      body: Buffer,
      status: number,
      service: Service,
      nowMs: number,
    ): void {
      const mask = maskOf(secretsOf(service))
      const json = parseJson(body)
      number += 1
      requests.push({
        number,
        at: formatTimestamp(nowMs),
        method,
        path: mask.text(maskClientPath(path)),
        query: [...query].map(([name, value]) => [
          mask.text(name),
          isSecretName(name) ? MASKED : mask.text(value),
        ]),
        octets: body.length,
        body: json === undefined ? undefined : mask.json(json),
        status,
      })
      if (requests.length > MOST_REQUESTS) requests.shift()
    },
  }
}

/** Every key and token; none of them may be shown. */
function secretsOf({ companies }: Service): readonly string[] {
  return [...companies.values()]
    .flatMap(({ rest_key, widget_key, client_key, resellerKey, agents }) => {
      const tokens = [...agents.values()].map(({ token }) => token?.text)
      return [rest_key, widget_key, client_key, resellerKey, ...tokens]
    })
    .filter((secret) => secret !== undefined)
}

function parseJson(body: Buffer): unknown {
  if (body.length === 0 || body.length > MOST_SHOWN_OCTETS) return undefined
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Masks every value under the name of a secret, right or wrong, and every known key anywhere. */
function maskOf(secrets: readonly string[]) {
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length)
  const text = (plain: string) =>
    longestFirst.reduce((masked, secret) => masked.replaceAll(secret, MASKED), plain)
  const json = (value: unknown, depth = DEEPEST): unknown => {
    if (typeof value === 'string') return text(value)
    if (typeof value !== 'object' || value === null) return value
    if (depth === 0) return '…'
    if (Array.isArray(value)) return value.map((item) => json(item, depth - 1))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        text(name),
        isSecretName(name) ? MASKED : json(member, depth - 1),
      ]),
    )
  }
  return { json, text }
}

/** The path of a client contains its key, and the reseller's unless it says `all`. */
function maskClientPath(path: string): string {
  const [, root, rest = ''] = /^(\/v2\/clients\/)(.*)$/.exec(path) ?? []
  if (root === undefined) return path
  return root + rest.replaceAll(/[^/]+/g, (segment) => (segment === 'all' ? segment : MASKED))
}

function isSecretName(name: string): boolean {
  return /key|password|token|secret/i.test(name)
}

const MOST_REQUESTS = 1000
const MOST_SHOWN_OCTETS = 64 * 1024
const MASKED = '[masked]'
const DEEPEST = 16
