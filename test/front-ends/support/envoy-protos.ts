import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { modules } from '../../schemas/schemas.ts'

/** What is used of protobufjs, which is not in every checkout. */
interface Root {
  resolvePath: (origin: string, target: string) => string
  loadSync(files: readonly string[], options: { readonly keepCase: boolean }): Root
  resolveAll(): Root
  lookupType(name: string): MessageType
}
interface MessageType {
  readonly fullName: string
  readonly fields: Readonly<Record<string, Field>>
  readonly oneofs?: Readonly<Record<string, { readonly oneof: readonly string[]; readonly options?: Rules }>>
}
interface Field {
  readonly type: string
  readonly map: boolean
  readonly repeated: boolean
  readonly options?: Rules
  readonly resolvedType: MessageType | { readonly values: Readonly<Record<string, number>> } | null
}
type Rules = Readonly<Record<string, unknown>>

/** Envoy's own description of its configuration. */
export function loadEnvoyProtos(): Root {
  const deps = join(modules, '@grpc/grpc-js-xds/deps')
  const folders = ['envoy-api', 'googleapis', 'protoc-gen-validate', 'xds'].map((name) => join(deps, name))
  const protobuf = createRequire(join(modules, 'index.js'))('protobufjs') as { Root: new () => Root }
  const root = new protobuf.Root()
  root.resolvePath = (_origin, target) =>
    [...folders, join(modules, 'protobufjs')].map((folder) => join(folder, target)).find(existsSync) ?? target
  return root.loadSync(FILES, { keepCase: true }).resolveAll()
}

/** Why `value` is not the JSON form of a message: unknown fields, wrong types, and the rules that Envoy has for values. */
export function faultsOf(root: Root, typeName: string, value: unknown, path = typeName): string[] {
  return messageFaults(root, root.lookupType(typeName), value, path)
}

function messageFaults(root: Root, type: MessageType, value: unknown, path: string): string[] {
  const scalar = WELL_KNOWN[type.fullName.slice(1)]
  if (scalar !== undefined)
    return scalar(value) ? [] : [`${path}: ${JSON.stringify(value)} is no ${type.fullName}`]
  if (!isRecord(value)) return [`${path}: no object`]
  if (type.fullName === '.google.protobuf.Any') {
    const { '@type': url, ...message } = value
    if (typeof url !== 'string') return [`${path}: no @type`]
    return messageFaults(root, root.lookupType(url.replace(/^type\.googleapis\.com\//, '')), message, path)
  }
  const choices = Object.values(type.oneofs ?? {}).flatMap(({ oneof, options }) => {
    const chosen = oneof.filter((name) => name in value)
    const isMissing = chosen.length === 0 && options?.['(validate.required)'] === true
    return chosen.length > 1 || isMissing ? [`${path}: ${chosen.length} of ${oneof.join(', ')}`] : []
  })
  const optional = new Set(Object.values(type.oneofs ?? {}).flatMap(({ oneof }) => oneof))
  const missing = Object.entries(type.fields)
    .filter(([name, { options }]) => options?.[`${RULES}.message.required`] === true && !optional.has(name))
    .filter(([name]) => !(name in value))
    .map(([name]) => `${path}: no ${name}`)
  const fields = Object.entries(value).flatMap(([name, each]) => {
    const field = type.fields[name]
    return field === undefined
      ? [`${path}: ${name} is unknown`]
      : fieldFaults(root, field, each, `${path}.${name}`)
  })
  return [...choices, ...missing, ...fields]
}

function fieldFaults(root: Root, field: Field, value: unknown, path: string): string[] {
  if (field.map && !isRecord(value)) return [`${path}: no object`]
  if (field.repeated && !Array.isArray(value)) return [`${path}: no list`]
  const values = field.map || field.repeated ? Object.values(value as object) : [value]
  const least = field.options?.[`${RULES}.repeated.min_items`]
  return [
    ...(typeof least === 'number' && values.length < least ? [`${path}: fewer than ${least}`] : []),
    ...values.flatMap((each, index) =>
      valueFaults(root, field, each, `${path}${field.repeated ? `[${index}]` : ''}`),
    ),
  ]
}

function valueFaults(
  root: Root,
  { type, resolvedType, options = {} }: Field,
  value: unknown,
  path: string,
): string[] {
  if (resolvedType === null) {
    const isOfType = SCALARS[type]
    if (isOfType === undefined) return [`${path}: the type ${type} is not known here`]
    if (!isOfType(value)) return [`${path}: ${JSON.stringify(value)} is no ${type}`]
  } else if ('values' in resolvedType) {
    return Object.hasOwn(resolvedType.values, String(value)) ? [] : [`${path}: no ${JSON.stringify(value)}`]
  }
  const inside = resolvedType === null ? [] : messageFaults(root, resolvedType as MessageType, value, path)
  const broken = Object.entries(options).filter(([rule, bound]) => {
    const [, name = ''] = /\.(?:u?int(?:32|64)|string|double)\.(\w+)$/.exec(rule) ?? []
    return rule.startsWith(RULES) && BOUNDS[name]?.(value, Number(bound)) === false
  })
  return [
    ...inside,
    ...broken.map(([rule, bound]) => `${path}: ${JSON.stringify(value)} breaks ${rule} ${bound}`),
  ]
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const isText = (value: unknown) => typeof value === 'string'
const isWhole = (value: unknown) => Number.isSafeInteger(value)
const isCount = (value: unknown) => isWhole(value) && Number(value) >= 0
const isTruth = (value: unknown) => typeof value === 'boolean'

const SCALARS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: isText,
  bool: isTruth,
  uint32: (value) => isCount(value) && Number(value) < 2 ** 32,
  int32: (value) => isWhole(value) && Math.abs(Number(value)) < 2 ** 31,
  uint64: isCount,
  int64: isWhole,
}

const WELL_KNOWN: Readonly<Record<string, (value: unknown) => boolean>> = {
  'google.protobuf.Duration': (value) => isText(value) && /^\d+(?:\.\d{1,9})?s$/.test(String(value)),
  'google.protobuf.UInt32Value': (value) => isCount(value) && Number(value) < 2 ** 32,
  'google.protobuf.BoolValue': isTruth,
}

const RULES = '(validate.rules)'
const BOUNDS: Readonly<Record<string, (value: unknown, bound: number) => boolean>> = {
  min_len: (value, bound) => String(value).length >= bound,
  lte: (value, bound) => Number(value) <= bound,
  lt: (value, bound) => Number(value) < bound,
  gte: (value, bound) => Number(value) >= bound,
  gt: (value, bound) => Number(value) > bound,
}

const FILES = [
  'envoy/config/bootstrap/v3/bootstrap.proto',
  'envoy/extensions/filters/network/http_connection_manager/v3/http_connection_manager.proto',
  'envoy/extensions/filters/http/router/v3/router.proto',
  'envoy/extensions/filters/listener/tls_inspector/v3/tls_inspector.proto',
  'envoy/extensions/transport_sockets/tls/v3/tls.proto',
]
