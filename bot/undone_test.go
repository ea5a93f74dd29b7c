package bot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// messages is the number of messages of a table for two: the table's own and two hands.
const messages = 3

// undoneMessages is messages with that of the lobby, which may show what is undone, too.
const undoneMessages = messages + 1

// room is a table for Ann and Ben on a wall.
type room struct {
	*testing.T
	*wall
	store *rewinding
	bot   *Bot
}

// inRoom runs f with a table at which Ann and Ben sit. Nothing is shown unless f runs the bot.
func inRoom(t *testing.T, f func(t *testing.T, r *room)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data.db")
	synctest.Test(t, func(t *testing.T) {
		r := &room{
			T: t, wall: &wall{standing: map[chat.Address]screen.Screen{}, places: map[string][]chat.Address{}}, store: &rewinding{t: t},
		}
		r.store.open(path)
		r.begin()
		in := by("ann")
		in.Command, in.Args = "new", map[string]string{"players": "2"}
		if reply := r.bot.Handle(t.Context(), in); reply.Outcome != chat.Done {
			t.Fatal(reply)
		}
		command(r.bot, "ben", "join")
		f(t, r)
	})
}

// begin starts a process that knows nothing except the store.
func (r *room) begin() {
	r.bot = New(Config{Store: r.store, Platforms: []chat.Platform{r.wall}, Think: easy, Log: slog.New(slog.DiscardHandler)})
}

// running runs the bot while f runs.
func (r *room) running(f func()) {
	ctx, cancel := context.WithCancel(r.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = r.bot.Run(ctx) }()
	defer func() { cancel(); <-ended }()
	synctest.Wait()
	f()
	synctest.Wait()
}

// shown waits until everything is shown.
func (r *room) shown() {
	time.Sleep(2 * time.Second)
	synctest.Wait()
}

// Button returns the press of the first card on a player's newest hand that can be played, or else of its first card.
func (r *room) button(player string) (press string) {
	r.Helper()
	hand := r.latest("test:"+player, "deal")
	for _, row := range hand.Rows {
		for _, b := range row {
			switch {
			case !strings.HasPrefix(b.Press, "play:"):
			case !b.Off:
				return b.Press
			case press == "":
				press = b.Press
			}
		}
	}
	if press != "" {
		return press
	}
	r.Fatalf("%s has no card to play:\n%v", player, hand)
	return ""
}

func (r *room) press(player, data string) chat.Reply {
	in := by(player)
	in.Press = data
	return r.bot.Handle(r.Context(), in)
}

// turn returns the player whose turn it is in the store.
func (r *room) turn() string {
	r.Helper()
	t := theTable(r.T, r.bot)
	if t.Phase != table.Playing {
		r.Fatalf("the table is in %s", t.Phase)
	}
	return strings.TrimPrefix(t.Seats[t.Deal.Turn()].Player.ID, "test:")
}

// plays makes the player whose turn it is play a card, and returns that player.
func (r *room) plays() string {
	r.Helper()
	who := r.turn()
	if reply := r.press(who, r.button(who)); reply.Outcome != chat.Done || reply.Toast != "" {
		r.Fatalf("%s plays: %q", who, reply.Toast)
	}
	r.shown()
	return who
}

// playsOn makes both players play some more cards from the hands that they see.
func (r *room) playsOn() {
	r.Helper()
	for range 8 {
		who := r.plays()
		r.showsUndone(who)
	}
}

// showsUndone checks that a player and the chat see the table as it is stored. It reports whether each of them reads that
// moves were undone.
func (r *room) showsUndone(player string) (chat, hand bool) {
	r.Helper()
	t := theTable(r.T, r.bot)
	private, ok := t.Private("test:" + player)
	if !ok {
		r.Fatalf("%s has no seat", player)
	}
	undone := lang.For("en").Text("reply.undone")
	check := func(what string, is, should screen.Screen) bool {
		r.Helper()
		is.Picture, should.Picture = nil, nil
		announced := strings.Contains(is.String(), undone)
		if text := strings.ReplaceAll(is.String(), undone+"\n", ""); text != should.String() || fmt.Sprint(is.Rows) != fmt.Sprint(should.Rows) {
			r.Errorf("%s is\n%s\n%v\nand should be\n%s\n%v", what, text, is.Rows, should, should.Rows)
		}
		return announced
	}
	for _, p := range append(view.PastPosts(t.Public()), view.PresentPosts(t.Public(), t.Private, nil, nil)...) {
		if p.Chat != "" && strings.HasPrefix(p.Key, "deal:") || t.Phase == table.Lobby && strings.HasPrefix(p.Key, "lobby:") {
			chat = check("the chat's message", r.latest(p.Chat, "[More]", "who plays?"), p.Screen)
		}
	}
	if private.HasDeal {
		hand = check(player+"'s hand", r.latest("test:"+player, "deal"), view.Hand(private))
	}
	return chat, hand
}

