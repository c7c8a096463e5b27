import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { top } from '../project/source-tree.ts'

interface Schema {
  readonly [keyword: string]: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly required?: readonly string[]
}

/** The schema of the chart's values, made from that of the config file: stricter where a pod needs it. */
export function toChartSchema(): Schema {
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...section(VALUES, REQUIRED_VALUES) }
}

function configSchema(): Schema {
  const whole = JSON.parse(readFileSync(join(top, 'config.schema.json'), 'utf8')) as Schema
  const { $schema: _editor, ...properties } = strict(whole).properties ?? {}
  return {
    description: 'config.json, with what the probes, the grace period and the Secret need.',
    ...section(
      {
        ...properties,
        service: narrow(properties.service, { url: { type: 'string', pattern: '^https://[^/]+$' } }),
        points: { ...properties.points, minItems: 1 },
        listen: narrow(properties.listen, { host: REACHABLE, port: { const: 8080 } }),
        admin: narrow(sectionOf(properties.admin), { host: REACHABLE, port: { const: 9090 } }),
        timeouts: narrow(properties.timeouts, {
          drain: { description: 'In whole seconds.', type: 'string', pattern: '^[1-9][0-9]{0,3}s$' },
        }),
      },
      ['service', 'points', 'listen', 'admin', 'timeouts'],
    ),
  }
}

/** A schema without what editors show, and with references where secrets belong. */
function strict(schema: Schema, name = ''): Schema {
  const { description: _text, examples: _examples, default: _default, ...rest } = schema
  if (SECRETS.has(name)) return REFERENCE
  return {
    ...rest,
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([key, each]) => [key, strict(each, key)]),
      ),
    }),
    ...(schema.items && { items: strict(schema.items, name) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map((each) => strict(each, name)) }),
  }
}

/** By default all of them are required. */
function section(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
): Schema {
  return { type: 'object', additionalProperties: false, required, properties }
}

/** The same section with these keys required, and narrower. */
function narrow(schema: Schema | undefined, properties: Readonly<Record<string, Schema>>): Schema {
  return section({ ...schema?.properties, ...properties }, Object.keys(properties))
}

/** A section that may also be null. */
function sectionOf(schema: Schema | undefined): Schema | undefined {
  return schema?.anyOf?.find(({ type }) => type === 'object') ?? schema
}

const SECRETS: ReadonlySet<string> = new Set(['widgetKey', 'apiKey', 'key'])
const REFERENCE: Schema = {
  description: 'Must be a reference: a secret written here would end up in a ConfigMap.',
  type: 'string',
  pattern: '^(?:file:/|env:)',
}
const REACHABLE: Schema = {
  description: 'Neither the kubelet nor a front end can reach loopback.',
  type: 'string',
  minLength: 1,
  not: { pattern: '^(?:localhost|.*\\.localhost|127\\..*|::1|\\[::1\\])$' },
}
const TEXT: Schema = { type: 'string', minLength: 1 }
const COUNT: Schema = { type: 'integer', minimum: 1 }
const SECONDS: Schema = { type: 'integer', minimum: 0 }
const OBJECT: Schema = { type: 'object' }
const OBJECTS: Schema = { type: 'array', items: { type: 'object' } }
const TEXTS: Schema = { type: 'object', additionalProperties: { type: 'string' } }
const PORT: Schema = { type: 'integer', minimum: 1, maximum: 65_535 }
const DURATION: Schema = { type: 'string', pattern: '^[1-9][0-9]*(?:ms|s|m|h)$' }
const OWN_VARIABLE: Schema = {
  description: 'The probes and the Service rely on the addresses in the config.',
  type: 'string',
  minLength: 1,
  not: { pattern: '^CONTINUATION_(?:ADMIN_)?(?:HOST|PORT)$' },
}

const VALUES: Readonly<Record<string, Schema>> = {
  global: OBJECT,
  image: section(
    {
      repository: TEXT,
      tag: { type: 'string', not: { const: 'latest' } },
      digest: { type: 'string', pattern: '^(?:|sha256:[0-9a-f]{64})$' },
    },
    ['repository'],
  ),
  imagePullSecrets: { type: 'array', items: section({ name: TEXT }) },
  config: configSchema(),
  secretName: TEXT,
  envFrom: OBJECTS,
  extraEnv: {
    type: 'array',
    items: {
      anyOf: [
        section({ name: OWN_VARIABLE, value: { type: 'string' } }),
        section({ name: OWN_VARIABLE, valueFrom: OBJECT }),
      ],
    },
  },
  autoscaling: section({
    minReplicas: COUNT,
    maxReplicas: COUNT,
    cpuPercent: { type: 'integer', minimum: 1, maximum: 100 },
  }),
  resources: section({ requests: OBJECT, limits: OBJECT, claims: OBJECTS }, []),
  preStopSeconds: SECONDS,
  terminationGracePeriodSeconds: SECONDS,
  podAnnotations: TEXTS,
  deploymentAnnotations: TEXTS,
  serviceAnnotations: TEXTS,
  nodeSelector: TEXTS,
  tolerations: OBJECTS,
  affinity: OBJECT,
  topologySpreadConstraints: OBJECTS,
  networkPolicy: section({
    enabled: { type: 'boolean' },
    frontEndNamespace: TEXT,
    metricsNamespace: TEXT,
    dns: section({ namespace: TEXT, podLabels: TEXTS, port: PORT }),
    extraEgress: OBJECTS,
  }),
  podMonitor: section({ enabled: { type: 'boolean' }, labels: TEXTS, interval: DURATION }),
}
const REQUIRED_VALUES = [
  ...['image', 'config', 'secretName', 'autoscaling', 'resources', 'preStopSeconds'],
  ...['terminationGracePeriodSeconds', 'networkPolicy', 'podMonitor'],
]
