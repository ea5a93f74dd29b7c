package discord_test

import (
	"context"
	"flag"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
)

var update = flag.Bool("update", false, "write the golden files anew")

// handler is a bot whose answers are set by the test.
type handler func(ctx context.Context, in chat.Input) chat.Reply

func (h handler) Handle(ctx context.Context, in chat.Input) chat.Reply {
	if in.Presence == chat.Reported { // each session begins with it
		return chat.Reply{}
	}
	return h(ctx, in)
}

func (handler) Complete(_ context.Context, in chat.Input) []chat.Suggestion {
	return []chat.Suggestion{{Name: in.Args[in.Focus] + "?", Value: "sedma-4p"}}
}

// world is a Discord with some people, and an adapter connected to it.
type world struct {
	*discordtest.Server
	adapter    *discord.Adapter
	log        *log
	ann, bob   *discordtest.Person
	guild      *discordtest.Guild
	channel    *discordtest.Channel
	level      string // of all AIs; "": as a beginner
	shutDown   context.CancelFunc
	runResults chan error
}

// easel is shared, because each new one draws all cards again.
var easel = face.NewEasel()

// log keeps the logged lines.
type log struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// newWorld returns a world whose adapter doesn't run yet.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{Server: discordtest.New(t), log: &log{}, runResults: make(chan error, 1)}
	w.ann, w.bob = w.NewPerson("Ann"), w.NewPerson("Bob")
	w.guild = w.NewGuild(w.ann)
	w.channel = w.guild.NewChannel("cards")
	limited, unheld := chat.Sparing(slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))) // as the program does
	a, err := discord.New(discord.Config{Commands: bot.Commands(), Easel: easel, Token: w.Token(), APIBase: w.URL(), Log: limited})
	if err != nil {
		t.Fatal(err)
	}
	w.adapter = a
	t.Cleanup(func() {
		unheld()
		for _, secret := range []string{w.Token(), "interaction-token-"} {
			if strings.Contains(w.log.String(), secret) {
				t.Errorf("the log holds %q:\n%s", secret, w.log)
			}
		}
	})
	return w
}

// run runs the adapter until the test ends.
func (w *world) run(t *testing.T, h handler) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	w.shutDown = cancel
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.runResults <- w.adapter.Run(ctx, h)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
		if t.Failed() {
			t.Log(w.log)
		}
	})
	w.Until("the bot is connected", func() bool { return w.Connected() == 1 })
}

func textScreen(text string) screen.Screen {
	return screen.Screen{Blocks: []screen.Block{{Spans: []screen.Span{{Text: text}}}}}
}

// The bot hears when it is added to a server or removed. An outage is neither.
func TestServersThatComeAndGo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	inputs := make(chan chat.Input, 8)
	w.run(t, func(_ context.Context, in chat.Input) chat.Reply {
		inputs <- in
		return chat.Reply{}
	})
	home := chat.Chat{ID: "discord:" + w.guild.ID, Home: "discord:" + w.guild.ID}
	w.guild.Tell(false, true)
	w.guild.Tell(true, true)
	w.guild.Tell(false, false)
	if got := <-inputs; got.Chat != home || got.Presence != chat.Removed {
		t.Errorf("removed: %+v", got)
	}
	w.guild.Tell(true, false)
	home.Lang = "en-US"
	if got := <-inputs; got.Chat != home || got.Presence != chat.Added || got.Player.ID != "" || got.Once == "" {
		t.Errorf("added: %+v", got)
	}
	w.guild.Tell(true, false)
	if got := <-inputs; got.Presence != chat.Back {
		t.Errorf("there: %+v", got)
	}
}

