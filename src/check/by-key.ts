/** The items by each of their keys, in their order. */
export function indexBy<T, K>(items: Iterable<T>, toKeys: (item: T) => Iterable<K>): Map<K, T[]> {
  const index = new Map<K, T[]>()
  for (const item of items) addUnder(index, toKeys(item), item)
  return index
}

export function addUnder<T, K>(index: Map<K, T[]>, keys: Iterable<K>, item: T): void {
  for (const key of keys) {
    const items = index.get(key)
    if (items === undefined) index.set(key, [item])
    else items.push(item)
  }
}

/** Derives a value from an object once, and keeps it as long as that object: fixes ask for it for each cookie. */
export function oncePer<K extends object, V>(derive: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>()
  return (key) => {
    const value = known.get(key) ?? derive(key)
    known.set(key, value)
    return value
  }
}
