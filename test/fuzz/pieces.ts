/** Octets in pieces, each for a write of its own; cuts are shares of the whole. */
export function toPieces(octets: string, cuts: readonly number[]): readonly string[] {
  const places = cuts.map((share) => Math.floor(share * octets.length)).sort((a, b) => a - b)
  return [0, ...places].map((from, at) => octets.slice(from, places[at]))
}
