package play_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// The two chats of a shared table, in different homes.
const (
	hostChat  = "test:group"
	guestChat = "test:guest"
)

// code returns the code on the reply of the command that shares a table.
func code(t *testing.T, r chat.Reply) string {
	t.Helper()
	if r.Screen == nil {
		t.Fatalf("no code: %+v", r)
	}
	return regexp.MustCompile(`share-en ([A-Z2-9]{8})`).FindStringSubmatch(r.Screen.String())[1]
}

// shareCode opens a table in one chat. It returns its id and a code to share it in the other.
func shareCode(t *testing.T, w *town.Town) (id, given string) {
	t.Helper()
	if store.Partition(hostChat) == store.Partition(guestChat) {
		t.Fatal("both homes lie in one partition")
	}
	w.Command("test:ann", hostChat, "new")
	given = code(t, w.Command("test:ann", hostChat, "share"))
	return w.At(hostChat).ID, given
}

// useCode shares a table in the guests' chat, if the process doesn't die before.
func useCode(t *testing.T, w *town.Town, given string) chat.Reply {
	t.Helper()
	in := w.Input("test:ben", guestChat)
	in.Command, in.Args = "share", map[string]string{"code": given}
	asked := w.Handle(t.Context(), in)
	if asked.Screen == nil {
		return asked
	}
	if home, err := w.Docs.Home(t.Context(), guestChat); err == nil && len(home.Open) > 0 {
		t.Error("a table is shown before the person has agreed")
	}
	return w.Asks("test:ben", guestChat, town.Press(asked.Screen.Rows[0][0].Press))
}

// agrees reports whether the table is shown in the chat, and whether the index of the chat's home agrees with that.
func agrees(t *testing.T, w *town.Town, id, chat string) (shown, agree bool) {
	t.Helper()
	tab := w.Load(id)
	home, err := w.Docs.Home(t.Context(), guestChat)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range tab.Chats {
		shown = shown || c.ID == chat && tab.Phase != table.Closed
	}
	return shown, shown == (home.Open[chat] == id)
}

