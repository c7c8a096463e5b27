/** Waits for what changes: at every `notify` the value that is waited for is looked for again. */
export class Watch {
  readonly #looks = new Set<() => void>()

  notify(): void {
    for (const look of [...this.#looks]) look()
  }

  /** Resolves with the first value of `find` that is not `undefined`; rejects if it throws. */
  find<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = () => {
        try {
          const found = find()
          if (found === undefined) return
          resolve(found)
        } catch (error) {
          reject(error)
        }
        this.#looks.delete(look)
      }
      this.#looks.add(look)
      look()
    })
  }

  /** Resolves once it is so. */
  async until(isSo: () => boolean): Promise<void> {
    await this.find(() => (isSo() ? true : undefined))
  }
}
