/** An event that happens once and can be waited for. */
export interface Gate {
  readonly opened: Promise<void>
  /** Opening it again has no effect. */
  open(): void
}

export function closedGate(): Gate {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** Waits for one of these events, up to a timeout. */
export async function happens(
  events: readonly Promise<unknown>[],
  limitMs: number,
): Promise<'happened' | 'timeout'> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), limitMs)
  })
  const outcome = await Promise.race([...events.map((event) => event.then(() => 'happened' as const)), limit])
  clearTimeout(timer)
  return outcome
}
