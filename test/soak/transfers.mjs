// Long uploads to a service that reads slowly, and long downloads to clients that read slowly, all at once.
// Gets { port, uploads, downloads, octets, octetsPerMs } and sends { whole, failures }.
import { request as open } from 'node:http'
import { writeOctets } from './wire.mjs'

process.once('message', async (task) => {
  const transfers = [
    ...Array.from({ length: task.uploads }, () => upload(task)),
    ...Array.from({ length: task.downloads }, () => download(task)),
  ]
  const results = await Promise.all(transfers)
  process.send({
    whole: results.filter((octets) => octets === task.octets).length,
    failures: results.filter((octets) => octets !== task.octets),
  })
  process.disconnect()
})

/** How many octets the service says it had. */
function upload({ port, octets, octetsPerMs }) {
  return new Promise((resolve) => {
    const request = start(port, 'POST', `sink/${octetsPerMs}`, { 'Content-Length': octets }, resolve)
    request.on('response', async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve(Number(text))
    })
    writeOctets(request, octets)
  })
}

/** How many octets arrived. */
function download({ port, octets, octetsPerMs }) {
  return new Promise((resolve) => {
    const request = start(port, 'GET', `octets/${octets}`, {}, resolve)
    request.on('response', (response) => {
      let count = 0
      response.on('error', () => resolve('broken'))
      response.on('data', (chunk) => {
        count += chunk.length
        response.pause()
        setTimeout(() => response.resume(), chunk.length / octetsPerMs)
      })
      response.on('end', () => resolve(count))
    })
    request.end()
  })
}

function start(port, method, path, headers, resolve) {
  const request = open({
    port,
    host: '127.0.0.1',
    agent: false,
    method,
    path: `/service_cookie_transfer/${path}`,
    headers: { Host: 'www.example.com', ...headers },
  })
  request.on('error', () => resolve('broken'))
  return request
}
