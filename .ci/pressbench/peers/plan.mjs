// The plan: which calls a peer makes after a press. calls.go has made it from the calls of the bot.
import { readFileSync } from 'node:fs'

export const plan = JSON.parse(readFileSync(process.env.PLAN, 'utf8'))
for (const [i, c] of plan.entries()) {
  c.due = 0
  c.last = i === plan.length - 1 // the change that people wait for
  if (c.file) c.data = Buffer.alloc(c.file, 'a picture')
}

// Returns the calls after one press. A call that is made only sometimes comes as often as planned.
export function next() {
  const calls = []
  for (const c of plan) {
    for (c.due += c.mean; c.due >= 1; c.due--) calls.push(c)
  }
  return calls
}
