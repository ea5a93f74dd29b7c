// Package bottest lets scripted people talk to the whole bot. It runs the real bot with a store in memory on the playground
// platform, in a synctest bubble. So time passes only when a script waits.
//
// A conversation is a text file (*.talk) with one step per line; [Talk] runs all those in a folder:
//
//	ann: /new 2                  ann types in the channel; with "ann@dm:", in her direct messages
//	ann opens "cs"               ann opens the page, in that language
//	ben presses "Join"           presses that button on the newest message that ben sees with it
//	ben presses "Join" again     presses the same button on the same message as before, however old
//	ben presses "Join" twice     presses it twice at once, like a double click
//	no button ben "Join"         ben sees no such button
//	ben forges "play:x:1:0:7a"   sends made-up data for the newest message in the channel
//	ann plays                    ann plays the first card that she can press
//	all play                     everybody plays until nobody can
//	all play one deal            everybody plays to the end of a deal
//	all but eve play             the same without one of them
//	toast ann "It is"            the last private line that ann got contains these words
//	no toast ann                 ann's last press or command got no private line
//	channel "to lead"            some message in the channel contains these words
//	channel lacks "Ann"          no message in the channel contains them
//	channel holds 2              the channel has that many messages
//	dm ann "Your cards"          a direct message of ann's, or an answer only for her, contains these words
//	dm ann lacks "Your cards"    none of them contains these words
//	words ann                    from now on, no message that only ann sees has a picture
//	answers ann 1                the channel has that many answers only for her
//	close dm ann / open dm ann   the bot can't write to ann in private, or can again
//	asides / no asides           the channel supports messages that only one person sees, or doesn't
//	marks / no marks             the bot may set tags beside names, or may not
//	tag ann "Sedma: no. 1"       the tag beside ann's name contains these words
//	no tag ann                   there is no tag beside it
//	others tag ann "Boss"        someone else sets the tag
//	lose 1                       that many deliveries arrive, but are reported as failed
//	halt                         the process dies without finishing anything
//	deaf                         from now on presses are committed, but nothing is shown
//	start                        starts a new process on the same store
//	wait 2m                      lets time pass
//	records                      every finished deal's record can be replayed to its end
//	accounts                     the boards agree with the records of all matches
//	no accounts                  nothing is stored about any match
//	file ann                     the newest file for ann is the record of a match; replayed, it has the
//	                             match's scores
//	data ann "words"             the newest file for ann is the export of her data and contains these words
//	trace ann / no trace ann     a full backup contains ann's id or name, or neither
//
// Lines that begin with # are comments. After each step, the test waits until nothing more happens.
//
// # The storm
//
// TestStorm runs the whole world in one bubble: one to three processes as cmd/sedmabot wires them, with a store in memory and
// the real adapters, which speak HTTP/1.1 or HTTP/2 to telegramtest and discordtest over cable.Air, and to Discord's gateway
// over its WebSocket. Each process also serves the pages of bot/web. A third of the seeds plays on Telegram, one on Discord, and
// one on both at once, each with its own table. Two to four people press whatever they see, while faults happen. In one seed of
// three, half of them also play on the table's page, which sleeps and wakes (see page in storm_pages_test.go). Mostly they press
// what makes the game go on, so that matches end. In three seeds of four, a match has one deal. A plan says all that is chosen:
// platforms, processes, people, how long matches are, and each fault with its time. It is drawn from the seed.
//
// A run has three lulls: everybody stops, the faults end, and a minute later each message must be what its table says.
// That finds what the program has forgotten, as nobody's next press repairs it. Mostly everybody stops at one of hushes, when
// something has just happened.
//
// Each day has its own seeds. They run for some seconds of CPU; for half a minute where tests that take long run; and for an hour
// with SEDMABOT_TEST_LONG=1, where all states must be reached. SEDMABOT_STORM=7,100 runs a hundred seeds from 7 instead. The race
// detector watches three seeds. There are as many processes of seeds as cores. SEDMABOT_STORM_STOP=1 ends them at the first
// failure. SEDMABOT_STORM_LOG=FOLDER keeps the log of each run there. With SEDMABOT_STORM_SHRINK=1, a failing run is repeated
// without some faults and people as long as it still fails. The smallest plan goes to testdata/storms, and TestSavedStorms
// repeats it.
//
// A run can be repeated: TestAStormIsRepeated. Two things that happen at the same moment have an order that follows from what
// they are, and never from a shared stream of random numbers: storm.takes says how long a request or a call of the store takes,
// by its content and the time. In half of the seeds, one in forty takes up to a second and a half, so that later ones pass it.
// The program's own random numbers come from the plan. A run has one processor to itself and no garbage collection in the middle,
// and no goroutine computes for long, so the scheduler interferes only on a machine that is very busy. Two runs are the same if
// their digests are (SEDMABOT_STORM_DIGEST=1); to find a difference, compare two logs. It is mostly a loop over a map, or a
// select of which two cases are ready.
//
// A fault is one entry of faultKinds: its name, how many happen in five minutes, how long it lasts at most, and a function
// that causes it and returns when the program should have recovered. Faults of a platform are in the cause method of its
// platformWorld. Faults do the most harm together, and at a bad moment. So half of them comes in gusts that hit one
// process, and a third waits for one of moments: storm.moment is called where it comes. There is a gust before each lull, when
// people close what they have opened.
//
// An oracle is a check that calls storm.fail. Some hold all along: no move is taken back, nobody makes more moves than they have
// pressed buttons, a press is answered in five seconds while nothing fails, a card that was accepted is stored, an update that
// comes twice changes nothing again, nobody is told of trouble while the store works, somebody takes a table that was changed and
// a job that is due in half a minute, a rematch waits for nobody who has left, a message that is gone isn't edited again and
// again, no token in a log, no screen that a platform refuses, no card on a page that its reader may not know, a page shows a
// change in a second, and never an older state than before, a stop takes 8 s and leaves no job behind. When the store has nothing
// more to do at a table, somebody will come when its time is over, and its messages are right (storm.looks). Others hold when the
// faults are over (storm.settled), in each lull and after: each message is what its table says and has its buttons, and isn't
// edited again and again, no unknown message has buttons unless its process lost the job in which it was sent, no message came
// twice where the platform drops repeats, no hand was sent to anybody else, a page is open as long as its session goes on, and
// shows the table and the hand that are stored. At last everybody leaves. Then the boards are what the records say, and nothing
// happens any more: no commit and no request in half a minute, and the store has nothing that is due in ten. One run in four goes
// on for 18 days. Then nothing of the tables is stored.
//
// A state is a rare situation that runs must reach: a name in stateNames, and one call of storm.state where it is seen, or an
// entry of logStates if the log tells of it. The test reports the counts, and which states no run has reached.
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
	"sedmabot/store/storetest"
)