// If a press is for a decision that the store has not reached yet, it comes from an undone history. All messages must
// be redrawn, and people must read why.
func TestAPressOnWhatWasUndone(t *testing.T) {
	t.Parallel()
	inRoom(t, func(t *testing.T, r *room) {
		undone := lang.For("en").Text("reply.undone")
		var before []byte
		var ann, ben string
		r.running(func() {
			command(r.bot, "ann", "start")
			r.shown()
			before = r.store.copy()
			ann = r.plays()
			ben = r.turn()
		})
		r.store.back(before)
		r.begin()
		r.running(func() {
			ahead := r.button(ann)
			r.shown()
			r.count("")
			for _, who := range []string{"eve", "eve"} {
				if reply := r.press(who, ahead); reply.Toast != lang.For("en").Text("refusal.stranger") {
					t.Errorf("a stranger was told %q", reply.Toast)
				}
			}
			r.shown()
			if n := r.count(""); n > 0 {
				t.Errorf("a stranger caused %d deliveries", n)
			}
			for range 3 {
				if reply := r.press(ann, ahead); reply.Toast != undone || reply.Outcome != chat.Refused {
					t.Errorf("%s was told %q", ann, reply.Toast)
				}
			}
			r.shown()
			if n := r.count("edit"); n != undoneMessages {
				t.Errorf("%d edits of %d messages", n, undoneMessages)
			}
			for _, who := range []string{ann, ben} {
				if chat0, hand := r.showsUndone(who); !chat0 || !hand {
					t.Errorf("%s does not read what happened: in the chat %v, in the hand %v", who, chat0, hand)
				}
			}
			r.press(ann, ahead)
			r.shown()
			if n := r.count("edit"); n > 0 {
				t.Errorf("%d edits a moment after", n)
			}
			time.Sleep(10 * time.Second)
			r.press(ann, ahead)
			r.shown()
			if n := r.count("edit"); n != undoneMessages {
				t.Errorf("%d edits ten seconds after", n)
			}
			if who := r.plays(); who != ann {
				t.Errorf("%s was on turn, and not %s", who, ann)
			}
			if chat0, hand := r.showsUndone(ben); chat0 || hand {
				t.Error("what happened is still told after the next move")
			}
			r.playsOn()
		})
	})
}

// A player's hand says that it is their turn, but the store waits for another player, whose move was undone. After the
// press both see the current table.
func TestAPressOutOfTurnAfterAnUndoing(t *testing.T) {
	t.Parallel()
	inRoom(t, func(t *testing.T, r *room) {
		notTurn := lang.For("en").Text("refusal.not_turn")
		var before []byte
		var ann, ben string
		r.running(func() {
			command(r.bot, "ann", "start")
			r.shown()
			before = r.store.copy()
			ann = r.plays()
			ben = r.turn()
			r.count("")
			if reply := r.press(ann, r.button(ann)); reply.Toast != notTurn {
				t.Errorf("%s was told %q", ann, reply.Toast)
			}
			r.shown()
			if n := r.count(""); n > 0 {
				t.Errorf("%d deliveries when somebody was too eager", n)
			}
		})
		r.store.back(before)
		r.begin()
		r.running(func() {
			if reply := r.press(ben, r.button(ben)); reply.Toast != notTurn {
				t.Errorf("%s was told %q", ben, reply.Toast)
			}
			r.shown()
			if n := r.count("edit"); n != messages {
				t.Errorf("%d edits of %d messages", n, messages)
			}
			r.showsUndone(ann)
			r.showsUndone(ben)
			r.playsOn()
		})
	})
}

