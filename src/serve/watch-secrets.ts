import type { Logger } from 'pino'
import type { FileTexts } from './file-texts.ts'
import type { OwnProcess } from './own-process.ts'

interface Watching {
  readonly own: Pick<OwnProcess, 'readFile' | 'kindOf'>
  /** The texts in force, by path. */
  known(): FileTexts
  /** Called with the texts on disk once they stay as they are; of a file that is missing or empty with the text in force. */
  onLook(texts: FileTexts): Promise<void>
  readonly log: Logger
}

/**
 * Looks at the files of secrets every three seconds. What a look finds counts once the next one, a second later, finds it
 * too: a file may be half written, or missing while it is replaced, and a certificate has its key in another. A pipe is not read again: whoever writes to it means it for
 * a reload.
 *
 * @returns whether a file is missing or empty, so that a restart would fail
 */
export function watchSecrets({ own, known, onLook, log }: Watching): () => boolean {
  let before: FileTexts = {}
  let lost: readonly string[] = []
  const look = async () => {
    const texts = known()
    const found: Record<string, string> = {}
    for (const [path, text] of Object.entries(texts)) found[path] = await readNow(path, text, own)
    const paths = Object.keys(found)
    const isSettled = paths.every((path) => found[path] === (before[path] ?? texts[path]))
    before = found
    if (!isSettled) return false
    const absent = paths.filter((path) => found[path] === '')
    if (absent.some((path) => !lost.includes(path)))
      log.error(
        { files: absent },
        'a secret is missing or empty: the one in force stays, a restart would fail',
      )
    lost = absent
    await onLook({ ...texts, ...Object.fromEntries(Object.entries(found).filter(([, text]) => text !== '')) })
    return true
  }
  const lookIn = (ms: number) =>
    setTimeout(() => void look().then((isSettled) => lookIn(isSettled ? EVERY_MS : AGAIN_MS)), ms).unref()
  lookIn(EVERY_MS)
  return () => lost.length > 0
}

async function readNow(path: string, text: string, { readFile, kindOf }: Watching['own']): Promise<string> {
  const kind = await kindOf(path)
  if (kind === 'other') return text
  return kind === 'nothing' ? '' : readFile(path).catch(() => '')
}

const EVERY_MS = 3_000
const AGAIN_MS = 1_000
