package playground

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/game"
)

// demo is a bot small enough to read at a glance. It has a lobby, one hand for each
// player, and a table message that shows who played which card.
type demo struct {
	p *Playground

	mu     sync.Mutex
	lobby  chat.Address
	table  chat.Address
	hands  map[string]chat.Address
	cards  map[string][]game.Card
	log    []screen.Span
	answer map[string]chat.Address
	inputs []chat.Input
}

func textScreen(s string, rows ...[]screen.Button) screen.Screen {
	return screen.Screen{Blocks: []screen.Block{{Spans: []screen.Span{{Text: s}}}}, Rows: rows}
}

func button(label, press string) screen.Button { return screen.Button{Label: label, Press: press} }

func (*demo) Complete(context.Context, chat.Input) []chat.Suggestion { return nil }

func (d *demo) Handle(ctx context.Context, in chat.Input) chat.Reply {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.inputs = append(d.inputs, in)
	switch {
	case in.Command == "new":
		a, err := d.p.Send(ctx, chat.Target{Chat: in.Chat.ID}, d.lobbyScreen(), "lobby")
		if err != nil {
			return chat.Reply{Toast: err.Error()}
		}
		d.lobby = a
		return chat.Reply{}
	case in.Command == "leaderboard":
		s := textScreen("1. Ann 12, 2. Ben 7", []screen.Button{button("Next", "next")})
		return chat.Reply{Screen: &s, Public: true}
	case in.Command == "hand" || in.Press == "cards":
		s := d.handScreen(in.Player.ID)
		d.answer[in.Player.ID] = in.Answer
		return chat.Reply{Toast: "your cards", Screen: &s, Replace: true}
	case in.Press == "start":
		if err := d.deal(ctx); err != nil {
			return chat.Reply{Toast: err.Error()}
		}
		return chat.Reply{Toast: "The cards are dealt."}
	case in.Press == "rules":
		return chat.Reply{Toast: "Sedma: a card takes by its equal or by a seven. Aces and tens are ten points each.", Alert: true}
	case strings.HasPrefix(in.Press, "play:"):
		c, err := game.ParseCard(in.Press[len("play:"):])
		i := slices.Index(d.cards[in.Player.ID], c)
		if err != nil || i < 0 {
			return chat.Reply{Toast: "Already played."}
		}
		d.cards[in.Player.ID] = slices.Delete(d.cards[in.Player.ID], i, i+1)
		d.log = append(d.log, screen.Span{Kind: screen.SpanBreak}, screen.Span{Kind: screen.SpanPerson, Person: screen.Person{ID: in.Player.ID, Name: in.Player.Name}},
			screen.Span{Text: " plays "}, screen.Span{Kind: screen.SpanCard, Card: c, Strong: c.Rank() == '7'})
		err = d.p.Edit(ctx, d.table, d.tableScreen())
		if a := d.hands[in.Player.ID]; a != "" {
			err = errors.Join(err, d.p.Edit(ctx, a, d.handScreen(in.Player.ID)))
		}
		if a := d.answer[in.Player.ID]; a != "" && a != in.Answer && !in.OnAnswer {
			err = errors.Join(err, d.p.Edit(ctx, a, d.handScreen(in.Player.ID)))
		}
		if err != nil {
			return chat.Reply{Toast: err.Error()}
		}
		if in.OnAnswer {
			s := d.handScreen(in.Player.ID)
			d.answer[in.Player.ID] = in.Answer
			return chat.Reply{Screen: &s, Replace: true}
		}
		return chat.Reply{}
	}
	return chat.Reply{Toast: "This button is an old one."}
}

// deal sends the table and everybody's hand. A person who can't be reached plays with
// the button My cards.
func (d *demo) deal(ctx context.Context) error {
	d.log = []screen.Span{{Text: "Ann leads."}}
	pack := []string{"7h", "Ta", "Kl", "Ab", "8h", "9a", "Ul", "Ob", "7l", "Th", "Ka", "Al", "Ah", "8b", "9l", "Oa"}
	for i, person := range people[:4] {
		for _, s := range pack[4*i : 4*i+4] {
			c, err := game.ParseCard(s)
			if err != nil {
				return err
			}
			d.cards[person] = append(d.cards[person], c)
		}
		a, err := d.p.Send(ctx, chat.Target{Player: person}, d.handScreen(person), "hand "+person)
		if fault := new(chat.DeliveryError); errors.As(err, &fault) && fault.Fault == chat.Unreachable {
			continue
		} else if err != nil {
			return err
		}
		d.hands[person] = a
	}
	var err error
	d.table, err = d.p.Send(ctx, chat.Target{Chat: Channel}, d.tableScreen(), "table")
	return err
}

