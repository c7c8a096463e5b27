import { createServer } from 'node:http'
import { createAgentTokens, createClient } from 'continuation-point/api'
import { createWebhookReceiver } from 'continuation-point/webhooks'

// An agent's desk: the sessions that wait, and the one that the agent has joined, in a frame.
// The service calls /hooks; everything else belongs behind the sign-in of your agents.
const { API_URL = '', API_KEY, WEBHOOK_SECRET = '', PORT = '3000' } = process.env

/** Your sign-in says who sends a request. An agent whom the service does not know is created. */
const signedIn = (_incoming) => ({ email: 'grace@shop.example', name: 'Grace' })

const client = createClient({ baseUrl: API_URL, apiKey: API_KEY })
const tokens = createAgentTokens(client)
const receiver = createWebhookReceiver({
  secret: WEBHOOK_SECRET,
  onEvent({ session }) {
    if (isWaiting(session)) waiting.set(session.session_id, session)
    showQueue(openDesks)
  },
  onError: (error) => console.error(error.message),
})

/** By id. */
const waiting = new Map()
const openDesks = new Set()

const isWaiting = ({ queued, agent_id, end_time }) => queued && agent_id === null && end_time === null

/** The webhook says when a session starts; only the list knows those that were joined elsewhere, or have ended. */
async function refresh() {
  const known = [...waiting.keys()]
  const listed = (await client.sessions.list({ active_session: true })).filter(isWaiting)
  for (const id of known) waiting.delete(id)
  for (const session of listed) waiting.set(session.session_id, session)
  showQueue(openDesks)
}

function showQueue(desks) {
  const shown = [...waiting.values()].map(({ session_id, formatted_id, start_url }) => ({
    session_id,
    text: `Join ${formatted_id}, from ${start_url}`,
  }))
  for (const desk of desks) desk.write(`data: ${JSON.stringify(shown)}\n\n`)
}

/** Sends the agent's frame to the link of the webhook, with the agent's token. */
async function join(id, agent, outgoing) {
  const announced = waiting.get(id)
  const now = announced && (await client.sessions.get(id))
  waiting.delete(id)
  showQueue(openDesks)
  if (!now || !isWaiting(now)) return outgoing.writeHead(409).end('This session no longer waits.')
  const { agent_token } = await tokens.get(agent)
  const link = new URL(announced.follower_link)
  link.searchParams.set('agent_token', agent_token)
  outgoing.writeHead(303, { location: link.href, 'cache-control': 'no-store' }).end()
}

const page = `<!doctype html>
<html lang="en">
<title>Desk</title>
<h1>Waiting</h1>
<ul id="queue"></ul>
<iframe name="session" title="The session" width="1000" height="700"></iframe>
<script>
new EventSource('queue').onmessage = ({ data }) => {
  const items = JSON.parse(data).map(({ session_id, text }) => {
    const form = document.createElement('form')
    Object.assign(form, { method: 'post', target: 'session', action: 'join?session=' + session_id })
    form.append(Object.assign(document.createElement('button'), { textContent: text }))
    const item = document.createElement('li')
    item.append(form)
    return item
  })
  document.getElementById('queue').replaceChildren(...items)
}
</script>
</html>
`

const server = createServer((incoming, outgoing) => {
  const [path = '', query] = (incoming.url ?? '').split('?', 2)
  if (path === '/hooks') return receiver.listener(incoming, outgoing)
  if (path === '/') {
    const fields = { 'content-type': 'text/html; charset=utf-8', 'x-frame-options': 'DENY' }
    return outgoing.writeHead(200, fields).end(page)
  }
  if (path === '/queue') {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    openDesks.add(outgoing)
    outgoing.on('close', () => openDesks.delete(outgoing))
    return showQueue([outgoing])
  }
  // A form on another site must not make an agent join.
  const isOurs = incoming.method === 'POST' && incoming.headers['sec-fetch-site'] === 'same-origin'
  if (path !== '/join' || !isOurs) return outgoing.writeHead(404).end()
  const id = new URLSearchParams(query).get('session') ?? ''
  join(id, signedIn(incoming), outgoing).catch((error) => {
    console.error(error.message)
    outgoing.writeHead(502).end('The session could not be joined.')
  })
})

try {
  await refresh()
} catch (error) {
  console.error(`The sessions can't be listed. ${error.message}`)
  process.exit(1)
}
setInterval(() => refresh().catch((error) => console.error(error.message)), 30_000).unref()
server.listen(Number(PORT), '127.0.0.1', () => console.log(`The desk is on port ${server.address().port}.`))
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
