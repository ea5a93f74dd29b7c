package bot

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// lengthsOf returns the lengths that the lobby offers, with their times.
func lengthsOf(t *testing.T, tab table.Table) []string {
	t.Helper()
	if tab.Phase != table.Lobby {
		t.Fatalf("phase %s", tab.Phase)
	}
	tab.Page = table.LengthPage
	_, private := tab.Readers()
	var out []string
	for _, post := range view.PresentPosts(tab.Public(), private, nil, nil) {
		for _, m := range post.Screen.Menus {
			for _, b := range m.Options {
				out = append(out, strings.ReplaceAll(b.Label, "\u00a0", " "))
			}
		}
	}
	return out
}

// playMatch plays a match of Ann and Ben to its end. Each of them takes that long for a move.
func playMatch(t *testing.T, b *Bot, id string, think time.Duration) (tab table.Table) {
	t.Helper()
	running(t, b, func() {
		for tab.Phase != table.Over {
			var err error
			if tab, err = b.tables.Load(t.Context(), id); err != nil {
				t.Error(err)
				return
			}
			time.Sleep(think)
			for _, player := range []string{"ann", "ben"} {
				private, _ := tab.Private("test:" + player)
				if private.View.Turn != private.Seat || tab.Phase != table.Playing || tab.Deal.Forced() {
					continue
				}
				in := by(player)
				in.Press = view.Press{
					Action: view.ActPlay, Table: tab.ID, Deal: tab.DealNo,
					Turn: private.View.Decisions[private.Seat], Move: private.View.Legal[0],
				}.String()
				b.Handle(t.Context(), in)
			}
		}
	})
	return tab
}

// TestTheLobbyShowsTimesOfTheChat plays matches and looks at the next lobbies. That of the
// chat shows what its own matches took, that of another chat the same, until it has
// matches of its own. All of it can be recomputed.
func TestTheLobbyShowsTimesOfTheChat(t *testing.T) {
	t.Parallel()
	clocktest.Single(t)
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, s *trips) {
		id := ""
		press := func(player string, p view.Press) {
			t.Helper()
			in := by(player)
			p.Table = id
			in.Press = p.String()
			if reply := b.Handle(t.Context(), in); reply.Outcome != chat.Done {
				t.Fatalf("%s: %+v", in.Press, reply)
			}
		}
		in := by("ann")
		in.Command, in.Args = "new", map[string]string{"game": "sedma", "players": "2"}
		b.Handle(t.Context(), in)
		id = theTable(t, b).ID
		press("ben", view.Press{Action: view.ActJoin})
		before := lengthsOf(t, theTable(t, b))
		if len(before) != 4 || before[0] != "1 deal: ~3 min" {
			t.Errorf("before the first match: %v", before)
		}
		press("ann", view.Press{Action: view.ActSet, What: "length", Value: "t3"})
		press("ann", view.Press{Action: view.ActStart})
		over := playMatch(t, b, id, 30*time.Second)
		took := table.Timed(over.Past)
		if took.Deals != len(over.Past) || took.Seconds < 32*30*took.Deals {
			t.Errorf("%d deals are timed: %+v", len(over.Past), took)
		}

		press("ben", view.Press{Action: view.ActShorter})
		tab := theTable(t, b)
		if tab.ID != id || tab.MatchNo != 2 || tab.Phase != table.Lobby || tab.Rules.Deals != 1 || tab.Rules.Target != 0 {
			t.Fatalf("after a shorter rematch: match %d, %s, %d deals, first to %d", tab.MatchNo, tab.Phase, tab.Rules.Deals, tab.Rules.Target)
		}
		after := lengthsOf(t, tab)
		deal := time.Duration(took.Seconds/took.Deals) * time.Second // more than ten minutes
		if one := fmt.Sprintf("1 deal: ~%.0f min", deal.Round(5*time.Minute).Minutes()); !slices.Contains(after, one) {
			t.Errorf("%d deals took %d s, and then: %v", took.Deals, took.Seconds, after)
		}

		// The other chat has no matches yet.
		other := by("cat")
		other.Chat = chat.Chat{ID: "test:chat2", Home: "test:home2", Lang: "en"}
		other.Command, other.Args = in.Command, in.Args
		b.Handle(t.Context(), other)
		elsewhere, err := b.tables.OpenTable(t.Context(), other.Chat)
		if err != nil {
			t.Fatal(err)
		}
		tab2, err := b.tables.Load(t.Context(), elsewhere)
		if err != nil {
			t.Fatal(err)
		}
		key := table.TimeKey("sedma", 2, 2)
		if tab2.Times[key] != took {
			t.Errorf("elsewhere the times are %v, not %v", tab2.Times, took)
		}

		press("ann", view.Press{Action: view.ActRematch})
		if theTable(t, b).Times != nil {
			t.Error("the table keeps the times during the match")
		}
		both := took
		for _, past := range playMatch(t, b, id, 5*time.Second).Past {
			both.Deals++
			both.Seconds += past.Took
		}
		want := table.DealTimes{key: both}
		for range 2 {
			for _, home := range []string{"test:home", league.Everywhere} {
				docs, err := s.Get(t.Context(), doc.HomeKey(home))
				if err != nil {
					t.Fatal(err)
				}
				var h doc.Home
				if err := doc.Decode(docs[0], &h); err != nil || len(h.Times) != 1 || h.Times[key] != want[key] {
					t.Errorf("home %s has the times %v, not %v; %v", home, h.Times, want, err)
				}
			}
			if a, err := upkeep.RebuildBoards(t.Context(), s, b.docs.Now()); err != nil || len(a.Wrong) > 0 {
				t.Fatalf("%v, %+v", err, a)
			}
		}
	})
}

// TestTheDefaultLengthOfAChat checks that new tables get the length that the chat has set,
// in each game that offers it.
func TestTheDefaultLengthOfAChat(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, _ *trips) {
		in := by("ann")
		in.Admin, in.Press = true, "cfg:page:end:test:home"
		page := b.Handle(t.Context(), in)
		if page.Screen == nil || len(page.Screen.Menus) != 1 {
			t.Fatalf("no lengths: %+v", page)
		}
		if m := page.Screen.Menus[0]; m.Options[m.Chosen].Label != "first to 3 stakes" {
			t.Fatalf("the settings offer %+v", m)
		}
		for _, option := range page.Screen.Menus[0].Options {
			if option.Label == "first to 5 stakes" {
				in.Press = option.Press
			}
		}
		if reply := b.Handle(t.Context(), in); reply.Outcome != chat.Done {
			t.Fatalf("%+v", reply)
		}
		for args, want := range map[string]string{"": "t5", "zsirozas": "t5", "sedma 2": "t5", "hola": "t300"} {
			in := by("ann")
			in.Command, in.Args = "new", map[string]string{"game": args}
			b.Handle(t.Context(), in)
			tab := theTable(t, b)
			if got := game.Length(tab.Rules); got != want {
				t.Errorf("/new %s is %s, not %s", args, got, want)
			}
			in.Command, in.Args = "close", nil
			b.Handle(t.Context(), in)
		}
	})
}
