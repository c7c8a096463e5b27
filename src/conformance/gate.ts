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

/** Waits for an event, up to a timeout. */
export async function happens(event: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs)
  })
  try {
    return await Promise.race([event.then(() => true), limit])
  } finally {
    clearTimeout(timer)
  }
}
