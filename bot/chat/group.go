package chat

import "sedmabot/bot/group"

// Group runs functions in goroutines that are used again. Through this name, an adapter
// imports nothing of the bot but its contract.
type Group = group.Group