func TestCommandsArriveWithEverythingThatTheBotReads(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	inputs := make(chan chat.Input, 1)
	w.run(t, func(_ context.Context, in chat.Input) chat.Reply {
		inputs <- in
		return chat.Reply{Toast: "hello"}
	})
	w.ann.Locale, w.guild.Locale = "cs", "de"
	began := time.Now()
	m, ok := w.ann.Slash(w.channel, "new", map[string]any{"players": 4}).Wait()
	if !ok || m.Text != "hello" || !m.Ephemeral {
		t.Errorf("the command was answered %v, %v", m, ok)
	}
	in := <-inputs
	if left := in.Until.Sub(began); left < 10*time.Minute || left > 15*time.Minute {
		t.Errorf("the answer can be edited for %v", left)
	}
	if !strings.HasPrefix(string(in.Answer), "discord:i/") {
		t.Errorf("the answer's address is of another kind")
	}
	in.Until, in.Answer, in.Origin, in.Once = time.Time{}, "", "", ""
	want := chat.Input{
		Player:  chat.Player{ID: "discord:" + w.ann.ID, Name: "Ann", Lang: "cs"},
		Chat:    chat.Chat{ID: "discord:" + w.channel.ID, Home: "discord:" + w.guild.ID, Lang: "de"},
		Admin:   true,
		Command: "new",
		Args:    map[string]string{"players": "4"},
	}
	if diff := cmp.Diff(want, in); diff != "" {
		t.Errorf("(-wanted +has)\n%s", diff)
	}

	w.bob.Slash(w.bob.DM(), "help", nil).Wait()
	in = <-inputs
	if !in.Chat.Private || in.Chat.Home != in.Chat.ID || in.Chat.ID != "discord:"+w.bob.ID || in.Player.ID != "discord:"+w.bob.ID {
		t.Errorf("in private: %+v", in)
	}
	w.bob.Slash(w.channel, "help", nil).Wait()
	if in = <-inputs; in.Admin {
		t.Error("Bob may not manage the channel, and is an administrator")
	}
}

// filed is a screen with a file.
var filed = func() screen.Screen {
	s := textScreen("a file")
	s.File = &screen.File{Name: "a.json", Data: []byte("{}")}
	return s
}()

// A press on a hand is answered even if the hand is deleted before the answer arrives.
func TestAPressOnWhatWasTakenAwayIsAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hand := textScreen("a hand")
	hand.Rows = [][]screen.Button{{{Label: "Play", Press: "play"}}}
	hands := make(chan discordtest.Message, 1)
	w.run(t, func(_ context.Context, in chat.Input) chat.Reply {
		if in.Command != "" {
			return chat.Reply{Screen: &hand}
		}
		(<-hands).Delete()
		return chat.Reply{Screen: new(textScreen("the hand after it")), Replace: true}
	})
	m, _ := w.ann.Slash(w.channel, "hand", nil).Wait()
	hands <- m
	if shown, ok := w.ann.Click(m, "Play").Wait(); ok {
		t.Errorf("it showed %v", shown)
	}
}

func TestRepliesAreShownAsTheyAsk(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.adapter.Patient()
	shown := textScreen("a hand")
	shown.Rows = [][]screen.Button{{{Label: "Play", Press: "play"}}}
	other := textScreen("another hand")
	other.Rows = [][]screen.Button{{{Label: "Again", Press: "again"}}}
	replies := map[string]chat.Reply{
		"/hand":  {Screen: &shown},
		"/board": {Screen: new(textScreen("the board")), Public: true},
		"/table": {},
		"silent": {},
		"toast":  {Toast: "not *your* turn"},
		"cards":  {Screen: &shown},
		"play":   {Screen: &other, Replace: true},
		"again":  {Screen: &filed},
	}
	inputs := make(chan chat.Input, 1)
	w.run(t, func(_ context.Context, in chat.Input) chat.Reply {
		inputs <- in
		if in.Command != "" {
			return replies["/"+in.Command]
		}
		return replies[in.Press]
	})
	address, err := w.adapter.Send(t.Context(), chat.Target{Chat: "discord:" + w.channel.ID}, textScreen("the table"), "1")
	if err != nil {
		t.Fatal(err)
	}
	table := w.bob.Sees(w.channel)[0]

	if m, ok := w.ann.Slash(w.channel, "table", nil).Wait(); !ok || m.Text != "✓" || !m.Ephemeral {
		t.Errorf("an empty reply to a command: %v, %v", m, ok)
	}
	<-inputs
	if m, ok := w.ann.Press(table, "silent").Wait(); ok {
		t.Errorf("an empty reply to a press showed %v", m)
	}
	if in := <-inputs; in.Message != address || in.Press != "silent" || in.OnAnswer {
		t.Errorf("the press arrived as %+v", in)
	}
	if m, _ := w.ann.Press(table, "toast").Wait(); m.Text != `not \*your\* turn` || !m.Ephemeral {
		t.Errorf("a toast: %v", m)
	}
	<-inputs
	hand, _ := w.ann.Press(table, "cards").Wait()
	if hand.Text != "a hand" || !hand.Ephemeral {
		t.Errorf("a private screen: %v", hand)
	}
	called := <-inputs
	if m, _ := w.ann.Click(hand, "Play").Wait(); m.ID != hand.ID || m.Text != "another hand" || !m.Ephemeral {
		t.Errorf("a replaced screen: %v", m)
	}
	in := <-inputs
	if !in.OnAnswer {
		t.Error("a press on an answer that is not known as one")
	}
	if in.Origin == "" || in.Origin != called.Origin || in.Answer == called.Answer {
		t.Errorf("the answer began as %q, and a press on it says %q", called.Origin, in.Origin)
	}
	if err := w.adapter.Edit(t.Context(), in.Answer, textScreen("a later hand")); err != nil {
		t.Fatal(err)
	}
	for _, m := range w.ann.Sees(w.channel) {
		if m.ID == hand.ID && m.Text != "a later hand" {
			t.Errorf("an edited answer: %v", m)
		}
	}
	if m, _ := w.ann.Press(hand, "again").Wait(); m.ID == hand.ID || !m.Ephemeral || !slices.Equal(m.Files, []discordtest.File{{Name: "a.json", Data: "{}"}}) {
		t.Errorf("a file: %v", m)
	}
	<-inputs
	if got := w.bob.Sees(w.channel); len(got) != 1 || got[0].Text != "the table" || got[0].Edits != 0 {
		t.Errorf("Bob sees %v", got)
	}
	if m, _ := w.ann.Slash(w.channel, "board", nil).Wait(); m.Ephemeral {
		t.Errorf("a public screen: %v", m)
	}
	<-inputs
	if got := w.bob.Sees(w.channel); len(got) != 2 || got[1].Text != "the board" {
		t.Errorf("Bob sees %v", got)
	}
}

