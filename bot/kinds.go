package bot

import (
	"fmt"
	"slices"

	"sedmabot/bot/doc"
	"sedmabot/bot/work"
)

// Kinds returns all kinds of documents by name, for tools that only read or restore
// them. Its functions that do a job or delete a person's data must not be called.
func Kinds() map[string]doc.Kind { return rooms{}.kinds() }

// kinds returns all kinds of documents and jobs by name.
func (r rooms) kinds() map[string]doc.Kind {
	all := map[string]doc.Kind{}
	for _, k := range slices.Concat(
		r.play.Kinds(), r.review.Kinds(), r.boards.Kinds(), r.daily.Kinds(), r.puzzle.Kinds(), r.cup.Kinds(), r.marks.Kinds(), r.people.Kinds(), r.upkeep.Kinds(), r.pages.Kinds(), work.Kinds(), doc.Kinds(),
	) {
		if _, twice := all[k.Name]; twice {
			panic(fmt.Sprintf("two kinds of documents are called %q", k.Name))
		}
		all[k.Name] = k
	}
	return all
}
