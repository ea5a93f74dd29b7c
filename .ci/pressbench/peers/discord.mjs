// A bot that makes the planned calls after each press, and does nothing else. With REDIS it has a session there, like the bot in
// telegram.mjs: it is read before the calls of a press, and written after them.
import { Client, GatewayIntentBits, Routes } from 'discord.js'
import { Redis } from 'ioredis'
import { next } from './plan.mjs'

const client = new Client({
  intents: [GatewayIntentBits.Guilds],
  rest: { api: process.env.API + '/api', globalRequestsPerSecond: 1e9 },
})

// See discord.go for the ids.
const shift = 100_000_000_000_000_000n

function channelOf(i, where) {
  const own = BigInt(i.user.id) + shift
  return where === 'channel' ? i.channelId : String(where === 'own' ? own : own % 10n ? own - 1n : own + 1n)
}

function make(i, c) {
  const [method, type] = c.method.split(' ')
  if (method === 'answer') {
    return client.rest.post(Routes.interactionCallback(i.id, i.token), { body: { type: Number(type), data: c.body ?? undefined }, auth: false })
  }
  if (type === 'later') {
    const route = method === 'post' ? Routes.webhook(i.applicationId, i.token) : Routes.webhookMessage(i.applicationId, i.token, '@original')
    return client.rest[method](route, { body: c.body ?? undefined, auth: false })
  }
  const channel = channelOf(i, c.where)
  const route = method === 'post' ? Routes.channelMessages(channel) : Routes.channelMessage(channel, c.last ? i.message.id : '2')
  return client.rest[method](route, { body: c.body ?? undefined })
}

const redis = process.env.REDIS && new Redis(process.env.REDIS)

client.on('interactionCreate', async i => {
  try {
    const session = redis && JSON.parse(await redis.get(i.channelId) ?? '{"presses":0}')
    for (const c of next()) await make(i, c)
    if (redis) {
      session.presses++
      await redis.set(i.channelId, JSON.stringify(session))
    }
  } catch (e) {
    console.error(e)
  }
})
await client.login('x')
