import { CONTROLS } from './escape.ts'

/** How the user calls this program: where only npx finds it, a command without npx would not run. */
export type Program = 'continuation-point' | 'npx continuation-point'

/** A text with the command that does what it says: `Set it to true (continuation-point settings apply does that)`. */
export function withCommand(
  text: string,
  command: string | undefined,
  program: Program = 'continuation-point',
): string {
  return command === undefined ? text : `${text} (${program} ${command} does that)`
}

/** ` --config FILE`, unless the file is found without it. */
export function renderConfigFlag(file: string | undefined): string {
  return file === undefined || file === 'config.json' ? '' : ` --config ${quotePath(file)}`
}

/** For a shell, and as no flag. Control and format characters become octets in octal, between `$'` and `'`. */
export function quotePath(path: string): string {
  const word = path.startsWith('-') ? `./${path}` : path
  if (/^[\w./:@%+=-]+$/.test(word)) return word
  const visible = word.replace(/[\\']/g, '\\$&').replace(CONTROLS, toOctal)
  return word.search(CONTROLS) < 0 ? `'${word.replaceAll("'", `'\\''`)}'` : `$'${visible}'`
}

function toOctal(text: string): string {
  const octets = [...new TextEncoder().encode(text)]
  return octets.map((octet) => `\\${octet.toString(8).padStart(3, '0')}`).join('')
}
