/** How the user calls this program: where only npx finds it, a command without npx would not run. */
export type Program = 'continuation-point' | 'npx continuation-point'

/** A text in which each command of this program can be typed as it stands. */
export function withTypedCommands(text: string, program: Program): string {
  return text.replace(COMMANDS, `${program} $1`)
}

const COMMANDS =
  /(?<!npx |[\w/-])continuation-point (COMMAND|check|conformance|demo|explain|history|init|monitor|render|sandbox|schema|scopes|serve|settings|webhooks)\b/g
