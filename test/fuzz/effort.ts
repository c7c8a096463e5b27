import fc, { type Parameters } from 'fast-check'

/**
 * How long and from which seed a property runs: `npm run fuzz` says so in the environment, the test suite makes a short
 * run that is the same each time. A failure prints its seed and path; the shrunk case becomes a row of `kept-rows.ts`.
 */
export function effort<T>(shortRuns: number): Parameters<T> {
  const { FUZZ_SECONDS: seconds, FUZZ_SEED: seed } = process.env
  if (seconds === undefined) return { seed: 20_261_121, numRuns: shortRuns }
  return {
    seed: Number(seed),
    numRuns: Number.POSITIVE_INFINITY,
    interruptAfterTimeLimit: Number(seconds) * 1_000,
    markInterruptAsFailure: false,
    asyncReporter: async (details) => {
      console.log(`${details.numRuns} runs from seed ${details.seed}`)
      if (details.failed) throw new Error(fc.defaultReportMessage(details))
    },
  }
}

/** Time for a property and its shrinking, ms. */
export const TIMEOUT_MS = (Number(process.env.FUZZ_SECONDS ?? 0) + 120) * 1_000
