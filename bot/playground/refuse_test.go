package playground

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
)

func TestDeliveriesFailAsAsked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p, err := New(Config{Commands: bot.Commands()})
		if err != nil {
			t.Fatal(err)
		}
		ctx := t.Context()
		send := func(to chat.Target, nonce string) error {
			_, err := p.Send(ctx, to, textScreen("x"), nonce)
			return err
		}
		ann, channel := chat.Target{Player: Ann}, chat.Target{Chat: Channel}

		p.CloseDM(Ann, true)
		if got := fault(send(ann, "")); got != "unreachable" {
			t.Errorf("closed direct messages: %q", got)
		}
		if err := send(chat.Target{Player: Ben}, ""); err != nil {
			t.Errorf("Ben's are open: %v", err)
		}
		p.CloseDM(Ann, false)
		if err := send(ann, ""); err != nil {
			t.Errorf("opened again: %v", err)
		}

		p.Limit(Channel, 2, time.Minute)
		for i, want := range []time.Duration{0, 0, 50 * time.Second} {
			var d *chat.DeliveryError
			if errors.As(send(channel, ""), &d) != (want > 0) || d != nil && (d.Fault != chat.Retry || d.After != want) {
				t.Errorf("delivery %d: %v, want a wait of %v", i+1, d, want)
			}
			time.Sleep(5 * time.Second)
		}
		if err := send(ann, ""); err != nil {
			t.Errorf("another chat is limited too: %v", err)
		}
		time.Sleep(45 * time.Second)
		if err := send(channel, ""); err != nil {
			t.Errorf("after the wait: %v", err)
		}
		p.Limit(Channel, 0, 0)

		before := len(p.Channel())
		p.Lose(1)
		if got := fault(send(channel, "a")); got != "retry" || len(p.Channel()) != before+1 {
			t.Errorf("a lost confirmation: %q", got)
		}
		if err := send(channel, "a"); err != nil || len(p.Channel()) != before+1 {
			t.Errorf("sent again after a lost confirmation: %v, %d messages", err, len(p.Channel()))
		}
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := p.Send(gone, channel, textScreen("x"), ""); fault(err) != "retry" {
			t.Errorf("too late: %v", err)
		}
	})
}

// refuse refuses everything.
func refuse(string, *screen.Screen) error { return errors.New("no") }

// A screen that the check refuses is neither sent nor shown.
func TestRefusedScreensAreInvalid(t *testing.T) {
	t.Parallel()
	p, err := New(Config{Check: refuse})
	if err != nil {
		t.Fatal(err)
	}
	s := textScreen("x")
	if _, err := p.Send(t.Context(), chat.Target{Chat: Channel}, s, ""); fault(err) != "invalid" || len(p.Channel()) > 0 {
		t.Errorf("sent with %v, want invalid", err)
	}
	if err := p.Edit(t.Context(), "", s); fault(err) != "invalid" {
		t.Errorf("edited with %v, want invalid", err)
	}
}

func TestARefusedReplyIsAnError(t *testing.T) {
	t.Parallel()
	s, file := textScreen("x"), textScreen("x")
	file.File = &screen.File{Name: "x", Data: []byte("x")}
	for name, c := range map[string]struct {
		check func(string, *screen.Screen) error
		reply chat.Reply
	}{
		"a toast":              {refuse, chat.Reply{Toast: "x"}},
		"a screen":             {refuse, chat.Reply{Screen: &s}},
		"a file for everybody": {nil, chat.Reply{Screen: &file, Public: true}},
	} {
		reply := c.reply
		p, err := New(Config{Commands: bot.Commands(), Check: c.check})
		if err != nil {
			t.Fatal(err)
		}
		run(t, p, handler(func(context.Context, chat.Input) chat.Reply { return reply }))
		if _, err := p.Command(t.Context(), Ann, Channel, "/help"); err == nil || len(p.Answers(Ann)) != 0 {
			t.Errorf("%s was shown", name)
		}
	}
}

func TestAFloodOfPressesFillsNoLog(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	limited, _ := chat.Sparing(slog.New(slog.NewTextHandler(&log, nil))) // as the program does
	p, err := New(Config{Commands: bot.Commands(), Check: refuse, Log: limited})
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = p.Run(t.Context(), unfit{}) }()
	for range 30 {
		if _, err := p.Command(t.Context(), Ann, Channel, "/rules"); err == nil {
			t.Error("what no platform can show is shown")
		}
	}
	if n := strings.Count(log.String(), "no platform can show"); n != 1 {
		t.Errorf("%d lines:\n%s", n, &log)
	}
}

// unfit replies with a toast.
type unfit struct{}

func (unfit) Handle(context.Context, chat.Input) chat.Reply          { return chat.Reply{Toast: "x"} }
func (unfit) Complete(context.Context, chat.Input) []chat.Suggestion { return nil }