func (d *demo) lobbyScreen() screen.Screen {
	return screen.Screen{
		Blocks: []screen.Block{
			{Look: screen.Title, Spans: []screen.Span{{Text: "Sedma for four"}}},
			{Spans: []screen.Span{{Kind: screen.SpanBold, Text: "North–South"}, {Text: ": "}, {Kind: screen.SpanPerson, Person: screen.Person{ID: Ann, Name: "Ann"}}, {Text: ", free"},
				{Kind: screen.SpanBreak}, {Kind: screen.SpanBold, Text: "East–West"}, {Text: ": free, free"}}},
			{Look: screen.Quote, Spans: []screen.Span{{Text: "First side to 10 stakes wins. A trick is taken by an equal card or a seven."}}},
			{Look: screen.Small, Spans: []screen.Span{{Text: "Start fills the empty seats with the AI."}}},
		},
		Rows: [][]screen.Button{
			{button("Join", "join"), button("Leave", "leave"), button("Add AI", "ai"), {Label: "Cards in private", Private: "hand"}},
			{{Label: "Start", Press: "start", Tone: screen.Primary}, button("Rules", "rules"), {Label: "Close", Press: "close", Tone: screen.Danger}},
		},
	}
}

func (d *demo) tableScreen() screen.Screen {
	return screen.Screen{
		Face: face.French,
		Blocks: []screen.Block{
			{Look: screen.Title, Spans: []screen.Span{{Text: "Sedma for four, deal 1"}}},
			{Spans: d.log},
			{Look: screen.Small, Spans: []screen.Span{{Text: "16 cards in the stock. North–South 0, East–West 0."}}},
		},
		Rows:   [][]screen.Button{{{Label: "My cards", Press: "cards", Tone: screen.Primary}, button("Rules", "rules")}},
		Notify: []screen.Person{{ID: Ann, Name: "Ann"}},
	}
}

func (d *demo) handScreen(person string) screen.Screen {
	s := screen.Screen{Face: face.French, Blocks: []screen.Block{
		{Look: screen.Title, Spans: []screen.Span{{Text: "Your cards"}}},
		{Spans: []screen.Span{{Text: "It is your turn."}}},
	}}
	if person == Cat || person == Dan {
		s.Face = face.Czech
	}
	var row []screen.Button
	for i, c := range d.cards[person] {
		row = append(row, screen.Button{Label: face.Text(s.Face, c), Card: c, Press: "play:" + c.String(), Off: i == 3})
	}
	if len(row) > 0 {
		s.Rows = append(s.Rows, row)
	}
	s.Rows = append(s.Rows, []screen.Button{button("Stop", "stop")})
	return s
}

// start runs a playground with the demo and the bot's commands until the test is over.
func start(t *testing.T, c Config) (*Playground, *demo) {
	t.Helper()
	c.Commands = bot.Commands()
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	d := &demo{p: p, hands: map[string]chat.Address{}, cards: map[string][]game.Card{}, answer: map[string]chat.Address{}}
	run(t, p, d)
	return p, d
}

// run runs p with any handler until the test is over.
func run(t *testing.T, p *Playground, h chat.Handler) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx, h) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("run ended with %v", err)
		}
	})
}

// handler makes a function usable as a bot.
type handler func(ctx context.Context, in chat.Input) chat.Reply

func (h handler) Handle(ctx context.Context, in chat.Input) chat.Reply { return h(ctx, in) }

func (handler) Complete(context.Context, chat.Input) []chat.Suggestion { return nil }

// click presses the newest button of that label that the person sees.
func click(t *testing.T, p *Playground, person, label string) chat.Reply {
	t.Helper()
	m, ok := p.Offering(person, label)
	if !ok {
		t.Fatalf("%s sees no button %q", person, label)
	}
	reply, err := p.Press(t.Context(), person, m, label)
	if err != nil {
		t.Fatalf("press %q: %v", label, err)
	}
	return reply
}

// texts returns the text of each message.
func texts(messages []Message) []string {
	var all []string
	for _, m := range messages {
		all = append(all, m.Screen.String())
	}
	return all
}

// fault returns the fault of a delivery as text, or "" if there is none.
func fault(err error) string {
	var d *chat.DeliveryError
	if errors.As(err, &d) {
		return d.Fault.String()
	}
	if err != nil {
		return fmt.Sprint(err)
	}
	return ""
}
