package bot

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/game/table"
	"sedmabot/store"
)

// The two chats of a shared table, in different homes.
const (
	hostChat  = "test:group"
	guestChat = "test:guest"
)

// shareCode opens a table in one chat. It returns its id and a code to share it in the other.
func shareCode(t *testing.T, b *Bot) (id, code string) {
	t.Helper()
	if store.Partition(hostChat) == store.Partition(guestChat) {
		t.Fatal("both homes lie in one partition")
	}
	inGroup(b, "ann", "new", hostChat)
	r := inGroup(b, "ann", "share", hostChat)
	if r.Screen == nil {
		t.Fatalf("no code: %+v", r)
	}
	home, err := b.docs.Home(t.Context(), hostChat)
	if err != nil {
		t.Fatal(err)
	}
	return home.Open[hostChat], regexp.MustCompile(`share-en ([A-Z2-9]{8})`).FindStringSubmatch(r.Screen.String())[1]
}

func useCode(b *Bot, t *testing.T, code string) chat.Reply {
	in := by("ben")
	in.Command, in.Chat.ID, in.Chat.Home, in.Args = "share", guestChat, guestChat, map[string]string{"code": code}
	asked := b.Handle(t.Context(), in)
	if asked.Screen == nil {
		return asked
	}
	if home, err := b.docs.Home(t.Context(), guestChat); err == nil && len(home.Open) > 0 {
		t.Error("a table is shown before the person has agreed")
	}
	in.Command, in.Args, in.Press = "", nil, asked.Screen.Rows[0][0].Press
	return b.Handle(t.Context(), in)
}

// agrees reports whether the table is shown in the chat, and whether the index of the chat's home agrees with that.
func agrees(t *testing.T, b *Bot, id, chat string) (shown, agree bool) {
	t.Helper()
	tab, err := b.tables.Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	home, err := b.docs.Home(t.Context(), guestChat)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range tab.Chats {
		shown = shown || c.ID == chat && tab.Phase != table.Closed
	}
	return shown, shown == (home.Open[chat] == id)
}

// TestAShareOutlastsACrash shares a table with another home and ends that again. The
// process dies between any two of the commits, or loses the answer of one. The next
// process makes the other home's index agree with the table.
func TestAShareOutlastsACrash(t *testing.T) {
	t.Parallel()
	for commits := range 5 {
		for _, last := range []bool{false, true} {
			inBubble(t, func(t *testing.T, b *Bot, _ *chats, s *trips) {
				id, code := shareCode(t, b)
				b.docs.Store = &fused{Store: s, left: commits, last: last}
				r := useCode(b, t, code)
				running(t, b, func() { time.Sleep(time.Second) }) // finish pending work, until the process dies
				b.docs.Store = s
				running(t, b, func() { time.Sleep(time.Minute) })
				shown, agree := agrees(t, b, id, guestChat)
				if !agree {
					t.Errorf("dead after %d commits (%v): the table is shown there: %v, and its index says otherwise", commits, last, shown)
				}
				if promised := strings.Contains(r.Toast, "shown here too"); promised && !shown {
					t.Errorf("dead after %d commits (%v): %q, and it is not", commits, last, r.Toast)
				}
				if !shown {
					// Whether the code was used up or not, the host's next one must work.
					_ = useCode(b, t, code)
					if now, _ := agrees(t, b, id, guestChat); !now {
						again := inGroup(b, "ann", "share", hostChat)
						useCode(b, t, regexp.MustCompile(`share-en ([A-Z2-9]{8})`).FindStringSubmatch(again.Screen.String())[1])
					}
					running(t, b, func() { time.Sleep(time.Minute) })
				}
				if shown, agree := agrees(t, b, id, guestChat); !shown || !agree {
					t.Errorf("dead after %d commits (%v): shown in the end %v, known there %v", commits, last, shown, agree)
				}

				// The same for ending the share.
				b.docs.Store = &fused{Store: s, left: commits, last: last}
				inGroup(b, "ann", "close", hostChat)
				running(t, b, func() { time.Sleep(time.Second) })
				b.docs.Store = s
				inGroup(b, "ann", "close", hostChat)
				running(t, b, func() { time.Sleep(time.Minute) })
				if shown, agree := agrees(t, b, id, guestChat); shown || !agree {
					t.Errorf("closed, dead after %d commits (%v): shown %v, agreed %v", commits, last, shown, agree)
				}
			})
		}
	}
}

// TestAGuestGroupMoves checks a group that shows a table of another home and becomes a
// supergroup. The table and the group's index use the new id, whether the platform
// reports the move or a delivery fails.
func TestAGuestGroupMoves(t *testing.T) {
	t.Parallel()
	const super = "test:super"
	for _, informed := range []bool{true, false} {
		inBubble(t, func(t *testing.T, b *Bot, p *chats, _ *trips) {
			id, code := shareCode(t, b)
			useCode(b, t, code)
			if informed {
				running(t, b, func() { time.Sleep(10 * time.Second) })
				b.Handle(t.Context(), chat.Input{Chat: chat.Chat{ID: super, Home: super}, Former: guestChat})
			} else {
				p.failing(func(call string) error {
					if call == "send "+guestChat {
						return &chat.DeliveryError{Fault: chat.Gone, Chat: super, Err: errors.New("moved")}
					}
					return nil
				})
			}
			p.count("")
			running(t, b, func() {
				inGroup(b, "ben", "join", super)
				time.Sleep(time.Minute)
			})
			if shown, agree := agrees(t, b, id, super); !shown || !agree {
				t.Errorf("told %v: shown in the supergroup %v, known there %v", informed, shown, agree)
			}
			if shown, agree := agrees(t, b, id, guestChat); shown || !agree {
				t.Errorf("told %v: shown in the group that was %v, agreed %v", informed, shown, agree)
			}
			if n := p.count("send " + super); n == 0 {
				t.Errorf("told %v: nothing stands in the supergroup", informed)
			}
			running(t, b, func() { inGroup(b, "ann", "close", hostChat); time.Sleep(time.Minute) })
			if shown, agree := agrees(t, b, id, super); shown || !agree {
				t.Errorf("told %v, and closed: shown %v, agreed %v", informed, shown, agree)
			}
		})
	}
}
