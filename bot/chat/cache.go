package chat

import "sedmabot/bot/cache"

// Cache is the bounded map in which adapters remember what they used lately. Through this
// name, an adapter imports nothing of the bot but its contract.
type Cache[K comparable, V any] = cache.Cache[K, V]
