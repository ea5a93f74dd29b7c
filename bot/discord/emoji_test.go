package discord_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/game"
)

// cardScreen shows two cards in text and two on buttons.
func cardScreen(t *testing.T, f face.Face) screen.Screen {
	t.Helper()
	card := func(s string) game.Card {
		c, err := game.ParseCard(s)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	button := func(s, press string) screen.Button {
		return screen.Button{Label: face.Text(f, card(s)), Card: card(s), Press: press}
	}
	return screen.Screen{
		Face: f,
		Blocks: []screen.Block{{Spans: []screen.Span{
			{Text: "here: "}, {Kind: screen.SpanCard, Card: card("7h")}, {Text: " "}, {Kind: screen.SpanCard, Card: card("Oa"), Strong: true},
		}}},
		Rows: [][]screen.Button{{button("7h", "a"), button("Tl", "b"), {Label: "Stop", Press: "c"}}},
	}
}

func (w *world) emojiNames() []string {
	var names []string
	for _, e := range w.Emojis() {
		names = append(names, e.Name)
	}
	return names
}

// findEmojis returns once the adapter shows cards as emojis. Run finds them too, at some time.
func (w *world) findEmojis(t *testing.T) {
	t.Helper()
	if err := w.adapter.FindEmojis(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestEmojisAreUploadedOnce checks that each card is uploaded once in each face, despite
// Discord's limits. Emojis that are already there stay.
func TestEmojisAreUploadedOnce(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("drawing all cards takes long under the race detector")
	}
	w := newWorld(t)
	w.AddEmoji("party")
	w.AddEmoji("7_hearts_g00ffe") // an older drawing
	w.Fail(discordtest.Fault{Method: http.MethodPost, Path: "/applications/", Times: 7, Status: 429, After: 0.001})
	w.Fail(discordtest.Fault{Method: http.MethodPost, Path: "/applications/", Times: 2, Status: 503})
	var reports [][2]int
	sync := func() {
		reports = nil
		if err := w.adapter.SyncEmojis(t.Context(), func(done, missing int) { reports = append(reports, [2]int{done, missing}) }); err != nil {
			t.Fatal(err)
		}
	}
	sync()
	const cards = 2*52 + 8 + 12 + 8 + 8 // two faces, and the cards with other letters in four more
	if n := len(reports); n != cards+1 || reports[n-1] != [2]int{cards, cards} {
		t.Errorf("told %d times, at last %v", n, reports[n-1])
	}
	if names := w.emojiNames(); len(names) != cards+2 || !slices.Contains(names, "party") || !slices.Contains(names, "7_hearts_g00ffe") {
		t.Errorf("%d emojis: %v", len(names), names)
	}
	sync()
	if len(reports) != 1 || reports[0] != [2]int{0, 0} {
		t.Errorf("the second time: %v", reports)
	}
	if have, want, err := w.adapter.Emojis(t.Context()); err != nil || have != cards || want != cards {
		t.Errorf("%d of %d cards have one: %v", have, want, err)
	}
	for _, c := range w.Calls() {
		if c.Method == http.MethodDelete {
			t.Errorf("something was deleted: %s", c.Path)
		}
	}
}

// Questions about the emojis wait while Discord's limit of all requests is used up.
func TestEmojisAreCountedBesideOtherRequests(t *testing.T) {
	clocktest.Waits(t)
	t.Parallel()
	w := newWorld(t)
	for range 30 {
		if _, _, err := w.adapter.Emojis(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFullApplicationTakesNoEmojis(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("drawing all cards takes long under the race detector")
	}
	w := newWorld(t)
	w.Fail(discordtest.Fault{Method: http.MethodPost, Path: "/applications/", Times: 1, Status: 400, Code: 30008})
	if err := w.adapter.SyncEmojis(t.Context(), func(int, int) {}); err == nil || !strings.Contains(err.Error(), "30008") {
		t.Errorf("a full application: %v", err)
	}
}

// TestCardsAreEmojisWhereThereAreAny checks that cards without emojis are text. If somebody
// deletes the emojis, cards become text again, and every hand still arrives.
func TestCardsAreEmojisWhereThereAreAny(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.AddEmoji("7_hearts_g00000")
	seven := w.AddEmoji("7_hearts_g123ab")
	ober := w.AddEmoji("Q_acorns_g123ab")
	w.AddEmoji("7_hearts_g12") // not one of the bot's emojis
	w.AddEmoji("8_apples_g123ab")
	screen := cardScreen(t, face.German)
	w.run(t, func(context.Context, chat.Input) chat.Reply { return chat.Reply{Screen: &screen} })
	w.findEmojis(t)
	text, plain := "here: "+seven.String()+" "+ober.String()+" **O🌰**", `here: 7❤️ **O🌰**`
	see := func(what string, m discordtest.Message, text string, labels ...string) {
		t.Helper()
		var has []string
		for _, b := range m.Buttons {
			has = append(has, b.Label)
		}
		if m.Text != text || !slices.Equal(has, labels) {
			t.Errorf("%s: %q %q, wanted %q %q", what, m.Text, has, text, labels)
		}
	}
	to := chat.Target{Chat: "discord:" + w.channel.ID}
	at, err := w.adapter.Send(t.Context(), to, screen, "1")
	if err != nil {
		t.Fatal(err)
	}
	latest := func() discordtest.Message { all := w.ann.Sees(w.channel); return all[len(all)-1] }
	see("a message", latest(), text, seven.String(), "10🍃", "Stop")
	hand, _ := w.ann.Slash(w.channel, "hand", nil).Wait()
	see("a hand", hand, text, seven.String(), "10🍃", "Stop")
	if _, err := w.adapter.Send(t.Context(), to, cardScreen(t, face.Plain), "2"); err != nil {
		t.Fatal(err)
	}
	see("plain cards", latest(), "here: 7h **Qc**", "7h", "10s", "Stop")

	w.RemoveEmojis()
	if err := w.adapter.Edit(t.Context(), at, screen); err != nil {
		t.Fatal(err)
	}
	see("an edited message", w.ann.Sees(w.channel)[0], plain, "7❤️", "10🍃", "Stop")
	if _, err := w.adapter.Send(t.Context(), to, screen, "3"); err != nil {
		t.Fatal(err)
	}
	see("the next message", latest(), plain, "7❤️", "10🍃", "Stop")
	if !strings.Contains(w.log.String(), "sync-emojis") {
		t.Error("nobody is told what to do")
	}
}

// If Discord refuses an answer because of an emoji, it is sent again without emojis.
func TestAnswersDoWithoutEmojis(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	for _, late := range []bool{false, true} {
		w := newWorld(t)
		w.AddEmoji("7_hearts_g123ab")
		screen := cardScreen(t, face.German)
		release := make(chan struct{})
		w.run(t, func(context.Context, chat.Input) chat.Reply {
			if late {
				<-release
			}
			return chat.Reply{Screen: &screen}
		})
		w.findEmojis(t)
		w.RemoveEmojis()
		i := w.ann.Slash(w.channel, "hand", nil)
		if late {
			w.Until("she was told to wait", func() bool { s := w.ann.Sees(w.channel); return len(s) == 1 && s[0].Loading })
		}
		close(release)
		if m, ok := i.Wait(); !ok || !strings.HasPrefix(m.Text, "here: 7❤️") || !m.Ephemeral {
			t.Errorf("late %v: %v", late, m)
		}
	}
}

// Emojis are longer than text. If they leave no room, cards are text.
func TestEmojisPushNothingOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.AddEmoji("7_hearts_g123ab")
	w.AddEmoji("Q_acorns_g123ab")
	w.run(t, nil)
	w.findEmojis(t)
	shown := cardScreen(t, face.German)
	for range 6 {
		shown.Blocks[0].Spans = append(shown.Blocks[0].Spans, shown.Blocks[0].Spans...)
	}
	shown.Blocks[0].Spans = append(shown.Blocks[0].Spans, shown.Blocks[0].Spans[:128]...)
	shown.Blocks = append(shown.Blocks, screen.Block{Spans: []screen.Span{{Text: "the end"}}})
	if _, err := w.adapter.Send(t.Context(), chat.Target{Chat: "discord:" + w.channel.ID}, shown, "1"); err != nil {
		t.Fatal(err)
	}
	m := w.ann.Sees(w.channel)[0]
	if strings.Contains(m.Text, "<:") || !strings.HasSuffix(m.Text, "the end") {
		t.Errorf("it ends %q", m.Text[len(m.Text)-100:])
	}
	if !strings.HasPrefix(m.Buttons[0].Label, "<:") {
		t.Errorf("on buttons there is room: %v", m.Buttons)
	}
}
