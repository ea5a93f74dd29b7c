package deliver

import (
	"strconv"
	"strings"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/store"
)

// MessageLink returns the web address of a message in a chat of that home, or "" if it has none.
func (d *Deliverer) MessageLink(home string, at chat.Address) string {
	if p := d.PlatformOf(at); p != nil {
		return p.Link(home, at)
	}
	return ""
}

// TableLink returns the web address of a table's latest message in a chat of that home, or "" if there is none or the
// platform has no links to messages. stored is the document of the table's messages.
func (d *Deliverer) TableLink(home, chat string, stored store.Doc) string {
	var shown Shown
	if err := doc.Decode(stored, &shown); err != nil {
		return "" // written by a newer schema
	}
	link, latest := "", -1
	for key, post := range shown.Posts {
		kind, number, _ := strings.Cut(strings.TrimPrefix(key, chat+" "), ":")
		no, err := strconv.Atoi(number)
		if err != nil || kind != "lobby" && kind != "deal" {
			continue
		}
		if kind == "lobby" {
			no = 0 // the lobby counts as older than any deal
		}
		if p := d.PlatformOf(post.Address); p != nil && no > latest {
			link, latest = p.Link(home, post.Address), no
		}
	}
	return link
}
