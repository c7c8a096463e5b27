// Loaded into the program with --import, so that nothing in the product has to tell: answers each message of the parent
// with the heap behind a garbage collection and what keeps the event loop busy.
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
