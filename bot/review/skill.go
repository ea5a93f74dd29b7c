package review

import (
	"context"
	"slices"

	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/store"
)

// learn adds to a commit what the coach saw of the people of a match, in its home.
func (room *Room) learn(ctx context.Context, c *store.Change, home string, coached2 Coach) error {
	var keys []store.Key
	seats := slices.DeleteFunc(slices.Clone(coached2.Seats), func(s coached) bool { return s.Player == "" || league.IsGone(s.Player) })
	for _, s := range seats {
		keys = append(keys, store.Key{Partition: c.Partition, Name: league.SkillName(home, s.Player)})
	}
	if len(keys) == 0 {
		return nil
	}
	docs, err := room.docs.Store.Get(ctx, keys...)
	if err != nil {
		return err
	}
	for i, s := range seats {
		var skill league.Skill
		if err := doc.Decode(docs[i], &skill); err != nil {
			return err
		}
		lost, stake, _ := coached2.kept(s.Seat)
		skill.Choices, skill.Lost, skill.Stake = skill.Choices+s.Choices, skill.Lost+lost, skill.Stake+stake
		c.Writes = append(c.Writes, store.Write{Name: keys[i].Name, Expect: docs[i].Version, Data: doc.Encode(skill)})
	}
	return nil
}
