// A thread that asks a URL every few milliseconds until it gets a message; then it posts the milliseconds that each `ok` took.
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const waitsMs = []
let isOver = false
parentPort.once('message', () => {
  isOver = true
})
while (!isOver) {
  const askedAt = performance.now()
  const text = await (await fetch(workerData)).text()
  if (text !== 'ok\n') throw new Error(`The probe got ${text}`)
  waitsMs.push(performance.now() - askedAt)
  await wait(5)
}
parentPort.postMessage(waitsMs)
