package playground

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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

		p.Fail(2, &chat.DeliveryError{Fault: chat.Gone})
		before := len(p.Channel())
		if got := fault(send(channel, "a")) + fault(send(channel, "a")); got != "gonegone" || len(p.Channel()) != before {
			t.Errorf("failed deliveries: %q", got)
		}
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

func TestScreensThatSomePlatformRefusesAreInvalid(t *testing.T) {
	t.Parallel()
	p, _ := start(t, Config{})
	row := func(n int) []screen.Button {
		var all []screen.Button
		for i := range n {
			all = append(all, button("x", fmt.Sprint(n, "/", i)))
		}
		return all
	}
	with := func(b screen.Button) screen.Screen { return textScreen("x", []screen.Button{b}) }
	span := func(s screen.Span) screen.Screen {
		return screen.Screen{Blocks: []screen.Block{{Look: screen.Title, Spans: []screen.Span{s}}}}
	}
	long := strings.Repeat("ž", 34)
	for name, s := range map[string]screen.Screen{
		"full":       textScreen(strings.Repeat("ž", 4000), row(5), row(1), row(2), row(3), row(4)),
		"label":      with(button(long, strings.Repeat("x", 64))),
		"private":    with(screen.Button{Label: "x", Private: "aZ_-9"}),
		"disabled":   with(screen.Button{Label: "x", Press: "x", Off: true, Tone: screen.Danger}),
		"no buttons": textScreen("x"),
	} {
		if _, err := p.Send(t.Context(), chat.Target{Chat: Channel}, s, ""); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	a := p.Channel()[0].Address
	for name, s := range map[string]screen.Screen{
		"no words":          {Rows: [][]screen.Button{row(1)}},
		"an empty block":    {Blocks: []screen.Block{{}}},
		"a strange look":    {Blocks: []screen.Block{{Look: 9, Spans: []screen.Span{{Text: "x"}}}}},
		"too long":          textScreen(strings.Repeat("ž", 4001)),
		"six rows":          textScreen("x", row(1), row(2), row(3), row(4), row(5), []screen.Button{button("x", "y")}),
		"six buttons":       textScreen("x", row(6)),
		"an empty row":      textScreen("x", nil),
		"a long label":      with(button(long+"x", "x")),
		"no label":          with(button("", "x")),
		"a label of lines":  with(button("a\nb", "x")),
		"long data":         with(button("x", strings.Repeat("ž", 33))),
		"broken data":       with(button("x", "\xff")),
		"no data":           with(button("x", "")),
		"two ways":          with(screen.Button{Label: "x", Press: "x", Private: "x"}),
		"a strange payload": with(screen.Button{Label: "x", Private: "a b"}),
		"a strange tone":    with(screen.Button{Label: "x", Press: "x", Tone: 9}),
		"the same twice":    textScreen("x", row(1), row(1)),
		"lines in a span":   span(screen.Span{Text: "a\nb"}),
		"no UTF-8":          span(screen.Span{Text: "\xff"}),
		"an empty span":     span(screen.Span{}),
		"an empty name":     span(screen.Span{Kind: screen.SpanPerson}),
		"no card":           span(screen.Span{Kind: screen.SpanCard}),
		"a two-line title":  span(screen.Span{Kind: screen.SpanBreak}),
		"a strange span":    span(screen.Span{Kind: 9, Text: "x"}),
		"calls nobody":      {Blocks: textScreen("x").Blocks, Notify: []screen.Person{{Name: "AI"}}},
	} {
		if _, err := p.Send(t.Context(), chat.Target{Chat: Channel}, s, ""); fault(err) != "invalid" {
			t.Errorf("%s: sent with %v, want invalid", name, err)
		}
		if err := p.Edit(t.Context(), a, s); fault(err) != "invalid" {
			t.Errorf("%s: edited with %v, want invalid", name, err)
		}
	}
}

func TestAReplyThatNoPlatformCanShowIsAnError(t *testing.T) {
	t.Parallel()
	bad := textScreen("")
	for name, reply := range map[string]chat.Reply{
		"a long toast":    {Toast: strings.Repeat("ž", 201)},
		"a broken screen": {Screen: &bad},
	} {
		p, err := New(Config{Commands: bot.Commands()})
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
	p, err := New(Config{Commands: bot.Commands(), Log: limited})
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

// unfit replies with a toast that no platform can show.
type unfit struct{}

func (unfit) Handle(context.Context, chat.Input) chat.Reply {
	return chat.Reply{Toast: strings.Repeat("x", maxToast+1)}
}
func (unfit) Complete(context.Context, chat.Input) []chat.Suggestion { return nil }
