package discord_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
)

// calls counts the requests whose method and path start with a prefix.
func (w *world) calls(like string) int {
	n := 0
	for _, c := range w.Calls() {
		if strings.HasPrefix(c.Method+" "+c.Path, like) {
			n++
		}
	}
	return n
}

// last returns the latest request, but for those that the bot makes beside its start.
func (w *world) last() (last discordtest.Call) {
	for _, c := range w.Calls() {
		if !strings.HasPrefix(c.Path, "/applications/") && !strings.HasPrefix(c.Path, "/gateway") {
			last = c
		}
	}
	return last
}

// A place that refused messages takes them as soon as Discord lets the bot write there: that it is open again may be known to
// another process alone. The tables know which places they needn't try.
func TestAPlaceOpensWithoutAWordFromThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t, func(context.Context, chat.Input) chat.Reply { return chat.Reply{} })
	ann, target := chat.Target{Player: "discord:" + w.ann.ID}, chat.Target{Chat: "discord:" + w.channel.ID}
	at, err := w.adapter.Send(t.Context(), target, textScreen("a table"), "0")
	if err != nil {
		t.Fatal(err)
	}
	w.ann.RefuseDMs(true)
	w.guild.Permit(discordtest.MayView)
	for _, to := range []chat.Target{ann, target} {
		if _, err := w.adapter.Send(t.Context(), to, textScreen("hello"), "1"); fault(t, err).Fault != chat.Unreachable {
			t.Errorf("%v: %v", to, err)
		}
	}
	if err := w.adapter.Edit(t.Context(), at, textScreen("a later table")); err != nil {
		t.Errorf("an edit where only new messages are refused: %v", err)
	}
	w.ann.RefuseDMs(false)
	w.guild.Permit(discordtest.MayAll)
	for _, to := range []chat.Target{ann, target} {
		if _, err := w.adapter.Send(t.Context(), to, textScreen("hello"), "2"); err != nil {
			t.Errorf("%v is open again: %v", to, err)
		}
	}
}

// A person whose direct messages are closed is told to open them and give the command again.
// Then the game is there at once.
func TestAGameAloneAfterDirectMessagesWereClosed(t *testing.T) {
	clocktest.Waits(t)
	t.Parallel()
	w := newWorld(t)
	w.play(t)
	for _, command := range []string{"solo", "tutorial", "daily"} {
		p := w.NewPerson(command)
		p.RefuseDMs(true)
		refused := w.calls("POST /channels/" + p.DM().ID)
		p.Slash(w.channel, command, nil).Wait()
		w.Until(command+" is refused", func() bool { return w.calls("POST /channels/"+p.DM().ID) > refused })
		p.RefuseDMs(false)
		p.Slash(w.channel, command, nil).Wait()
		w.Until(command+" is there", func() bool { return len(p.Sees(p.DM())) > 0 })
	}
}

func TestAnArchivedThreadIsOpenedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	thread := w.guild.NewThread("a thread")
	at, err := w.adapter.Send(t.Context(), chat.Target{Chat: "discord:" + thread.ID}, textScreen("a table"), "1")
	if err != nil {
		t.Fatal(err)
	}
	thread.Archive(false)
	if err := w.adapter.Edit(t.Context(), at, textScreen("a later table")); err != nil || thread.Archived() {
		t.Errorf("an archived thread: %v", err)
	}
	if m := w.ann.Sees(thread)[0]; m.Text != "a later table" {
		t.Errorf("it shows %v", m)
	}
	thread.Archive(true)
	for range 2 {
		if d := fault(t, w.adapter.Edit(t.Context(), at, textScreen("the last table"))); d.Fault != chat.Unreachable {
			t.Errorf("a locked thread: %v", d)
		}
	}
	if n := w.calls("PATCH /channels/" + thread.ID); n != 7 {
		t.Errorf("%d requests, wanted an edit, an opening and an edit, then twice an edit and an opening in vain", n)
	}
}

