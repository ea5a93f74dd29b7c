package bot

import (
	"fmt"
	"slices"

	"sedmabot/bot/doc"
	"sedmabot/bot/work"
)

// Kinds returns the table of all kinds of documents, for those who only read and
// restore them: nothing of it that does a job or forgets anybody may be called.
func Kinds() map[string]doc.Kind { return rooms{}.kinds() }

// kinds returns the table of all kinds of documents and jobs.
func (r rooms) kinds() map[string]doc.Kind {
	all := map[string]doc.Kind{}
	for _, k := range slices.Concat(
		r.play.Kinds(), r.review.Kinds(), r.boards.Kinds(), r.daily.Kinds(), r.cup.Kinds(), r.people.Kinds(), r.upkeep.Kinds(), work.Kinds(), doc.Kinds(),
	) {
		if _, twice := all[k.Name]; twice {
			panic(fmt.Sprintf("two kinds of documents are called %q", k.Name))
		}
		all[k.Name] = k
	}
	return all
}
