package bot

import (
	"fmt"
	"slices"
)

// Kinds returns the table of all kinds of documents, for those who only read and
// write them: nothing of it that does a job or forgets anybody may be called.
func Kinds() map[string]Kind { return new(Bot).kinds() }

// kinds returns the table of all kinds of documents and jobs.
func (b *Bot) kinds() map[string]Kind {
	all := map[string]Kind{}
	for _, k := range slices.Concat(
		b.playKinds(), b.reviewKinds(), b.boardsKinds(), b.dailyKinds(), b.cupKinds(), b.peopleKinds(), b.upkeepKinds(), holdKinds(), seenKinds(),
	) {
		if _, twice := all[k.Name]; twice {
			panic(fmt.Sprintf("two kinds of documents are called %q", k.Name))
		}
		all[k.Name] = k
	}
	return all
}
