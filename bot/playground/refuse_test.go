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
	"sedmabot/bot/view"
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
			_, err := p.Send(ctx, to, screen("x"), nonce)
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
		if _, err := p.Send(gone, channel, screen("x"), ""); fault(err) != "retry" {
			t.Errorf("too late: %v", err)
		}
	})
}

func TestScreensThatSomePlatformRefusesAreInvalid(t *testing.T) {
	t.Parallel()
	p, _ := start(t, Config{})
	row := func(n int) []view.Button {
		var all []view.Button
		for i := range n {
			all = append(all, button("x", fmt.Sprint(n, "/", i)))
		}
		return all
	}
	with := func(b view.Button) view.Screen { return screen("x", []view.Button{b}) }
	span := func(s view.Span) view.Screen {
		return view.Screen{Blocks: []view.Block{{Look: view.Title, Spans: []view.Span{s}}}}
	}
	long := strings.Repeat("ž", 34)
	for name, s := range map[string]view.Screen{
		"full":       screen(strings.Repeat("ž", 4000), row(5), row(1), row(2), row(3), row(4)),
		"label":      with(button(long, strings.Repeat("x", 64))),
		"private":    with(view.Button{Label: "x", Private: "aZ_-9"}),
		"disabled":   with(view.Button{Label: "x", Press: "x", Off: true, Tone: view.Danger}),
		"no buttons": screen("x"),
	} {
		if _, err := p.Send(t.Context(), chat.Target{Chat: Channel}, s, ""); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	a := p.Channel()[0].Address
	for name, s := range map[string]view.Screen{
		"no words":          {Rows: [][]view.Button{row(1)}},
		"an empty block":    {Blocks: []view.Block{{}}},
		"a strange look":    {Blocks: []view.Block{{Look: 9, Spans: []view.Span{{Text: "x"}}}}},
		"too long":          screen(strings.Repeat("ž", 4001)),
		"six rows":          screen("x", row(1), row(2), row(3), row(4), row(5), []view.Button{button("x", "y")}),
		"six buttons":       screen("x", row(6)),
		"an empty row":      screen("x", nil),
		"a long label":      with(button(long+"x", "x")),
		"no label":          with(button("", "x")),
		"a label of lines":  with(button("a\nb", "x")),
		"long data":         with(button("x", strings.Repeat("ž", 33))),
		"broken data":       with(button("x", "\xff")),
		"no data":           with(button("x", "")),
		"two ways":          with(view.Button{Label: "x", Press: "x", Private: "x"}),
		"a strange payload": with(view.Button{Label: "x", Private: "a b"}),
		"a strange tone":    with(view.Button{Label: "x", Press: "x", Tone: 9}),
		"the same twice":    screen("x", row(1), row(1)),
		"lines in a span":   span(view.Span{Text: "a\nb"}),
		"no UTF-8":          span(view.Span{Text: "\xff"}),
		"an empty span":     span(view.Span{}),
		"an empty name":     span(view.Span{Kind: view.SpanPerson}),
		"no card":           span(view.Span{Kind: view.SpanCard}),
		"a two-line title":  span(view.Span{Kind: view.SpanBreak}),
		"a strange span":    span(view.Span{Kind: 9, Text: "x"}),
		"calls nobody":      {Blocks: screen("x").Blocks, Notify: []view.Person{{Name: "AI"}}},
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
	bad := screen("")
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
	p, err := New(Config{Commands: bot.Commands(), Log: slog.New(slog.NewTextHandler(&log, nil))})
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
