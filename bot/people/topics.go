package people

import (
	"maps"

	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
)

// topicsSetting lets a person have topics in their private chat. It is offered where the platform has them.
func topicsSetting(d *deliver.Deliverer) doc.Setting[doc.Player] {
	return doc.Setting[doc.Player]{
		Name: "topics", Group: view.GroupPosts, Order: 55, Choices: []string{doc.Off, doc.On}, Offered: d.HasTopics,
		Field: doc.Field[doc.Player]{
			Get: func(p doc.Player) string {
				if p.Topics {
					return doc.On
				}
				return ""
			},
			Set: func(p *doc.Player, choice string) {
				p.Topics = choice == doc.On
				p.Threads = maps.Clone(p.Threads)
				maps.DeleteFunc(p.Threads, func(_, id string) bool { return id == doc.NoThread }) // those that the person deleted are created again
				if len(p.Threads) == 0 {
					p.Threads = nil
				}
			},
		},
	}
}
