// A bot that makes the planned calls after each press, and does nothing else. With REDIS it has a session there.
import { Bot, InputFile, session } from 'grammy'
import { RedisAdapter } from '@grammyjs/storage-redis'
import { Redis } from 'ioredis'
import { next } from './plan.mjs'

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
  for (const c of next()) {
    if (c.method === 'answerCallbackQuery') await ctx.answerCallbackQuery(c.body)
    else await ctx.api.raw[c.method](body(ctx, c))
  }
})
bot.catch(e => console.error(e))
bot.start()
