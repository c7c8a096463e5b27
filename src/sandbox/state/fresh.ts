import { randomInt } from 'node:crypto'

/** A key, token or id that can't be guessed: 32 letters and digits. */
export function freshKey(): string {
  return Array.from({ length: 32 }, () => randomInt(36).toString(36)).join('')
}

/** A session's readable id (spec 2.3) that is not taken. */
export function freshFormattedId(isTaken: (id: string) => boolean): string {
  for (;;) {
    const id = Array.from({ length: 3 }, () => String(randomInt(1000)).padStart(3, '0')).join('-')
    if (!isTaken(id)) return id
  }
}

/** A PIN of four digits that no active session has (spec 2.3). There are always fewer sessions than PINs. */
export function freshPin(isTaken: (pin: string) => boolean): string {
  for (let number = randomInt(PINS); ; number += 1) {
    const pin = String(number % PINS).padStart(4, '0')
    if (!isTaken(pin)) return pin
  }
}

const PINS = 10_000