func TestASlowReplyIsShownLater(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	shown := textScreen("a hand")
	shown.Rows = [][]screen.Button{{{Label: "Play", Press: "play"}}}
	hurry := make(chan struct{})
	w.run(t, func(ctx context.Context, in chat.Input) chat.Reply {
		reply := map[string]chat.Reply{
			"hand":        {Screen: &shown},
			"leaderboard": {Screen: new(textScreen("the board")), Public: true},
			"table":       {},
			"silent":      {},
			"toast":       {Toast: "no"},
			"play":        {Screen: new(textScreen("played")), Replace: true},
			"never":       {},
			"shout":       {Screen: new(textScreen("from a hand")), Public: true},
			"save":        {Screen: &filed},
		}[in.Command+in.Press]
		select {
		case <-hurry:
		case <-ctx.Done():
			t.Error("waited in vain")
		}
		return reply
	})
	if _, err := w.adapter.Send(t.Context(), chat.Target{Chat: "discord:" + w.channel.ID}, textScreen("the table"), "1"); err != nil {
		t.Fatal(err)
	}
	table := w.bob.Sees(w.channel)[0]
	callbacks := func(kind string) int {
		n := 0
		for _, c := range w.Calls() {
			if strings.HasSuffix(c.Path, "/callback") && strings.Contains(string(c.Body), kind) {
				n++
			}
		}
		return n
	}
	hand := w.ann.Slash(w.channel, "hand", nil)
	board := w.ann.Slash(w.channel, "leaderboard", nil)
	empty := w.ann.Slash(w.channel, "table", nil)
	silent := w.ann.Press(table, "silent")
	toast := w.ann.Press(table, "toast")
	w.Until("all five were told to wait", func() bool { return callbacks(`"type":5`) == 5 })
	close(hurry)
	m, ok := hand.Wait()
	if !ok || m.Text != "a hand" || !m.Ephemeral || m.Loading {
		t.Errorf("a hand: %v", m)
	}
	w.Until("everybody sees the board", func() bool { s := w.bob.Sees(w.channel); return len(s) == 2 && s[1].Text == "the board" })
	if got, ok := board.Wait(); ok {
		t.Errorf("the board left %v behind", got)
	}
	if got, ok := empty.Wait(); !ok || got.Text != "✓" {
		t.Errorf("an empty reply to a command: %v, %v", got, ok)
	}
	if got, ok := silent.Wait(); ok {
		t.Errorf("an empty reply to a press left %v behind", got)
	}
	if got, ok := toast.Wait(); !ok || got.Text != "no" || !got.Ephemeral {
		t.Errorf("a toast: %v", got)
	}

	hurry = make(chan struct{})
	play, shout := w.ann.Click(m, "Play"), w.ann.Press(m, "shout")
	w.Until("both were told to wait", func() bool { return callbacks(`"type":6`) == 2 })
	close(hurry)
	play.Wait()
	w.Until("the hand was played", func() bool {
		for _, s := range w.ann.Sees(w.channel) {
			if s.ID == m.ID {
				return s.Text == "played"
			}
		}
		return false
	})
	shout.Wait()
	w.ann.Press(m, "save").Wait()
	w.Until("a late file comes beside the hand", func() bool {
		return slices.ContainsFunc(w.ann.Sees(w.channel), func(s discordtest.Message) bool {
			return s.ID != m.ID && s.Ephemeral && len(s.Files) == 1
		})
	})
	w.Until("everybody hears", func() bool { s := w.bob.Sees(w.channel); return s[len(s)-1].Text == "from a hand" })
}

