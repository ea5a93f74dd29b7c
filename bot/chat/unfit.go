package chat

import (
	"strings"
)

// Unfit returns a text that says why a table can't be kept in this chat, or "" if it can.
func Unfit(in Input) string {
	c := in.Catalogue()
	if in.Chat.Visit {
		return c.Text("reply.visit")
	}
	switch {
	case len(in.Lacks) == 0:
		return ""
	case in.Lacks[0] == Locked:
		return c.Text("reply.locked")
	case in.Lacks[0] == Uninvited:
		return c.Text("reply.uninvited")
	}
	var names []string
	for _, name := range in.Lacks {
		names = append(names, c.Text("permission."+name))
	}
	return c.Text("reply.lacks", "permissions", strings.Join(names, ", "))
}