// If a table is posted again, the old one doesn't remain above it.
func TestWhatIsTooOldToBeEditedGoes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	at, err := w.adapter.Send(t.Context(), chat.Target{Chat: "discord:" + w.channel.ID}, textScreen("a table"), "1")
	if err != nil {
		t.Fatal(err)
	}
	w.Fail(discordtest.Fault{Method: http.MethodPatch, Path: "/channels/", Times: 1, Status: 429, Code: 30046, After: 0.001})
	if d := fault(t, w.adapter.Edit(t.Context(), at, textScreen("a later table"))); d.Fault != chat.Gone {
		t.Errorf("too old: %v", d)
	}
	if seen := w.ann.Sees(w.channel); len(seen) != 0 {
		t.Errorf("left is %v", seen)
	}
	if d := w.adapter.Lasts(); d <= 0 || d >= time.Hour {
		t.Errorf("messages last %v", d)
	}
}

// If Discord no longer knows an interaction, because it came too late or twice, the answer
// isn't retried.
func TestAnUnknownInteractionIsLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	handled := make(chan struct{}, 2)
	w.run(t, func(context.Context, chat.Input) chat.Reply {
		handled <- struct{}{}
		return chat.Reply{Toast: "played"}
	})
	w.Fail(discordtest.Fault{Path: "/interactions/", Times: 1, Status: 404, Code: 10062})
	w.ann.Slash(w.channel, "hand", nil)
	<-handled
	w.Until("the first was answered in vain", func() bool { return w.calls("POST /interactions/") == 1 })
	w.ann.Slash(w.channel, "hand", nil).Wait()
	if n := w.calls("POST /interactions/"); n != 2 {
		t.Errorf("%d answers, wanted one for each interaction", n)
	}
	w.Forgive()
}

// AutoMod refuses the table, and the person's private chat refuses as well: the reply to the command says so, though it
// said that the table is open.
func TestARefusedTableIsToldInTheReply(t *testing.T) {
	t.Parallel()
	for name, refuse := range map[string]func(w *world){
		"no direct messages": func(w *world) { w.ann.RefuseDMs(true) },
		"all is refused": func(w *world) {
			w.Fail(discordtest.Fault{Method: http.MethodPost, Path: "/channels/" + w.ann.DM().ID + "/messages", Times: 100, Status: 400, Code: 200000})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.play(t, "delivery refused")
			refuse(w)
			w.Fail(discordtest.Fault{Method: http.MethodPost, Path: "/channels/" + w.channel.ID + "/messages", Times: 100, Status: 400, Code: 200000})
			said, ok := w.ann.Slash(w.channel, "new", nil).Wait()
			if !ok || !strings.Contains(said.Text, "The table is open") && !strings.Contains(said.Text, "I can't post your table") {
				t.Fatalf("the command was answered %v", said)
			}
			told := w.shows(w.ann, w.channel, "I can't post your table")
			w.ann.Click(told, "Close table").Wait()
			if others := w.bob.Sees(w.channel); len(others) != 0 {
				t.Errorf("another person sees %v", others)
			}
		})
	}
}

// A person reads that the channel refuses what they asked for, at once or late.
func TestAPublicReplyThatTheChannelRefuses(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{"at once": "/interactions/", "late": "/webhooks/"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clocktest.Waits(t)
			w := newWorld(t)
			told := make(chan struct{})
			w.run(t, func(context.Context, chat.Input) chat.Reply {
				<-told
				return chat.Reply{Screen: new(textScreen("the board")), Public: true}
			})
			board := w.ann.Slash(w.channel, "leaderboard", nil)
			if name == "late" {
				w.Until("the person was told to wait", func() bool { return w.calls("POST /interactions/") == 1 })
			}
			w.Fail(discordtest.Fault{Method: http.MethodPost, Path: path, Times: 1, Status: 400, Code: 200000})
			close(told)
			board.Wait()
			w.shows(w.ann, w.channel, "the chat refuses my message")
			if all := w.bob.Sees(w.channel); len(all) != 0 {
				t.Errorf("everybody sees %v", all)
			}
		})
	}
}
