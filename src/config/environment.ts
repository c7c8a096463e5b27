import type { Override } from './parse.ts'
import type { Location, Path, Problem } from './problem.ts'
import type { JsonValue } from './read-json.ts'
import { suggest } from './suggestion.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The overrides from environment variables. An empty variable counts as absent, as in Compose files. The widget key is not
 * read here: its override is a reference to the variable or to the file that it names.
 *
 * @param referenced variables that the config refers to: other unknown ones with our prefix are most likely misspelt
 */
export function readEnvironment(env: Environment, referenced: readonly string[]) {
  const services = findServices(env)
  const overrides = settings.flatMap(({ name, path, toValue }): readonly Override[] => {
    const text = env[name] ?? ''
    if (text === '' || isServiceLink(name, services)) return []
    return [{ path, value: toValue(text), location: locateVariable(name) }]
  })
  const problems: Problem[] = []
  if (env[widgetKey] && env[WIDGET_KEY_FILE]) {
    const message = `${widgetKey} and ${WIDGET_KEY_FILE} are both set`
    problems.push({ location: locateVariable(WIDGET_KEY_FILE), message, expected: 'one of them' })
  }
  const legal = settings.map(({ name }) => name)
  const known = new Set([...legal, ...referenced])
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith(prefix) && !known.has(name) && !isServiceLink(name, services),
  )
  for (const name of unknown.sort()) {
    const suggestion = suggest(name, legal)
    const next = suggestion === undefined ? { expected: `one of ${legal.join(', ')}` } : { suggestion }
    problems.push({ location: locateVariable(name), message: 'unknown variable', ...next })
  }
  return { overrides, problems }
}

const locateVariable = (pointer: string): Location => ({ file: 'environment', pointer })

/**
 * Kubernetes gives each container `X_SERVICE_HOST`, `X_SERVICE_PORT…`, `X_PORT=tcp://…` and `X_PORT_80_TCP…` for every
 * service of its namespace, and a service named `continuation` or `continuation-point` is likely to exist.
 */
function findServices(env: Environment): readonly string[] {
  return Object.entries(env).flatMap(([name, address = '']) => {
    const isPort = name.startsWith(prefix) && name.endsWith('_PORT')
    return isPort && /^(?:tcp|udp|sctp):\/\//.test(address) ? name.slice(0, -'_PORT'.length) : []
  })
}

function isServiceLink(name: string, services: readonly string[]): boolean {
  return services.some((service) =>
    ['_SERVICE_HOST', '_SERVICE_PORT', '_PORT'].some((part) => name.startsWith(service + part)),
  )
}

function parseNumber(text: string): JsonValue {
  return /^\d{1,15}$/.test(text) ? Number(text) : text
}

function splitList(text: string): JsonValue {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

const prefix = 'CONTINUATION_'

const widgetKey = 'CONTINUATION_WIDGET_KEY'

const WIDGET_KEY_FILE = 'CONTINUATION_WIDGET_KEY_FILE'

const settings: readonly {
  readonly name: string
  readonly path: Path
  readonly toValue: (text: string) => JsonValue
}[] = [
  { name: 'CONTINUATION_SERVICE_URL', path: ['service', 'url'], toValue: (text) => text },
  { name: widgetKey, path: ['widgetKey'], toValue: () => `env:${widgetKey}` },
  { name: WIDGET_KEY_FILE, path: ['widgetKey'], toValue: (path) => `file:${path}` },
  { name: 'CONTINUATION_POINTS', path: ['points'], toValue: splitList },
  { name: 'CONTINUATION_PAGES', path: ['pages'], toValue: splitList },
  { name: 'CONTINUATION_HOST', path: ['listen', 'host'], toValue: (text) => text },
  { name: 'CONTINUATION_PORT', path: ['listen', 'port'], toValue: parseNumber },
  { name: 'CONTINUATION_TRUSTED_PROXIES', path: ['listen', 'trustedProxies'], toValue: splitList },
  { name: 'CONTINUATION_ADMIN_HOST', path: ['admin', 'host'], toValue: (text) => text },
  { name: 'CONTINUATION_ADMIN_PORT', path: ['admin', 'port'], toValue: parseNumber },
  { name: 'CONTINUATION_LOG_LEVEL', path: ['log', 'level'], toValue: (text) => text },
]
