/** Why there is no body: it is too large, incomplete in time, or its sender left. */
export type BodyFault = 'too-large' | 'slow' | 'aborted'

/** Reads a body and never keeps more of it than the limit. It never rejects. */
export async function readBoundedBody(
  chunks: AsyncIterable<Uint8Array>,
  { limitBytes, timeoutMs }: { readonly limitBytes: number; readonly timeoutMs: number },
): Promise<Uint8Array | BodyFault> {
  const iterator = chunks[Symbol.asyncIterator]()
  const kept: Uint8Array[] = []
  let bytes = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<'slow'>((resolve) => {
    timer = setTimeout(() => resolve('slow'), timeoutMs)
  })
  try {
    for (;;) {
      const step = await Promise.race([iterator.next().catch((): 'aborted' => 'aborted'), late])
      if (step === 'slow' || step === 'aborted') return step
      if (step.done) return join(kept, bytes)
      bytes += step.value.length
      if (bytes > limitBytes) return 'too-large'
      kept.push(step.value)
    }
  } finally {
    clearTimeout(timer)
    // Not awaited: it would wait for a chunk that may never arrive.
    iterator.return?.()?.catch(() => {})
  }
}

function join(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
