import { MOST_EXCHANGES } from '../proxy/settings.ts'
import type { Machine } from './machine.ts'

/** The memory of one process that serves. */
export interface Room {
  /** All of it, as the kernel counts. */
  readonly memoryBytes: number
  /** The part for JavaScript's objects. */
  readonly heapBytes: number
}

/**
 * An equal part for each of `workers` processes. With more than one, a process that does not serve starts them; the
 * program itself is in memory once, though the kernel counts it in each process.
 */
export function toRoom({ memoryBytes, heapBytes }: Machine, workers: number): Room {
  if (workers === 1) return { memoryBytes, heapBytes: Math.min(heapBytes, memoryBytes) }
  const ownBytes = Math.max(0, memoryBytes - PROGRAM_BYTES - (IDLE_BYTES - PROGRAM_BYTES)) / workers
  return { memoryBytes: PROGRAM_BYTES + ownBytes, heapBytes: Math.min(heapBytes, ownBytes) }
}

/**
 * How many exchanges a process can hold at their worst: a request head of the largest size, an upload, and a service
 * that takes none of it. At least 16, at most 1024.
 */
export function toConcurrency({ memoryBytes, heapBytes }: Room, headerBytes: number): number {
  const inHeap = (heapBytes * USABLE - IDLE_HEAP_BYTES) / exchangeHeapBytes(headerBytes)
  const inMemory = (memoryBytes * USABLE - IDLE_BYTES) / exchangeBytes(headerBytes)
  return Math.max(FEWEST_EXCHANGES, Math.min(MOST_EXCHANGES, Math.floor(Math.min(inHeap, inMemory))))
}

/** What one exchange takes at most, buffers of the kernel included. */
export function exchangeBytes(headerBytes: number): number {
  return exchangeHeapBytes(headerBytes) + PIECE_BYTES + KERNEL_BYTES
}

/** The part of it on the heap: a head is there as it came, and as it goes out. */
export function exchangeHeapBytes(headerBytes: number): number {
  return HEADS * headerBytes + OBJECT_BYTES
}

/** Served whatever the memory, so that a process that is short of it is of some use. */
export const FEWEST_EXCHANGES = 16

const KIBIBYTE = 1024
/** What the kernel holds for a socket that nobody reads. A container pays for it, though it is not the process's own. */
export const KERNEL_BYTES = 128 * KIBIBYTE
const MEBIBYTE = 1024 * KIBIBYTE
/** The rest is for garbage that is not collected yet, and for connections that ask nothing. */
const USABLE = 0.8
/** A process that has just started, on Node 20 to 26. */
const IDLE_BYTES = 80 * MEBIBYTE
/** The part of it that all processes share. */
const PROGRAM_BYTES = 44 * MEBIBYTE
const IDLE_HEAP_BYTES = 16 * MEBIBYTE
const HEADS = 3
const OBJECT_BYTES = 16 * KIBIBYTE
/** Pieces of a body on both of its sides. */
const PIECE_BYTES = 48 * KIBIBYTE
