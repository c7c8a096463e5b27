// Loaded into the program with --import, so that the product needs no code for it: answers each message of the parent
// with the heap after a garbage collection and what keeps the event loop alive.
process.on('message', () => {
  globalThis.gc()
  const resources = process.getActiveResourcesInfo()
  const count = (name) => resources.filter((resource) => resource === name).length
  process.send({
    heapBytes: process.memoryUsage().heapUsed + process.memoryUsage().external,
    timers: count('Timeout'),
    sockets: count('TCPSocketWrap'),
  })
})
process.channel.unref()
