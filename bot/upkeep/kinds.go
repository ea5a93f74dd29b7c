package upkeep

import "sedmabot/bot/doc"

// kinds returns the kinds of documents that deletions and changed chat ids need.
func (room *Room) kinds() []doc.Kind {
	return append(room.withdrawn(), []doc.Kind{
		{Name: "chat", Owner: doc.OfOne, New: func() any { return new(doc.ChatHome) }, Belongs: doc.OfItsHome, Without: doc.Without(leadsTo)},
		{Name: "erase", Owner: doc.OfOne, New: func() any { return new(progress) }, Restore: doc.RestoreDue, Job: room.tendErase},
		{Name: "purge", Owner: doc.OfOne, New: func() any { return new(progress) }, Restore: doc.RestoreDue, Belongs: ofItsPerson, Goes: doc.JobGoes, Job: room.tendPurge},
		{Name: "rate", Job: room.tendRate},
	}...)
}

// leadsTo reports whether a document links a chat to the home. Then it is deleted.
func leadsTo(d *doc.ChatHome, s doc.Sweep, _ string) bool { return d.Home == s.Home }

// ofItsPerson is the Belongs of the record that the bot was removed from a chat, which may be a person's private one. A home's
// own deletion ends it.
func ofItsPerson(rest string) (home string, people []string) { return "", []string{rest} }
