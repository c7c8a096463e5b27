export type Style = 'red' | 'yellow' | 'blue' | 'green' | 'magenta' | 'cyan' | 'dim' | 'bold'

/** Styles a text, and links it where the terminal can. Text from outside is escaped first: it could contain styles of its own. */
export type Paint = (style: Style, text: string, address?: string) => string

export const withoutColour: Paint = (_style, text) => text

/** SGR sequences of ECMA-48. Each is ended by its own code rather than a reset of all, so they nest. */
export const withColour: Paint = (style, text) =>
  `\u001b[${CODES[style][0]}m${text}\u001b[${CODES[style][1]}m`

/** With links by OSC 8, which some terminals would show as text. */
const withLinks: Paint = (style, text, address) =>
  withColour(style, address === undefined ? text : `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`)

export const COLOUR_WISHES = ['always', 'auto', 'never'] as const

interface Output {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdoutIsTty: boolean
}

/** The flag decides, then NO_COLOR, then FORCE_COLOR (no-color.org, force-color.org: any text but an empty one), then the terminal. */
export function choosePaint({ env, stdoutIsTty }: Output, flag?: (typeof COLOUR_WISHES)[number]): Paint {
  if (flag === 'never') return withoutColour
  const coloured = stdoutIsTty && hasLinks(env) ? withLinks : withColour
  if (flag === 'always') return coloured
  if (env.NO_COLOR) return withoutColour
  if (env.FORCE_COLOR) return env.FORCE_COLOR === '0' ? withoutColour : coloured
  return stdoutIsTty && env.TERM !== 'dumb' ? coloured : withoutColour
}

function hasLinks({ TERM = '', TERM_PROGRAM = '', VTE_VERSION, WT_SESSION, KONSOLE_VERSION }: Output['env']) {
  const isNamed = /iTerm|WezTerm|vscode|ghostty|kitty|alacritty|foot/.test(`${TERM} ${TERM_PROGRAM}`)
  return isNamed || Number(VTE_VERSION) >= 5000 || Boolean(WT_SESSION ?? KONSOLE_VERSION)
}

const CODES: Readonly<Record<Style, readonly [on: number, off: number]>> = {
  red: [31, 39],
  yellow: [33, 39],
  blue: [34, 39],
  green: [32, 39],
  magenta: [35, 39],
  cyan: [36, 39],
  dim: [2, 22],
  bold: [1, 22],
}
