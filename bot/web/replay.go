package web

import (
	"cmp"
	"context"

	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
	"sedmabot/bot/view"
)

// replay returns all steps of the match whose replay a press asks for, or nil if it asks for something else, or the
// steps can't be shown. reply is the bot's reply to the press: if the bot refused it, the visitor may not see the match.
func (c *socket) replay(ctx context.Context, in chat.Input, t chat.PageTable, reply chat.Reply) []view.LiveStep {
	id, ok := view.MatchOf(in.Press)
	if !ok || c.site.Steps == nil || reply.Outcome != chat.Done || reply.Screen == nil {
		return nil
	}
	language, _, _, err := c.site.Pages().Preferences(ctx, in.Player.ID)
	if err != nil {
		return nil
	}
	in.Player.Lang = cmp.Or(language, in.Player.Lang)
	if t.Allows == nil {
		t.Allows = c.site.Pages().AtDoor
	}
	steps, err := c.site.Steps(ctx, in, id)
	if err != nil {
		return nil // the reply shows the step
	}
	shown := make([]view.LiveStep, 0, len(steps))
	for _, s := range steps {
		w := view.NewWriter(lang.For(in.Player.Lang), s.Screen.Face)
		step, ok := view.StepLive(w, s.Deal, s.Screen)
		if !ok {
			return nil
		}
		confine(t, &step.Text)
		for _, choice := range s.Choices {
			step.Choices = append(step.Choices, view.LiveChoice(choice))
		}
		shown = append(shown, step)
	}
	return shown
}