// A process must notice on its own, without a press, that its store has lost commits.
func TestAStoreThatCameBackOlder(t *testing.T) {
	t.Parallel()
	inRoom(t, func(t *testing.T, r *room) {
		r.running(func() {
			command(r.bot, "ann", "start")
			r.shown()
			r.count("")
			r.store.back(r.store.copy())
			r.shown()
			if n := r.count(""); n > 0 {
				t.Errorf("%d deliveries after a failover that undid nothing", n)
			}
			before := r.store.copy()
			ann := r.plays()
			ben := r.turn()
			time.Sleep(5 * time.Second)
			r.count("")
			r.store.back(before)
			r.shown()
			if n := r.count("edit"); n != undoneMessages {
				t.Errorf("%d edits of %d messages", n, undoneMessages)
			}
			for _, who := range []string{ann, ben} {
				if chat, hand := r.showsUndone(who); !chat || !hand {
					t.Errorf("%s does not read what happened: in the chat %v, in the hand %v", who, chat, hand)
				}
			}
			time.Sleep(10 * time.Second)
			if n := r.count("edit"); n > 0 {
				t.Errorf("%d more edits", n)
			}
			r.playsOn()
		})
	})
}

// A change right after the store came back older gives the table the count of writes that the lost one had, whichever process makes
// it. The messages are right all the same.
func TestAStoreThatCameBackOlderAndChangedAtOnce(t *testing.T) {
	t.Parallel()
	for _, other := range []bool{false, true} {
		inRoom(t, func(t *testing.T, r *room) {
			r.running(func() {
				command(r.bot, "ann", "start")
				r.shown()
				r.store.back(r.store.copy()) // from then on, the process remembers tables
				r.shown()
				before := r.store.copy()
				ann := r.plays()
				ben := r.turn()
				time.Sleep(5 * time.Second)
				r.store.back(before)
				changer := r.bot
				if other {
					changer = New(Config{Store: r.store, Platforms: []chat.Platform{r.wall}, Think: easy, Log: slog.New(slog.DiscardHandler)})
				}
				command(changer, ben, "table")
				time.Sleep(5 * time.Second)
				for _, who := range []string{ann, ben} {
					r.showsUndone(who) // it may not say what happened, if that was found before the change
				}
				r.playsOn()
			})
		})
	}
}

// Tables that can't be read after an interruption are read as soon as possible.
func TestAStoreThatCameBackOlderAndSlowly(t *testing.T) {
	t.Parallel()
	inRoom(t, func(t *testing.T, r *room) {
		r.running(func() {
			command(r.bot, "ann", "start")
			r.shown()
			before := r.store.copy()
			ann := r.plays()
			time.Sleep(5 * time.Second)
			r.store.back(before)
			r.store.failing(errors.New("no master has this partition"))
			r.shown()
			r.store.failing(nil)
			time.Sleep(5 * time.Second)
			if chat, hand := r.showsUndone(ann); !chat || !hand {
				t.Errorf("%s does not read what happened: in the chat %v, in the hand %v", ann, chat, hand)
			}
			r.playsOn()
		})
	})
}

// If nothing has happened for a while, a press on a button that no current message has shows that a message is out of
// date. All are redrawn, at most every ten seconds.
func TestAButtonThatDoesNotFit(t *testing.T) {
	t.Parallel()
	inRoom(t, func(t *testing.T, r *room) {
		r.running(func() {
			command(r.bot, "ann", "start")
			r.shown()
			played := r.plays()
			tab := theTable(t, r.bot)
			old := view.Press{Action: view.ActPlay, Table: tab.ID, Deal: 1, Move: tab.Deal.Moves()[0]}
			for _, c := range []struct {
				press view.Press
				who   string
				why   table.Refusal
			}{
				{old, played, table.ErrAlready},
				{view.Press{Action: view.ActRematch, Table: tab.ID}, "ben", table.ErrNotOver},
				{view.Press{Action: view.ActStart, Table: tab.ID}, "ann", table.ErrNotLobby},
				{view.Press{Action: view.ActResume, Table: tab.ID}, "ben", table.ErrNotResting},
			} {
				time.Sleep(8 * time.Second)
				r.count("")
				for range 2 {
					if reply := r.press(c.who, c.press.String()); reply.Toast != lang.For("en").Text("refusal."+string(c.why)) {
						t.Errorf("%s: %s was told %q", c.why, c.who, reply.Toast)
					}
					r.shown()
				}
				if n := r.count("edit"); n != messages {
					t.Errorf("%s: %d edits of %d messages", c.why, n, messages)
				}
			}
			if chat, hand := r.showsUndone("ben"); chat || hand {
				t.Error("it is told that moves were undone")
			}
		})
	})
}

