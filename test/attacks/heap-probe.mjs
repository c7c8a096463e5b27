// Loaded into the program with --import: at each SIGWINCH it collects garbage and prints what is left.
let probe = 0
process.on('SIGWINCH', () => {
  probe += 1
  globalThis.gc()
  // What finalizers release in this turn is collected in the next.
  setImmediate(() => {
    globalThis.gc()
    const { heapUsed, external } = process.memoryUsage()
    process.stdout.write(`${JSON.stringify({ probe, heapBytes: heapUsed + external })}\n`)
  })
})
