import { createAgentTokens, createClient, fileTokenStore } from 'continuation-point/api'

/** One server of several: it answers each message of its parent with a token, or with the kind of the error. */
const [, , baseUrl, folder] = process.argv
const client = createClient({ baseUrl, apiKey: 'demo-api-key' })
let nowMs = 0
const tokens = createAgentTokens(client, { store: fileTokenStore(folder), nowMs: () => nowMs })

process.on('message', async (message) => {
  nowMs = message.nowMs
  try {
    const { agent, rejected } = message
    const token = await (rejected === undefined ? tokens.get(agent) : tokens.renew(agent, rejected))
    process.send({ token: token.agent_token })
  } catch (error) {
    process.send({ kind: error.kind, name: error.name })
  }
})
process.send('ready')
