import { parseArgs } from 'node:util'
import { didYouMean, suggest } from '../config/suggestion.ts'
import type { Arguments, Command, Operands, Options, SwitchOption, ValueOption } from './command.ts'

/** Parses the arguments after the name of a command. A flag's value follows it or an equals sign; `--` ends the flags. */
export function parseArguments(
  name: string,
  words: readonly string[],
  { options, operands }: Pick<Command, 'options' | 'operands'>,
) {
  const types = Object.entries(options).map(([flag, { value }]) => {
    return [flag, { type: value === undefined ? 'boolean' : 'string' }] as const
  })
  const { tokens } = parseArgs({
    args: [...words],
    options: { ...Object.fromEntries(types), ...GLOBAL_FLAGS },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const flags = tokens.flatMap((token) => (token.kind === 'option' ? [token] : []))
  const given = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  if (flags.some((flag) => flag.name === 'help')) return { kind: 'help' as const }
  if (flags.some((flag) => flag.name === 'version')) return { kind: 'version' as const }
  const message = findFlagFault(flags, options) ?? findOperandFault(name, given, operands)
  if (message !== undefined) return { kind: 'fault' as const, message }
  const values = Object.entries(options).map(([flag, option]) => [flag, readValue(flags, flag, option)])
  const args: Arguments<Options> = { values: Object.fromEntries(values), operands: given }
  return { kind: 'arguments' as const, args }
}

interface Flag {
  readonly name: string
  /** As typed, with its dashes. */
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function readValue(flags: readonly Flag[], name: string, option: ValueOption | SwitchOption): unknown {
  const given = flags.filter((flag) => flag.name === name)
  if (option.value === undefined) return given.length > 0
  if (option.multiple) return given.map(({ value }) => value)
  const [{ value } = {}] = given
  return option.isPort && value !== undefined ? Number(value) : value
}

function findFlagFault(flags: readonly Flag[], options: Options): string | undefined {
  for (const [index, flag] of flags.entries()) {
    const option = Object.hasOwn(options, flag.name) ? options[flag.name] : undefined
    if (option === undefined) return refuseUnknownFlag(flag, options)
    if (option.value === undefined) {
      if (flag.value !== undefined) return `${flag.rawName} takes no value`
      continue
    }
    const fault = findValueFault(flag, option)
    if (fault !== undefined) return fault
    const isRepeated = flags.slice(0, index).some(({ name }) => name === flag.name)
    if (isRepeated && !option.multiple) return `${flag.rawName} is given more than once`
  }
  return undefined
}

function refuseUnknownFlag({ name, rawName }: Flag, options: Options): string {
  const { format, color } = options
  const suggestion =
    format?.value !== undefined && format.choices?.includes(name)
      ? `format ${name}`
      : color !== undefined && name === 'no-color'
        ? 'color never'
        : suggest(name, [...Object.keys(options), ...Object.keys(GLOBAL_FLAGS)])
  return `unknown flag ${rawName}${suggestion === undefined ? '' : `, did you mean --${suggestion}?`}`
}

function findValueFault({ rawName, value, inlineValue }: Flag, option: ValueOption): string | undefined {
  const isNextFlag = inlineValue === false && value?.startsWith('-') && value !== '-'
  if (value === undefined || value === '' || isNextFlag)
    return `${rawName} needs a value: ${rawName} ${option.value}`
  const { choices, isPort } = option
  if (isPort && !(/^\d{1,5}$/.test(value) && Number(value) <= 65_535))
    return `${rawName} must be a whole number from 0 to 65535`
  if (choices === undefined || choices.includes(value)) return undefined
  return `${rawName} is one of ${choices.join(', ')}, not ${JSON.stringify(value)}${didYouMean(value, choices)}`
}

function findOperandFault(
  name: string,
  given: readonly string[],
  { usage, min, max, choices }: Operands = { usage: '', min: 0, max: 0 },
): string | undefined {
  const surplus = given[max]
  if (surplus !== undefined) return `unexpected argument ${JSON.stringify(surplus)}`
  // For example, an unset variable in a script.
  if (given.includes('')) return `an argument is empty, in place of ${usage}`
  const legal = choices?.join(', ').replace(/, ([^,]*)$/, ' or $1')
  if (given.length < min) return `${name} needs ${legal ?? usage}`
  const [stray] = given
  if (stray === undefined || choices === undefined || choices.includes(stray)) return undefined
  return `${name} takes ${legal}, not ${JSON.stringify(stray)}${didYouMean(stray, choices)}`
}

const GLOBAL_FLAGS = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } as const
