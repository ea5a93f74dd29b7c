package bot

import (
	"context"
	"slices"

	"sedmabot/store"
)

// skillDoc is how well a player chose in a home's matches, as the coach saw it. It
// is added up with what the coach says of a match, in one commit, and not made of
// the ledger: the coach does not think the same twice.
type skillDoc struct {
	Choices int `json:"choices"`
	Lost    int `json:"lost"`  // in hundredths, of
	Stake   int `json:"stake"` // what lay between the best and the worst of each choice
}

// accuracy is from 0 to 1, as of a match.
func (d skillDoc) accuracy() float64 {
	if d.Stake == 0 {
		return 1
	}
	return 1 - float64(d.Lost)/float64(d.Stake)
}

func skillName(home, player string) string { return "skill:" + home + "|" + player }

// learn adds to a commit what the coach saw of the people of a match, in its home.
func (b *Bot) learn(ctx context.Context, c *store.Change, home string, doc coachDoc) error {
	var keys []store.Key
	seats := slices.DeleteFunc(slices.Clone(doc.Seats), func(s coached) bool { return s.Player == "" || isGone(s.Player) })
	for _, s := range seats {
		keys = append(keys, store.Key{Partition: c.Partition, Name: skillName(home, s.Player)})
	}
	if len(keys) == 0 {
		return nil
	}
	docs, err := b.docs.Store.Get(ctx, keys...)
	if err != nil {
		return err
	}
	for i, s := range seats {
		var skill skillDoc
		if err := decode(docs[i], &skill); err != nil {
			return err
		}
		lost, stake, _ := doc.kept(s.Seat)
		skill.Choices, skill.Lost, skill.Stake = skill.Choices+s.Choices, skill.Lost+lost, skill.Stake+stake
		c.Writes = append(c.Writes, store.Write{Name: keys[i].Name, Expect: docs[i].Version, Data: encode(skill)})
	}
	return nil
}
