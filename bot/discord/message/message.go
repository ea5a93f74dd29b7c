// Package message turns a screen into the message that shows it on Discord: a container
// with texts in Discord's markdown, pictures, menus and buttons (Components V2), within
// Discord's limits. [Draft] returns the body of the request that sends the message. Package
// discord makes the request.
//
// Cards are shown as emojis. Package discord keeps their list: see [Cards].
package message
