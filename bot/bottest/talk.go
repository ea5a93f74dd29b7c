// Package bottest lets scripted people talk to the whole bot: the real shell
// and the real embedded store on the playground platform, with time that stands
// still until the script says otherwise.
//
// A conversation is a text file, one step a line:
//
//	ann: /new 2                  ann types in the channel; "ann@dm:" in her direct messages
//	ben presses "Join"           the newest message that ben sees with such a button
//	ben presses "Join" again     the same button on the same message as before, however old
//	ben presses "Join" twice     two presses at once, as a double click sends them
//	no button ben "Join"         ben sees no such button
//	ben forges "play:x:1:0:7a"   made-up data on the newest message in the channel
//	ann plays                    her first card that can be pressed
//	all play                     everybody plays until nobody can
//	all play one deal            the same, to the end of a deal
//	all but eve play             the same without one of them
//	toast ann "It is"            the last private line that ann got has these words
//	no toast ann                 the last press or command of ann's got no line
//	channel "to lead"            some message in the channel has these words
//	channel lacks "Ann"          no message there has them
//	channel holds 2              that many messages stand in the channel
//	dm ann "Your cards"          some direct message of ann's, or answer to her alone, has these words
//	dm ann lacks "Your cards"
//	answers ann 1                that many answers to her alone stand in the channel
//	close dm ann / open dm ann   ann cannot, or can again, be written to in private
//	asides / no asides           the channel takes, or takes no longer, messages that one person alone sees
//	lose 1                       the next deliveries arrive, but are reported as failed
//	halt                         the process dies: nothing in hand is finished
//	deaf                         from now on presses are committed and nothing is shown
//	start                        a new process on the same store
//	wait 2m                      time passes
//	records                      every finished deal's record replays to its end
//	accounts                     the boards are what the records of all matches make them
//	no accounts                  nothing is kept of any match
//	file ann                     the newest file of ann's is the record of a match, which replays to the
//	                             scores that the match had
//	data ann "words"             the newest file of ann's is what is kept of her, and has these words
//	trace ann / no trace ann     a full backup has something of ann's id or name, or nothing
//
// Lines that begin with # are remarks. After each step everything settles.
package bottest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/playground"
	"sedmabot/bot/work"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// Talk runs every conversation of a folder (*.talk), each as a test of its own.
func Talk(t *testing.T, folder string, think work.Think) {
	files, err := filepath.Glob(filepath.Join(folder, "*.talk"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations in %s: %v", folder, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".talk"), func(t *testing.T) {
			t.Parallel()
			script, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "talk.db")
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, path, think)
				defer w.halt()
				for i, line := range strings.Split(string(script), "\n") {
					line = strings.TrimSpace(line)
					if line == "" || line[0] == '#' {
						continue
					}
					if err := w.step(line); err != nil {
						t.Fatalf("%s:%d: %s\n%v\n%s", file, i+1, line, err, w.scene())
					}
					synctest.Wait()
				}
			})
		})
	}
}

// world is one conversation as it stands.
type world struct {
	t     *testing.T
	path  string
	think work.Think

	ground  *playground.Playground
	toasts  map[string]string // by person: the last private line
	pressed map[string]press  // by person: the last press

	store   store.Store
	bot     *bot.Bot
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu    sync.Mutex
	seeds int
}

// newWorld starts a process on an empty store at path; the caller ends it with halt.
func newWorld(t *testing.T, path string, think work.Think) *world {
	ground, err := playground.New(playground.Config{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{
		t: t, path: path, think: think, ground: ground, cancel: func() {},
		toasts: map[string]string{}, pressed: map[string]press{},
	}
	go func() { _ = ground.Run(t.Context(), w) }()
	w.start(true)
	synctest.Wait()
	return w
}

type press struct {
	message playground.Message
	label   string
}

// pace is the pause of an AI's move in conversations.
const pace = time.Second

// start is a new process on the store; show tells whether it also shows tables.
func (w *world) start(show bool) {
	s, err := boltstore.Open(w.path)
	if err != nil {
		w.t.Fatal(err)
	}
	w.store = s
	w.bot = bot.New(bot.Config{
		Store: s, Platforms: []chat.Platform{w.ground}, Think: w.think, Worlds: 20, Pace: pace, Seed: w.seed,
		Log: slog.New(slog.DiscardHandler),
	})
	if !show {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	w.running.Go(func() {
		if err := w.bot.Run(ctx); err != nil {
			w.t.Error(err)
		}
	})
}

// halt ends the process.
func (w *world) halt() {
	if w.store == nil {
		return
	}
	w.cancel()
	w.running.Wait()
	if err := w.store.Close(); err != nil {
		w.t.Error(err)
	}
	w.store, w.bot, w.cancel = nil, nil, func() {}
}

// Handle is the process that is there now; without one nobody answers.
func (w *world) Handle(ctx context.Context, in chat.Input) chat.Reply {
	if w.bot == nil {
		return chat.Reply{}
	}
	return w.bot.Handle(ctx, in)
}

// Complete suggests nothing: the playground does not ask.
func (w *world) Complete(context.Context, chat.Input) []chat.Suggestion { return nil }

// seed makes conversations repeatable: every call has a seed of its own, the same each time.
func (w *world) seed() table.Seed {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seeds++
	return sha256.Sum256([]byte(strconv.Itoa(w.seeds)))
}

// scene is all that stands, for a failed step.
func (w *world) scene() string {
	var b strings.Builder
	for _, m := range w.ground.Channel() {
		fmt.Fprintf(&b, "--- channel\n%s", m.Screen)
	}
	for _, person := range people {
		for _, m := range w.private(person) {
			fmt.Fprintf(&b, "--- %s\n%s", person, m.Screen)
		}
		if toast := w.toasts[person]; toast != "" {
			fmt.Fprintf(&b, "--- toast %s: %s\n", person, toast)
		}
	}
	return b.String()
}
