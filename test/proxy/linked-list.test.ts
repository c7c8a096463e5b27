import { expect, it } from 'vitest'
import { LinkedList, Listed } from '../../src/proxy/linked-list.ts'

class Item extends Listed<Item> {}

it.each([
  ['the first', 0],
  ['one in the middle', 1],
  ['the last', 2],
])('keeps the others in order when %s leaves, and whoever left can come back, last', (_, at) => {
  const items = [new Item(), new Item(), new Item()]
  const list = new LinkedList<Item>()
  for (const item of items) list.add(item)
  const [left] = items.splice(at, 1)
  if (left === undefined) throw new Error('No such item')
  expect(list.delete(left)).toBe(true)
  expect(list.delete(left)).toBe(false)
  expect([list.toArray(), list.first, list.size]).toEqual([items, items[0], 2])
  list.add(left)
  expect([list.toArray(), list.size]).toEqual([[...items, left], 3])
})

it('is empty when the only item has left, which refers to nothing then', () => {
  const list = new LinkedList<Item>()
  const item = new Item()
  list.add(item)
  list.delete(item)
  expect([list.toArray(), list.first, list.size]).toEqual([[], undefined, 0])
  expect(item).toEqual({ list: undefined, previous: undefined, next: undefined })
})

it('leaves an item of another list alone', () => {
  const [one, other] = [new LinkedList<Item>(), new LinkedList<Item>()]
  const item = new Item()
  one.add(item)
  expect(other.delete(item)).toBe(false)
  expect([one.size, other.size]).toEqual([1, 0])
})
