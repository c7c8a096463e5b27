/** An item that can be in one `LinkedList` at a time. Only the list sets these properties. */
export class Listed<T extends Listed<T>> {
  list: LinkedList<T> | undefined = undefined
  previous: T | undefined = undefined
  next: T | undefined = undefined
}

/**
 * Items in order of arrival, for what comes and goes with every request or connection.
 *
 * A Set would do but for the garbage collector: removing items leaves old tables of the Set behind, and until the next
 * major collection V8 treats everything that they refer to as alive. Copying finished exchanges and closed sockets took
 * up to a fifth of all CPU time. An item that has left a list keeps no reference into it.
 */
export class LinkedList<T extends Listed<T>> {
  #first: T | undefined
  #last: T | undefined
  #size = 0

  get first(): T | undefined {
    return this.#first
  }

  get size(): number {
    return this.#size
  }

  /** Appends an item that is in no list. */
  add(item: T): void {
    item.list = this
    item.previous = this.#last
    if (this.#last === undefined) this.#first = item
    else this.#last.next = item
    this.#last = item
    this.#size += 1
  }

  /** @returns whether the item was in this list */
  delete(item: T): boolean {
    if (item.list !== this) return false
    const { previous, next } = item
    if (previous === undefined) this.#first = next
    else previous.next = next
    if (next === undefined) this.#last = previous
    else next.previous = previous
    item.list = undefined
    item.previous = undefined
    item.next = undefined
    this.#size -= 1
    return true
  }

  /** A copy, since items may leave while they are visited. */
  toArray(): T[] {
    const items: T[] = []
    for (let item = this.#first; item !== undefined; item = item.next) items.push(item)
    return items
  }
}