// Talk runs every conversation (*.talk) in a folder, each as its own subtest.
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
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, think)
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
					if err := holds(false, "<picture", texts(w.private(w.words))...); err != nil {
						t.Fatalf("%s:%d: %s\n%v\n%s", file, i+1, line, err, w.scene())
					}
				}
			})
		})
	}
}

// world is the state of one conversation.
type world struct {
	t     *testing.T
	think work.Think

	ground  *playground.Playground
	toasts  map[string]string // by person: the last private line
	pressed map[string]press  // by person and label: the last press
	words   string            // who must not get pictures; "": nobody

	memory  *storetest.Memory
	store   store.Store
	bot     *bot.Bot
	shows   bool // the process shows tables
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu    sync.Mutex
	seeds int
}

// newWorld starts a process on an empty store. The caller must end it with halt.
func newWorld(t *testing.T, think work.Think) *world {
	ground, err := playground.New(playground.Config{Commands: bot.Commands(), Check: Fits, Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{
		t: t, think: think, ground: ground, memory: storetest.NewMemory(), cancel: func() {},
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

// pace is the table pace in conversations.
const pace = time.Second

// start starts a new process on the store. If show is false, the process doesn't show any tables.
func (w *world) start(show bool) {
	w.memory = w.memory.Reopen()
	w.store = w.memory
	w.bot = bot.New(bot.Config{
		Store: w.store, Platforms: []chat.Platform{w.ground}, Think: w.think, Worlds: 2, Pace: pace, Seed: w.seed,
		Log: slog.New(slog.DiscardHandler),
	})
	if show {
		w.run()
	}
}

// run lets the process show tables, and do all other work that is due.
func (w *world) run() {
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel, w.shows = func() { cancel(); w.shows = false }, true
	w.running.Go(func() {
		if err := w.bot.Run(ctx); err != nil {
			w.t.Error(err)
		}
	})
}

// pass lets time pass. While nothing is due, the process rests, because it would look for work each second.
func (w *world) pass(d time.Duration) {
	const soon = time.Minute
	for until := time.Now().Add(d); time.Now().Before(until); {
		synctest.Wait()
		rest := time.Until(until)
		if next := w.memory.Next(); !next.IsZero() {
			rest = min(rest, max(time.Second, time.Until(next)))
		}
		shows := w.shows && rest > soon
		if shows {
			w.cancel()
			w.running.Wait()
		}
		time.Sleep(rest) // the time of the synctest bubble
		if shows {
			w.run()
		}
	}
}

// halt ends the process.
func (w *world) halt() {
	w.cancel()
	w.running.Wait()
	w.memory.Close()
	w.bot, w.cancel = nil, func() {}
}

// Handle passes the input to the current process. Without a process, nobody answers.
func (w *world) Handle(ctx context.Context, in chat.Input) chat.Reply {
	if w.bot == nil {
		return chat.Reply{}
	}
	return w.bot.Handle(ctx, in)
}

// Complete suggests nothing; the playground never calls it.
func (w *world) Complete(context.Context, chat.Input) []chat.Suggestion { return nil }

// seed returns a different seed for each call, but the same ones in every run.
func (w *world) seed() table.Seed {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seeds++
	return sha256.Sum256([]byte(strconv.Itoa(w.seeds)))
}

// scene returns everything that people see, for the error of a failed step.
func (w *world) scene() string {
	var b strings.Builder
	for _, m := range w.ground.Channel() {
		fmt.Fprintf(&b, "--- channel\n%s", m.Screen)
	}
	for _, person := range cast {
		for _, m := range w.private(person) {
			fmt.Fprintf(&b, "--- %s\n%s", person, m.Screen)
		}
		if toast := w.toasts[person]; toast != "" {
			fmt.Fprintf(&b, "--- toast %s: %s\n", person, toast)
		}
	}
	return b.String()
}
