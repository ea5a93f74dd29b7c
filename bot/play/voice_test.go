package play_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/view"
)

// talking is a platform with voice channels.
type talking struct {
	town.Chats
	texts []string                   // what the channel showed, one after the other
	fault func() *chat.DeliveryError // nil: the channel shows the text
	asked int
}

func (p *talking) Abilities() chat.Abilities { return chat.Abilities{Status: p.set} }

func (p *talking) set(_ context.Context, _, text string) error {
	p.asked++
	if p.fault != nil {
		if err := p.fault(); err != nil {
			return err
		}
	}
	p.texts = append(p.texts, strings.ReplaceAll(text, "\u00a0", " "))
	return nil
}

// inVoice runs f in a town with voice channels.
func inVoice(t *testing.T, f func(t *testing.T, w *town.Town, p *talking)) {
	t.Helper()
	p := &talking{}
	town.In(t, func(t *testing.T, w *town.Town) { f(t, w, p) }, func(c *bot.Config) { c.Platforms = []chat.Platform{p} })
}

// talk seats two people in the group and starts their match, which ends after a deal if last is set.
func talk(w *town.Town, last bool) (id string) {
	tab := w.Sit(hostChat, "2", "test:ann", "test:ben")
	w.Presses("test:ann", hostChat, view.Press{Action: view.ActSet, Table: tab.ID, What: "length", Value: "t10"})
	w.Presses("test:ann", hostChat, view.Press{Action: view.ActStart, Table: tab.ID})
	if last {
		w.Presses("test:ann", hostChat, view.Press{Action: view.ActLast, Table: tab.ID})
	}
	w.Pass(time.Second)
	return tab.ID
}

// A voice channel shows the score while a match runs, if a manager has turned that on: a request at the start, one after each
// change of the score, and one at the end.
func TestTheVoiceChannelShowsTheScore(t *testing.T) {
	t.Parallel()
	inVoice(t, func(t *testing.T, w *town.Town, p *talking) {
		w.PlayOn(talk(w, true), 1000)
		w.Pass(time.Minute)
		w.Command("test:ann", hostChat, "close")
		if p.asked != 0 {
			t.Fatalf("nobody turned it on: %q", p.texts)
		}
		w.Manages("test:ann", hostChat, "voice", "on")
		tab := w.PlayOn(talk(w, false), 1000)
		w.Pass(time.Minute)
		first, last := p.texts[0], p.texts[len(p.texts)-1]
		if first != "Sedma 0 : 0" || last != "" || len(p.texts) < 3 {
			t.Errorf("it showed %q", p.texts)
		}
		if twice := slices.Compact(slices.Clone(p.texts)); len(twice) != len(p.texts) || len(p.texts) > len(tab.Public().Past)+1 {
			t.Errorf("after %d deals: %q", len(tab.Public().Past), p.texts)
		}
	})
}

// A table that is closed in the middle of a match, and a setting that is turned off, leave no status behind.
func TestNoStatusStays(t *testing.T) {
	t.Parallel()
	for _, off := range []bool{false, true} {
		inVoice(t, func(t *testing.T, w *town.Town, p *talking) {
			w.Manages("test:ann", hostChat, "voice", "on")
			id := talk(w, off)
			if !slices.Equal(p.texts, []string{"Sedma 0 : 0"}) {
				t.Fatalf("it shows %q", p.texts)
			}
			if off {
				w.Manages("test:ann", hostChat, "voice", "off")
				w.PlayOn(id, 1000)
			} else {
				w.Presses("test:ann", hostChat, view.Press{Action: view.ActSure, Table: id, What: view.ActClose})
			}
			w.Pass(time.Minute)
			if !slices.Equal(p.texts, []string{"Sedma 0 : 0", ""}) {
				t.Errorf("off %v: it showed %q", off, p.texts)
			}
		})
	}
}

// A channel that refuses the status is asked once. If the bot lacks the permission, the settings say which. A manager who has
// given it chooses the setting again.
func TestARefusedStatus(t *testing.T) {
	t.Parallel()
	for _, fault := range []chat.Fault{chat.Unreachable, chat.Gone} {
		inVoice(t, func(t *testing.T, w *town.Town, p *talking) {
			page := func() chat.Reply {
				in := w.Input("test:ann", hostChat)
				in.Admin, in.Press = true, town.HomeSetting("page", "voice", hostChat).String()
				return w.Handle(t.Context(), in)
			}
			p.fault = func() *chat.DeliveryError { return &chat.DeliveryError{Fault: fault, Err: context.Canceled} }
			w.Manages("test:ann", hostChat, "voice", "on")
			w.Has(page(), "!Manage Channels")
			id := talk(w, false)
			w.PlayOn(id, 1000)
			w.Pass(time.Minute)
			if p.asked != 1 {
				t.Errorf("%v: it was asked %d times in a match", fault, p.asked)
			}
			if fault == chat.Unreachable {
				w.Has(page(), "Manage Channels")
			} else {
				w.Has(page(), "!Manage Channels")
			}
			p.fault = nil
			w.Manages("test:ann", hostChat, "voice", "on")
			w.Pass(time.Minute)
			w.Has(page(), "!Manage Channels")
			w.Command("test:ann", hostChat, "close")
			if talk(w, false); !slices.Equal(p.texts, []string{"Sedma 0 : 0"}) {
				t.Errorf("%v: with the permission it shows %q", fault, p.texts)
			}
		})
	}
}

// A busy platform is asked again, and then shows the latest text.
func TestABusyStatusIsTriedAgain(t *testing.T) {
	t.Parallel()
	inVoice(t, func(t *testing.T, w *town.Town, p *talking) {
		busy := 2
		p.fault = func() *chat.DeliveryError {
			if busy--; busy < 0 {
				return nil
			}
			return &chat.DeliveryError{Fault: chat.Retry, After: 10 * time.Second}
		}
		w.Manages("test:ann", hostChat, "voice", "on")
		if talk(w, false); len(p.texts) != 0 {
			t.Fatalf("it shows %q", p.texts)
		}
		w.Pass(time.Minute)
		if !slices.Equal(p.texts, []string{"Sedma 0 : 0"}) || p.asked != 3 {
			t.Errorf("after %d requests it shows %q", p.asked, p.texts)
		}
	})
}