// After a restore all tables are redrawn, except closed ones.
func TestARestoreIsSeen(t *testing.T) {
	t.Parallel()
	inRoom(t, func(t *testing.T, r *room) {
		var backup bytes.Buffer
		r.running(func() {
			command(r.bot, "ann", "start")
			r.shown()
			in := by("cat")
			in.Command, in.Chat.ID = "new", "test:other"
			r.bot.Handle(t.Context(), in)
			in.Command = "close"
			r.bot.Handle(t.Context(), in)
			r.plays()
			if _, err := upkeep.WriteBackup(t.Context(), r.store, Kinds(), &backup, time.Now()); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				r.plays()
			}
		})
		r.store.open(filepath.Join(t.TempDir(), "restored.db"))
		if _, err := upkeep.Restore(t.Context(), r.store, Kinds(), bytes.NewReader(backup.Bytes()), time.Now()); err != nil {
			t.Fatal(err)
		}
		r.begin()
		r.count("")
		r.running(func() {
			r.shown()
			if n := r.count("edit"); n != undoneMessages {
				t.Errorf("%d edits of %d messages", n, undoneMessages)
			}
			for _, who := range []string{"ann", "ben"} {
				if chat, hand := r.showsUndone(who); !chat || !hand {
					t.Errorf("%s does not read what happened: in the chat %v, in the hand %v", who, chat, hand)
				}
			}
			r.playsOn()
		})
	})
}

// After undone moves, a deal must be sent as a new message. Otherwise a platform that drops repeats would keep showing
// the cards of the undone deal.
func TestADealThatWasUndoneIsDealtAgain(t *testing.T) {
	t.Parallel()
	inRoom(t, func(t *testing.T, r *room) {
		var before []byte
		r.running(func() {
			r.shown()
			before = r.store.copy()
			command(r.bot, "ann", "start")
			r.shown()
		})
		r.store.back(before)
		r.begin()
		r.running(func() {
			if reply := r.press("ann", r.button("ann")); reply.Toast != lang.For("en").Text("reply.undone") {
				t.Errorf("ann was told %q", reply.Toast)
			}
			r.shown()
			if lobby := r.latest("test:chat", "who plays?"); !strings.Contains(lobby.String(), lang.For("en").Text("reply.undone")) {
				t.Errorf("the lobby is\n%s", lobby)
			}
			command(r.bot, "ann", "start")
			r.shown()
			for _, who := range []string{"ann", "ben"} {
				r.showsUndone(who)
			}
			r.playsOn()
		})
	})
}

// The store loses its latest changes, and a player is away in what remains. If they press a button of the lost state,
// they get their seat back.
func TestAPressOnWhatWasUndoneBringsBack(t *testing.T) {
	t.Parallel()
	inRoom(t, func(t *testing.T, r *room) {
		var before []byte
		var ann string
		r.running(func() {
			command(r.bot, "ann", "start")
			r.shown()
			ann = r.turn()
			in := by("eve")
			in.Command, in.Admin, in.Args = "kick", true, map[string]string{"player": ann}
			if reply := r.bot.Handle(t.Context(), in); reply.Outcome != chat.Done {
				t.Fatal(reply)
			}
			r.shown()
			before = r.store.copy()
			r.shown()
		})
		r.store.back(before)
		r.begin()
		ahead, err := view.ParsePress(r.button(ann))
		if err != nil {
			t.Fatal(err)
		}
		ahead.Turn += 3
		if reply := r.press(ann, ahead.String()); reply.Toast != lang.For("en").Text("reply.undone") {
			t.Errorf("%s was told %q", ann, reply.Toast)
		}
		for _, s := range theTable(t, r.bot).Seats {
			if s.Away {
				t.Errorf("%s is still away", s.Player.ID)
			}
		}
	})
}
