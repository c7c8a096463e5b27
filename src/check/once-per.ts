/** Derives a value from an object once, and keeps it as long as that object: fixes ask for it for each cookie. */
export function oncePer<K extends object, V>(derive: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>()
  return (key) => {
    const value = known.get(key) ?? derive(key)
    known.set(key, value)
    return value
  }
}
