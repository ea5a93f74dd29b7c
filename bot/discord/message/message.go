// Package message turns a screen into the message that shows it on Discord: a container
// with texts in Discord's markdown, pictures, menus and buttons (Components V2), within
// Discord's limits. [Draft] returns the body of the request that sends the message. The
// package sends nothing itself: that is the work of package discord.
//
// Cards are shown as emojis, of which package discord keeps the list (see [Cards]).
package message
