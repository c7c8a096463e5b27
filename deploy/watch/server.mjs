import { createServer } from 'node:http'
import { createClient } from 'continuation-point/api'

// A page that shows a running session in pictures: http://127.0.0.1:3000/?session=123-456-789
// Put it behind the sign-in of your agents: whoever opens it sees what the customer sees.
const client = createClient({ baseUrl: process.env.API_URL ?? '', apiKey: process.env.API_KEY })

const page = `<!doctype html>
<html lang="en">
<title>Session</title>
<p id="state" role="status">Waiting for the first picture…</p>
<img id="picture" alt="The page that the customer sees">
<script>
const [state, picture] = ['state', 'picture'].map((id) => document.getElementById(id))
const events = new EventSource('pictures' + location.search)
const end = (text) => { events.close(); state.textContent = text }
events.addEventListener('message', ({ data }) => { picture.src = JSON.parse(data); state.textContent = 'Running' })
events.addEventListener('end', () => end('The session has ended.'))
events.addEventListener('fault', ({ data }) => end(JSON.parse(data)))
</script>
</html>
`

const server = createServer((incoming, outgoing) => {
  const [path = '', query] = (incoming.url ?? '').split('?', 2)
  if (path === '/pictures') return showPictures(new URLSearchParams(query).get('session') ?? '', outgoing)
  const isPage = path === '/'
  outgoing
    .writeHead(isPage ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
    .end(isPage ? page : '')
})

/** Server-sent events, until the session ends or the page is closed. */
async function showPictures(session, outgoing) {
  const closed = new AbortController()
  outgoing.on('close', () => closed.abort())
  outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  const send = (event, data) => outgoing.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  try {
    for await (const { url } of client.screenshots.watch(
      session,
      { size: 1024 },
      { signal: closed.signal },
    )) {
      send('message', url)
    }
    send('end', null)
  } catch (error) {
    if (error.kind !== 'aborted') send('fault', 'There are no pictures of this session.')
    if (error.kind !== 'aborted') console.error(error.message)
  }
  outgoing.end()
}

server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () =>
  console.log(`listening ${server.address().port}`),
)
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
