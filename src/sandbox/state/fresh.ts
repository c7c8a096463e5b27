/** An integer from 0 to `below`, exclusive. */
export type Random = (below: number) => number

/** A key, token or id that can't be guessed: 32 letters and digits. */
export function freshKey(random: Random): string {
  return Array.from({ length: 32 }, () => random(36).toString(36)).join('')
}

/** A session's readable id (spec 2.3) that is not taken. */
export function freshFormattedId(random: Random, isTaken: (id: string) => boolean): string {
  for (;;) {
    const id = `${digits(random, 3)}-${digits(random, 3)}-${digits(random, 3)}`
    if (!isTaken(id)) return id
  }
}

/** A PIN of four digits that no active session has (spec 2.3); `undefined` when all ten thousand are taken. */
export function freshPin(random: Random, taken: ReadonlySet<string>): string | undefined {
  if (taken.size >= PINS) return undefined
  const first = random(PINS)
  for (let step = 0; step < PINS; step += 1) {
    const pin = String((first + step) % PINS).padStart(4, '0')
    if (!taken.has(pin)) return pin
  }
  return undefined
}

function digits(random: Random, count: number): string {
  return String(random(10 ** count)).padStart(count, '0')
}

const PINS = 10_000
