/** An event that happens once and can be waited for. */
export type Gate = ReturnType<typeof closedGate>

export function closedGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  /** Opening it again has no effect. */
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