// TestAShareOutlastsACrash shares a table with another home, and then ends the sharing. The
// process dies between any two of the commits, or loses the answer of one. The next
// process makes the other home's index agree with the table.
func TestAShareOutlastsACrash(t *testing.T) {
	t.Parallel()
	for commits := range 5 {
		for _, last := range []bool{false, true} {
			town.InDying(t, func(t *testing.T, w *town.Town, s *town.Dying) {
				id, given := shareCode(t, w)
				s.Dies(commits, last)
				r := useCode(t, w, given)
				w.Pass(time.Second) // finish pending work, until the process dies
				s.Lives()
				w.Pass(time.Minute)
				shown, agree := agrees(t, w, id, guestChat)
				if !agree {
					t.Errorf("dead after %d commits (%v): the table is shown there: %v, and its index says otherwise", commits, last, shown)
				}
				if promised := strings.Contains(r.Toast, "shown here too"); promised && !shown {
					t.Errorf("dead after %d commits (%v): %q, and it is not", commits, last, r.Toast)
				}
				if !shown {
					// Whether the code was used up or not, the host's next one must work.
					useCode(t, w, given)
					if now, _ := agrees(t, w, id, guestChat); !now {
						useCode(t, w, code(t, w.Command("test:ann", hostChat, "share")))
					}
					w.Pass(time.Minute)
				}
				if shown, agree := agrees(t, w, id, guestChat); !shown || !agree {
					t.Errorf("dead after %d commits (%v): shown in the end %v, known there %v", commits, last, shown, agree)
				}

				// The same for ending the share.
				s.Dies(commits, last)
				w.Asks("test:ann", hostChat, view.Press{Action: view.ActClose, Table: id})
				w.Pass(time.Second)
				s.Lives()
				w.Asks("test:ann", hostChat, view.Press{Action: view.ActClose, Table: id})
				w.Pass(time.Minute)
				if shown, agree := agrees(t, w, id, guestChat); shown || !agree {
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
		town.In(t, func(t *testing.T, w *town.Town) {
			id, given := shareCode(t, w)
			useCode(t, w, given)
			if informed {
				w.Pass(10 * time.Second)
				w.Handle(t.Context(), chat.Input{Chat: chat.Chat{ID: super, Home: super}, Former: guestChat})
			} else {
				w.Chats.Failing(func(call string) error {
					if call == "send "+guestChat {
						return &chat.DeliveryError{Fault: chat.Gone, Chat: super, Err: errors.New("moved")}
					}
					return nil
				})
			}
			w.Chats.Deliveries()
			w.Command("test:ben", super, "join")
			w.Pass(time.Minute)
			if shown, agree := agrees(t, w, id, super); !shown || !agree {
				t.Errorf("told %v: shown in the supergroup %v, known there %v", informed, shown, agree)
			}
			if shown, agree := agrees(t, w, id, guestChat); shown || !agree {
				t.Errorf("told %v: shown in the group that was %v, agreed %v", informed, shown, agree)
			}
			if n := w.Chats.Count("send " + super); n == 0 {
				t.Errorf("told %v: nothing stands in the supergroup", informed)
			}
			w.Command("test:ann", hostChat, "close")
			w.Pass(time.Minute)
			if shown, agree := agrees(t, w, id, super); shown || !agree {
				t.Errorf("told %v, and closed: shown %v, agreed %v", informed, shown, agree)
			}
		})
	}
}

// In a chat with a damaged table, Play with others opens a new one, and a code shows another chat's table there.
func TestPlayNowAndACodeBesideADamagedTable(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		damaged := func() string {
			t.Helper()
			w.Command("test:cat", guestChat, "new")
			id := w.At(guestChat).ID
			keys, _ := doc.TableKeys(id)
			w.Put(keys[0].Partition, map[string]any{keys[0].Name: "no table"})
			return id
		}
		first := damaged()
		if r := w.Command("test:ben", guestChat, "play"); r.Outcome != chat.Done || r.Toast != w.Input("test:ben", guestChat).Text("reply.opened") {
			t.Errorf("Play with others: %+v", r)
		}
		if id := w.At(guestChat).ID; id == first {
			t.Errorf("Play with others leads to %q, which is damaged", id)
		}
		w.Command("test:ben", guestChat, "close")

		id, given := shareCode(t, w)
		damaged()
		if r := useCode(t, w, given); r.Outcome != chat.Done || r.Toast != w.Input("test:ben", guestChat).Text("reply.shared") {
			t.Errorf("a code: %+v", r)
		}
		if shown, _ := agrees(t, w, id, guestChat); !shown {
			t.Error("the other chat's table isn't shown")
		}
	})
}

// For an administrator of the second chat, closing a table takes it out of that chat. They put nobody away alone.
func TestAnAdministratorOfTheSecondChat(t *testing.T) {
	t.Parallel()
	for _, phase := range []table.Phase{table.Lobby, table.Playing} {
		town.In(t, func(t *testing.T, w *town.Town) {
			id, given := shareCode(t, w)
			useCode(t, w, given)
			w.Command("test:ben", guestChat, "join")
			if phase == table.Playing {
				w.Command("test:ann", hostChat, "start")
			}
			w.Pass(time.Minute)
			asAdmin := func(chat string, press view.Press) {
				t.Helper()
				in := w.Input("test:eve", chat)
				in.Admin, in.Press = true, press.String()
				w.Handle(t.Context(), in)
			}
			asAdmin(guestChat, view.Press{Action: view.ActKick, Table: id})
			if tab := w.Load(id); tab.Seats[0].Player.ID != "test:ann" || tab.Seats[0].Away {
				t.Errorf("%s: Ann was put away", phase)
			}
			more := w.Input("test:eve", guestChat)
			more.Admin, more.Press = true, view.Press{Action: view.ActMore, Table: id}.String()
			w.Has(w.Handle(t.Context(), more), "[Close")
			asAdmin(guestChat, view.Press{Action: view.ActClose, Table: id})
			w.Pass(time.Minute)
			if tab := w.Load(id); tab.Phase == table.Closed || len(tab.Chats) != 1 {
				t.Errorf("%s: then %s in %v", phase, tab.Phase, tab.Chats)
			}
			if shown, agree := agrees(t, w, id, guestChat); shown || !agree {
				t.Errorf("%s: still shown: %v, %v", phase, shown, agree)
			}
			asAdmin(hostChat, view.Press{Action: view.ActClose, Table: id})
			in := w.Input("test:eve", hostChat)
			in.Admin, in.Press = true, view.Press{Action: view.ActClose, Table: id}.String()
			if r := w.Handle(t.Context(), in); r.Screen != nil { // asked first
				in.Press = r.Screen.Rows[0][0].Press
				w.Handle(t.Context(), in)
			}
			if tab := w.Load(id); tab.Phase != table.Closed {
				t.Errorf("%s: the host's administrator doesn't close it", phase)
			}
		})
	}
}

// The people of the second chat may have heard of hands in the first one. They get an AI's seat of a running match with the next
// deal, and the people of the first chat get one at once.
func TestFriendsOfTheSecondChatComeWithTheNextDeal(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		id, given := shareCode(t, w)
		useCode(t, w, given)
		w.Pass(time.Second) // the table's job lists it in the other home
		w.Command("test:ann", hostChat, "start")
		if r := w.Command("test:zoe", guestChat, "join"); !strings.Contains(r.Toast, "with the next deal") {
			t.Errorf("Zoe is told: %+v", r)
		}
		if r := w.Command("test:dan", hostChat, "join"); !strings.Contains(r.Toast, "You've joined") {
			t.Errorf("Dan is told: %+v", r)
		}
		tab := w.Load(id)
		if tab.Waits("test:zoe") != table.NextDeal || tab.SeatOf("test:dan") < 0 || tab.Seats[tab.SeatOf("test:dan")].Late != tab.DealNo {
			t.Errorf("Zoe waits for %q, and the seats are %+v", tab.Waits("test:zoe"), tab.Seats)
		}
	})
}
