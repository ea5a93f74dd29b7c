package eyes

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Message is what a screen reader reads of a chat's message: its text without pictures and custom emoji, and the labels of the
// buttons that can be pressed.
type Message struct {
	Text    string
	Buttons []string
	Of      any // the message itself, for Chat.Press
}

// Chat is what an adapter's stand-in shows to one person, in their private chat and one with others.
type Chat interface {
	Messages() []Message               // the newest last
	Say(command string, here bool)     // "solo" is for two; here: in the private chat
	Press(m Message, label string)     // by its whole label
	Until(what string, is func() bool) // waits
}

// Reader is a player who reads only the texts of messages, and presses buttons by their labels.
type Reader struct {
	Chat

	T             *testing.T
	moved         string // the latest message with a move, as it was then
	Matches, Wins int
}

// card is a card in a text.
const card = `(7|8|9|10|J|Q|K|A)([♠♥♦♣])`

var (
	cardIn = regexp.MustCompile(card)
	plays  = regexp.MustCompile(`^[^:]+: (` + card + ` ?)+$`)       // a player's line of the open trick
	byName = regexp.MustCompile(`^([^,:]+( ` + card + `)+(, )?)+$`) // the open trick in a line
	ranks  = map[string]string{"A": "ace"}                          // as Card has them
	emoji  = regexp.MustCompile(`<a?:\w+:\d+>`)                     // a custom one of Discord
	markup = strings.NewReplacer("*", "", "_", "", "`", "", "\\", "", "-# ", "", "### ", "")
)

// Plain returns a text of Discord without custom emoji and markup.
func Plain(text string) string {
	if strings.Contains(text, "<") {
		text = emoji.ReplaceAllString(text, "")
	}
	return markup.Replace(text)
}

// cardsIn returns the cards that a text names.
func cardsIn(text string) (all []Card) {
	for _, m := range cardIn.FindAllStringSubmatch(text, -1) {
		rank := m[1]
		if name, ok := ranks[rank]; ok {
			rank = name
		}
		all = append(all, Card{rank, m[2]})
	}
	return all
}

// trick returns the open trick of a message: each player's cards, in the order of play.
func (m Message) trick() (t Trick) {
	var players [][]Card
	for line := range strings.Lines(m.Text) {
		switch line = strings.TrimSpace(line); {
		case plays.MatchString(line):
			players = append(players, cardsIn(line))
		case byName.MatchString(line):
			for part := range strings.SplitSeq(line, ", ") {
				players = append(players, cardsIn(part))
			}
		}
	}
	for round := 0; ; round++ {
		before := len(t.Cards)
		for _, cards := range players {
			if round < len(cards) {
				t.Cards = append(t.Cards, cards[round])
			}
		}
		if len(t.Cards) == before {
			return t
		}
	}
}

// Move returns the button that a player presses next, by what the message says. It returns "" if it isn't their turn.
func (m Message) Move() string {
	if !strings.Contains(m.Text, "Your turn") {
		return ""
	}
	t := m.trick()
	t.Players = 1 + len(t.Cards) // more are to come
	var hand []Card
	var labels []string
	stop := ""
	for _, label := range m.Buttons {
		if cards := cardsIn(label); len(cards) == 1 {
			hand, labels = append(hand, cards[0]), append(labels, label)
		} else if strings.HasPrefix(label, "Stop") {
			stop, t.Players = label, len(t.Cards)
		}
	}
	if i := Choose(hand, t); i >= 0 {
		return labels[i]
	}
	return stop
}

// count returns how many messages have one of the texts.
func (r *Reader) count(texts []string) (n int) {
	for _, m := range r.Messages() {
		if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(m.Text, text) }) {
			n++
		}
	}
	return n
}

// Find waits for a message with a text, and returns the newest.
func (r *Reader) Find(text string) (found Message) {
	r.T.Helper()
	r.Until(text, func() bool {
		for _, m := range r.Messages() {
			if strings.Contains(m.Text, text) {
				found = m
			}
		}
		return found.Of != nil
	})
	return found
}

// Tap waits for a message with a button whose label begins with this, and presses it on the newest one.
func (r *Reader) Tap(label string) {
	r.T.Helper()
	var at Message
	var whole string
	r.Until("the button "+label, func() bool {
		for _, m := range r.Messages() {
			for _, b := range m.Buttons {
				if strings.HasPrefix(b, label) {
					at, whole = m, b
				}
			}
		}
		return at.Of != nil
	})
	r.Press(at, whole)
}

// Play plays until there is one message more with one of the texts, and returns that one.
func (r *Reader) Play(ends ...string) (end Message) {
	r.T.Helper()
	for before := r.count(ends); ; {
		var now Message
		label := ""
		r.Until(fmt.Sprintf("a turn, or one of %q", ends), func() bool {
			for _, m := range slices.Backward(r.Messages()) {
				if label = m.Move(); label != "" && fmt.Sprint(m.Text, m.Buttons) != r.moved {
					now = m
					return true
				}
				label = ""
			}
			return r.count(ends) > before
		})
		if label == "" {
			for _, m := range slices.Backward(r.Messages()) {
				if slices.ContainsFunc(ends, func(text string) bool { return strings.Contains(m.Text, text) }) {
					return m
				}
			}
		}
		r.moved = fmt.Sprint(now.Text, now.Buttons)
		r.Press(now, label)
	}
}

// Match plays a match of Ann's to its end.
func (r *Reader) Match() {
	r.T.Helper()
	end := r.Play("the match is over")
	if r.Matches++; strings.HasPrefix(end.Text, "Ann wins") {
		r.Wins++
	}
}

// Solo plays some matches in the private chat, each one by a press on the result of the one before.
func (r *Reader) Solo(matches int) {
	r.T.Helper()
	r.Say("solo", true)
	for r.Match(); r.Matches < matches; r.Match() {
		r.Tap("Rematch")
	}
}

// Whole plays a match from its lobby in the chat with others, two in the private chat, the deal and the puzzle of the day, and a
// lesson.
func (r *Reader) Whole() {
	r.T.Helper()
	r.Say("new", false)
	r.Find("who plays?")
	r.Tap("Start")
	r.Match()
	r.Solo(3)
	r.Say("daily", true)
	if end := r.Play("The AI in the same seat"); !strings.Contains(end.Text, " points") {
		r.T.Errorf("of the deal of the day, only this is said: %q", end.Text)
	}
	r.Say("puzzle", true)
	r.Play("How play can continue")
	r.Say("tutorial", true)
	r.Play("Your first deal is over")
}

// Win lets twenty robots play ten matches each, and fails the test unless they win at least 40 % of them. Each one has a world of
// its own, because a bot may send only so much in a second.
func Win(t *testing.T, reads func(t *testing.T) *Reader) {
	const robots, atOnce, matches = 20, 4, 10
	turns := make(chan struct{}, atOnce) // more would be too slow for Discord's three seconds
	all := make([]*Reader, robots)
	t.Run("matches", func(t *testing.T) {
		for i := range all {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				turns <- struct{}{}
				defer func() { <-turns }()
				all[i] = reads(t)
				all[i].Solo(matches)
				t.Logf("%d matches, %d won", all[i].Matches, all[i].Wins)
			})
		}
	})
	played, won := 0, 0
	for _, r := range all {
		played, won = played+r.Matches, won+r.Wins
	}
	t.Logf("%d matches, %d won", played, won)
	if played < robots*matches || 5*won < 2*played {
		t.Error("the robots win too few matches")
	}
}
