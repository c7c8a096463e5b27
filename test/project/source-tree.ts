import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The top of the repository. */
export const top = fileURLToPath(new URL('../..', import.meta.url))

export interface SourceFile {
  /** From the top, with `/`: `src/http/fields.ts`. */
  readonly path: string
  /** The first folder below `src`, or the file's own name for those at its root. */
  readonly room: string
  readonly text: string
  readonly imports: readonly Import[]
}

export interface Import {
  /** As written. */
  readonly specifier: string
  /** From the top for our own files, the specifier else. */
  readonly target: string
  readonly kind: 'static' | 'type' | 'dynamic'
}

/** Every TypeScript file below a folder. */
export function readSources(folder: string): SourceFile[] {
  return readdirSync(join(top, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => {
      const path = relative(top, join(entry.parentPath, entry.name)).replaceAll('\\', '/')
      const text = readFileSync(join(top, path), 'utf8')
      // An @example imports the package itself.
      const code = text.replace(/^ *\/\*\*[\s\S]*?\*\//gm, '')
      return { path, room: path.split('/')[1] ?? '', text, imports: readImports(path, code) }
    })
}

function readImports(path: string, text: string): Import[] {
  const found: Import[] = []
  for (const [, type, specifier = ''] of text.matchAll(
    /^(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?'([^']+)'/gm,
  )) {
    found.push({ specifier, target: resolve(path, specifier), kind: type === undefined ? 'static' : 'type' })
  }
  for (const [, specifier = ''] of text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g))
    found.push({ specifier, target: resolve(path, specifier), kind: 'dynamic' })
  return found
}

function resolve(path: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(dirname(path), specifier) : specifier
}
