export type BoundedBody = ReturnType<typeof openBody>

/** The bytes of a body, up to a limit. Pieces are copied, so that many tiny ones cost no more than one large one. */
export function openBody(limitBytes: number) {
  let bytes = Buffer.alloc(0)
  let length = 0
  return {
    /** Keeps what there is room for; returns whether that was all, since reading can stop otherwise. */
    add: (piece: Uint8Array): boolean => {
      const kept = piece.subarray(0, limitBytes - length)
      if (length + kept.length > bytes.length) {
        const larger = Buffer.alloc(
          Math.min(limitBytes, Math.max(SMALLEST_BYTES, 2 * (length + kept.length))),
        )
        bytes.copy(larger, 0, 0, length)
        bytes = larger
      }
      bytes.set(kept, length)
      length += kept.length
      return kept.length === piece.length
    },
    bytes: () => bytes.subarray(0, length),
    toString: (encoding: 'utf8' | 'latin1'): string => bytes.toString(encoding, 0, length),
  }
}

const SMALLEST_BYTES = 1_024
