// A bot that makes the planned calls after each press, and does nothing else. With REDIS it has a session there.
import { readFileSync } from 'node:fs'
import { Bot, InputFile, session } from 'grammy'
import { RedisAdapter } from '@grammyjs/storage-redis'
import { Redis } from 'ioredis'

const plan = JSON.parse(readFileSync(process.env.PLAN, 'utf8'))
for (const [i, c] of plan.entries()) {
  c.due = 0
  c.last = i === plan.length - 1
  if (c.file) c.data = Buffer.alloc(c.file, 'a picture')
}

const bot = new Bot('1:AAx', { client: { apiRoot: process.env.API } })
if (process.env.REDIS) {
  bot.use(session({ initial: () => ({ presses: 0 }), storage: new RedisAdapter({ instance: new Redis(process.env.REDIS) }) }))
}

function body(ctx, c) {
  const own = ctx.from.id
  const chat = { channel: ctx.chat.id, own, other: own % 2 ? own - 1 : own + 1 }[c.where]
  const out = { ...c.body, chat_id: chat, message_id: c.last ? ctx.msg.message_id : 2 }
  if (c.data && c.method === 'sendPhoto') out.photo = new InputFile(c.data, 'photo.png')
  if (c.data && c.method === 'editMessageMedia') out.media = { ...c.body.media, media: new InputFile(c.data, 'photo.png') }
  return out
}

bot.on('callback_query:data', async ctx => {
  if (process.env.REDIS) ctx.session.presses++
  for (const c of plan) {
    for (c.due += c.mean; c.due >= 1; c.due--) {
      if (c.method === 'answerCallbackQuery') await ctx.answerCallbackQuery(c.body)
      else await ctx.api.raw[c.method](body(ctx, c))
    }
  }
})
bot.catch(e => console.error(e))
bot.start()
