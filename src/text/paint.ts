export type Style = 'red' | 'yellow' | 'blue' | 'green' | 'dim' | 'bold'

/** Styles a text. Text from outside is escaped first: it could contain styles of its own. */
export type Paint = (style: Style, text: string) => string

export const withoutColour: Paint = (_style, text) => text

/** SGR sequences of ECMA-48. Each is ended by its own code rather than a reset of all, so they nest. */
export const withColour: Paint = (style, text) =>
  `\u001b[${CODES[style][0]}m${text}\u001b[${CODES[style][1]}m`

export const COLOUR_WISHES = ['always', 'auto', 'never'] as const

interface Output {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdoutIsTty: boolean
}

/** The flag decides, then NO_COLOR, then FORCE_COLOR (no-color.org, force-color.org: any text but an empty one), then the terminal. */
export function choosePaint({ env, stdoutIsTty }: Output, flag?: (typeof COLOUR_WISHES)[number]): Paint {
  if (flag === 'always') return withColour
  if (flag === 'never') return withoutColour
  if (env.NO_COLOR) return withoutColour
  if (env.FORCE_COLOR) return env.FORCE_COLOR === '0' ? withoutColour : withColour
  return stdoutIsTty && env.TERM !== 'dumb' ? withColour : withoutColour
}

const CODES: Readonly<Record<Style, readonly [on: number, off: number]>> = {
  red: [31, 39],
  yellow: [33, 39],
  blue: [34, 39],
  green: [32, 39],
  dim: [2, 22],
  bold: [1, 22],
}