// An answer may be edited as soon as the bot knows its address, even before the answer
// has arrived.
func TestAnEditWaitsForTheAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	edited := make(chan error, 1)
	w.run(t, func(_ context.Context, in chat.Input) chat.Reply {
		go func() { edited <- w.adapter.Edit(context.Background(), in.Answer, textScreen("second")) }()
		return chat.Reply{Screen: new(textScreen("first"))}
	})
	i := w.ann.Slash(w.channel, "hand", nil)
	if err := <-edited; err != nil {
		t.Fatal(err)
	}
	if m, _ := i.Wait(); m.Text != "second" || !m.Ephemeral {
		t.Errorf("it shows %v", m)
	}
}

func TestAPanicIsAnApology(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t, func(context.Context, chat.Input) chat.Reply { panic("seven of hearts") })
	w.ann.Locale = "cs"
	if m, ok := w.ann.Slash(w.channel, "hand", nil).Wait(); !ok || m.Text != "Promiň, něco se mi pokazilo. Zkus to, prosím, za chvíli znovu." || !m.Ephemeral {
		t.Errorf("it was answered %v, %v", m, ok)
	}
	if !strings.Contains(w.log.String(), "panicked") || strings.Contains(w.log.String(), "seven of hearts") {
		t.Errorf("the log says:\n%s", w.log)
	}
}

func TestAScreenThatDiscordRefusesIsAnApology(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.adapter.Patient()
	w.run(t, func(context.Context, chat.Input) chat.Reply { return chat.Reply{Screen: new(textScreen("hm"))} })
	w.Fail(discordtest.Fault{Path: "/interactions/", Times: 1, Status: 400, Code: 50035})
	if m, ok := w.ann.Slash(w.channel, "hand", nil).Wait(); !ok || m.Text != "Sorry, something went wrong on my side. Please try again in a moment." {
		t.Errorf("it was answered %v, %v", m, ok)
	}
}

// The first answer is sent again until Discord itself has accepted or refused it.
func TestTheFirstAnswerIsTriedAgain(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]discordtest.Fault{
		"an error":      {Status: 502},
		"a page, 403":   {Status: 403, Page: true},
		"a page, 404":   {Status: 404, Page: true},
		"a lost answer": {Cut: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.adapter.Patient()
			w.run(t, func(context.Context, chat.Input) chat.Reply { return chat.Reply{Toast: "here"} })
			f.Path, f.Times = "/interactions/", 2
			w.Fail(f)
			if m, ok := w.ann.Slash(w.channel, "hand", nil).Wait(); !ok || m.Text != "here" {
				t.Errorf("it was answered %v, %v", m, ok)
			}
		})
	}
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	for _, c := range []discord.Config{
		{},
		{Token: "x", APIBase: "discord.com"},
		{Token: "x", APIBase: "ftp://discord.com"},
		{Token: "x", APIBase: "http://\x7f"},
	} {
		if _, err := discord.New(c); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
}

func TestALateScreenThatDiscordRefusesIsAnApology(t *testing.T) {
	clocktest.Waits(t)
	t.Parallel()
	w := newWorld(t)
	release := make(chan struct{})
	w.run(t, func(context.Context, chat.Input) chat.Reply {
		<-release
		return chat.Reply{Screen: new(textScreen("hm"))}
	})
	w.Fail(discordtest.Fault{Path: "/webhooks/", Times: 1, Status: 400, Code: 50035})
	i := w.ann.Slash(w.channel, "hand", nil)
	w.Until("she was told to wait", func() bool { s := w.ann.Sees(w.channel); return len(s) == 1 && s[0].Loading })
	close(release)
	if m, ok := i.Wait(); !ok || !strings.HasPrefix(m.Text, "Sorry") || !m.Ephemeral {
		t.Errorf("it was answered %v, %v", m, ok)
	}
}
