package discord_test

import (
	"errors"
	"testing"

	"sedmabot/bot/chat"
)

// The season's champion gets a role. The next champion takes it over. The bot creates the role
// itself. If it may not manage roles, or if the role is above its own, it says so.
func TestTheChampionsRole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	home, ctx := "discord:"+w.guild.ID, t.Context()
	const name = "Sedma champion"
	why := func(err error) chat.MarkFault {
		var refused *chat.MarkError
		if errors.As(err, &refused) {
			return refused.Why
		}
		return ""
	}
	_, err := w.adapter.Mark(ctx, home, "", chat.Mark{}, chat.Mark{})
	if why(err) != chat.MarkRights {
		t.Fatalf("without the permission: %v", err)
	}
	w.guild.Place(true, 5, name, 1)
	if _, err = w.adapter.Mark(ctx, home, "", chat.Mark{}, chat.Mark{}); err != nil {
		t.Fatal(err)
	}
	first := chat.Mark{Rank: 1, Tag: "Sedma: no. 1", Role: name}
	second := chat.Mark{Rank: 2, Tag: "Sedma: no. 2", Role: name}
	ann, err := w.adapter.Mark(ctx, home, "discord:"+w.ann.ID, chat.Mark{}, first)
	if err != nil || ann.ID == "" || !w.guild.Has(w.ann, name) {
		t.Fatalf("%+v, %v", ann, err)
	}
	if bob, err := w.adapter.Mark(ctx, home, "discord:"+w.bob.ID, chat.Mark{}, second); err != nil || bob.ID != "" || w.guild.Has(w.bob, name) {
		t.Errorf("the second: %+v, %v", bob, err)
	}

	// The role passes on.
	if ann, err = w.adapter.Mark(ctx, home, "discord:"+w.ann.ID, ann, second); err != nil || w.guild.Has(w.ann, name) {
		t.Errorf("%+v, %v", ann, err)
	}
	first.Known = ann.ID
	bob, err := w.adapter.Mark(ctx, home, "discord:"+w.bob.ID, second, first)
	if err != nil || !w.guild.Has(w.bob, name) {
		t.Errorf("%+v, %v", bob, err)
	}
	// The bot doesn't know that it gave Bob this role, so it treats the role as someone else's.
	if _, err := w.adapter.Mark(ctx, home, "discord:"+w.bob.ID, second, first); why(err) != chat.MarkTaken || !w.guild.Has(w.bob, name) {
		t.Errorf("a role that someone else gave: %v", err)
	}
	if _, err := w.adapter.Mark(ctx, home, "discord:99", chat.Mark{}, first); why(err) != chat.MarkMember {
		t.Errorf("someone who left: %v", err)
	}

	w.guild.Place(true, 5, name, 7)
	if _, err := w.adapter.Mark(ctx, home, "discord:"+w.bob.ID, bob, chat.Mark{}); why(err) != chat.MarkAbove || !w.guild.Has(w.bob, name) {
		t.Errorf("with the role above the bot's: %v", err)
	}
	if _, err := w.adapter.Mark(ctx, home, "", chat.Mark{}, chat.Mark{Role: name}); why(err) != chat.MarkAbove {
		t.Errorf("the check: %v", err)
	}
}

// Where the server has gradients, the champion's role has one. Another server would refuse it, and gets a plain role.
func TestTheChampionsRoleHasAGradient(t *testing.T) {
	t.Parallel()
	const name = "Sedma champion"
	for _, has := range []bool{true, false} {
		w := newWorld(t)
		if has {
			w.guild.Features("COMMUNITY", "ENHANCED_ROLE_COLORS")
		}
		w.guild.Place(true, 5, name, 1)
		mark, err := w.adapter.Mark(t.Context(), "discord:"+w.guild.ID, "discord:"+w.ann.ID, chat.Mark{}, chat.Mark{Rank: 1, Role: name})
		if err != nil || mark.ID == "" || w.guild.Role(name).Gradient != has {
			t.Errorf("gradients %v: the role is %+v, %v", has, w.guild.Role(name), err)
		}
	}
}
