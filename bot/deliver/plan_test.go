package deliver

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
)

func TestPlan(t *testing.T) {
	t.Parallel()
	shown := func(s string) screen.Screen {
		return screen.Screen{Blocks: []screen.Block{{Spans: []screen.Span{{Text: s}}}}}
	}
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	old := func(p *ShownPost) bool { return !p.Sent.IsZero() && p.Sent.Before(noon) }
	hash := func(s string) string { return screenHash(shown(s)) }
	post := func(key, text string) screen.Post { return screen.Post{Key: key, Chat: "c", Screen: shown(text)} }
	for name, c := range map[string]struct {
		post  screen.Post
		shown *ShownPost
		want  string // kinds of steps; messages sent before noon are too old to edit
	}{
		"new":                       {post("deal:1", "a"), nil, "send"},
		"new, but only if it stood": {screen.Post{Key: "deal:1", Chat: "c", OldOnly: true}, nil, ""},
		"unchanged":                 {post("deal:1", "a"), &ShownPost{Address: "x", Hash: hash("a")}, ""},
		"changed":                   {post("deal:1", "b"), &ShownPost{Address: "x", Hash: hash("a")}, "edit"},
		"changed, sent long ago":    {post("deal:1", "b"), &ShownPost{Address: "x", Hash: hash("a"), Sent: noon.Add(-1)}, "send"},
		"changed, sent lately":      {post("deal:1", "b"), &ShownPost{Address: "x", Hash: hash("a"), Sent: noon}, "edit"},
		"unchanged, sent long ago":  {post("deal:1", "a"), &ShownPost{Address: "x", Hash: hash("a"), Sent: noon.Add(-1)}, ""},
		"over, sent long ago":       {screen.Post{Key: "deal:1", Chat: "c", OldOnly: true}, &ShownPost{Address: "x", Hash: hash("a"), Sent: noon.Add(-1)}, "mend"},
		"unknown":                   {post("deal:1", "a"), &ShownPost{Address: "x"}, "edit"},
		"deleted by somebody":       {post("deal:1", "a"), &ShownPost{Lost: 1}, "send"},
		"refused":                   {post("deal:1", "a"), &ShownPost{Hash: hash("a")}, ""},
		"refused, then changed":     {post("deal:1", "b"), &ShownPost{Hash: hash("a")}, "send"},
		"to the bottom":             {screen.Post{Key: "deal:1", Chat: "c", Seq: 2}, &ShownPost{Address: "x", Seq: 1}, "send"},
		"over and not wanted":       {post("deal:2", "a"), &ShownPost{Address: "x", Hash: hash("a")}, "send"},
		"over, with a failed edit":  {post("deal:2", "a"), &ShownPost{Address: "x"}, "send mend"},
		"passing and not wanted":    {post("deal:2", "a"), &ShownPost{Address: "x", Passing: true}, "send remove"},
		"passing, never stood":      {post("deal:2", "a"), &ShownPost{Passing: true}, "send"},
	} {
		shown := &Shown{Posts: map[string]*ShownPost{}}
		if c.shown != nil {
			shown.Posts["c deal:1"] = c.shown
		}
		var kinds []string
		for _, s := range Plan([]Post{{Post: c.post}}, shown, "", old)["c"] {
			kinds = append(kinds, map[stepKind]string{send: "send", edit: "edit", mend: "mend", remove: "remove"}[s.kind])
		}
		if got := strings.Join(kinds, " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A chat may refuse the last edit of a lobby until the lobby isn't wanted any more. It keeps one line then, and no buttons.
func TestALobbyLosesItsButtonsInTheEnd(t *testing.T) {
	t.Parallel()
	was := &ShownPost{Address: "x", Hash: "with buttons"}
	shown := &Shown{Posts: map[string]*ShownPost{"c lobby:1": was}}
	never := func(*ShownPost) bool { return false }
	for _, posts := range [][]Post{{{Post: screen.Post{Key: "lobby:1", Chat: "c", OldOnly: true}}}, {}} {
		if steps := Plan(posts, shown, "", never)["c"]; len(steps) != 1 || steps[0].kind != mend || steps[0].at != "x" {
			t.Errorf("%+v: %+v", posts, steps)
		}
	}
}

func TestADealIsSeenToEndBeforeTheNextIsSeen(t *testing.T) {
	t.Parallel()
	steps := []step{
		{kind: send, key: "c deal:3"},
		{kind: mend, key: "c deal:1"},
		{kind: mend, key: "c deal:2", post: screen.Post{First: true}},
		{kind: edit, key: "c lobby:1"},
		{kind: mend, key: "c result:1"},
	}
	order(steps, &Shown{}, &ShownPlace{})
	var got []string
	for _, s := range steps {
		got = append(got, s.key)
	}
	if diff := cmp.Diff([]string{"c deal:2", "c deal:3", "c result:1", "c lobby:1", "c deal:1"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestMessagesOfALimitedPlaceTakeTurns(t *testing.T) {
	t.Parallel()
	shown := &Shown{Posts: map[string]*ShownPost{"c a": {}, "c b": {}, "c old": {}}}
	at := &ShownPlace{}
	got := map[string]int{}
	for range 12 { // a and b change all the time; old must be deleted
		steps := []step{{kind: edit, key: "c a"}, {kind: edit, key: "c b"}, {kind: remove, key: "c old"}}
		order(steps, shown, at)
		at.Count++
		got[steps[0].key]++
		shown.Posts[steps[0].key].Count = at.Count
	}
	if diff := cmp.Diff(map[string]int{"c a": 5, "c b": 4, "c old": 3}, got); diff != "" {
		t.Error(diff)
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err   error
		fault chat.Fault
		after time.Duration
	}{
		{errors.New("what no adapter sorted"), chat.Retry, 0},
		{&chat.DeliveryError{Fault: chat.Gone}, chat.Gone, 0},
		{fmt.Errorf("send: %w", &chat.DeliveryError{Fault: chat.Retry, After: time.Minute}), chat.Retry, time.Minute},
	} {
		if fault, after := FaultOf(c.err); fault != c.fault || after != c.after {
			t.Errorf("%v: %v after %v", c.err, fault, after)
		}
	}
	last := time.Duration(0)
	for fails := range 1000 {
		wait := BackOff(fails)
		if wait < last || wait <= 0 || wait > 30*time.Second {
			t.Fatalf("%v after %d failures", wait, fails)
		}
		last = wait
	}
}

func TestNoncesNameMessages(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, p := range []ShownPost{{}, {Seq: 1}, {Lost: 1}, {Seq: 1, Lost: 1}, {Seq: 11}} {
		for _, where := range []string{"1abc", "1abd"} {
			for _, key := range []string{"c deal:1", "c deal:11", "d deal:1"} {
				what := fmt.Sprint(where, key, p)
				name := Nonce(where, key, p)
				if other := seen[name]; other != "" || len(name) != 24 {
					t.Errorf("%s: %s and %s", name, what, other)
				}
				seen[name] = what
				p.Hash, p.Address, p.Count = "h", "a", 7
				if again := Nonce(where, key, p); again != name {
					t.Errorf("%s: another nonce when it is sent again", what)
				}
			}
		}
	}
}

// A platform takes two messages with the same nonce for one. So a message that takes the place of another has a nonce that none
// had before, whatever Seq its post has. If the answer to a message is lost, it has the same nonce until it has come.
func TestEachMessageHasItsNonce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seen := map[string]bool{}
		var was *ShownPost
		trying := "" // a nonce
		for i := range 20 {
			kind := rapid.SampledFrom([]stepKind{send, edit}).Draw(t, "kind")
			if was == nil || trying != "" {
				kind = send
			}
			did := delivery{step: step{kind: kind, key: "c lobby:1", post: screen.Post{Seq: rapid.IntRange(0, 2).Draw(t, "seq")}}, of: Messages{ID: "k3"}, old: was}
			did.prepare(&Shown{})
			if kind == send && (trying == "" && seen[did.nonce] || trying != "" && trying != did.nonce) {
				t.Fatalf("message %d has the nonce %s: %+v after %+v", i, did.nonce, did.entry, was)
			}
			seen[did.nonce] = true
			if kind == send && rapid.Bool().Draw(t, "lost") {
				was, trying = did.tried(), did.nonce
				continue
			}
			was, trying = did.entry, ""
			was.Address = chat.Address(fmt.Sprint("c:", i))
		}
	})
}

// A place that was closed by a clock that was ahead opens when its person does something, although that is earlier.
func TestAPlaceThatAWrongClockClosedOpens(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 1, 0, 0, 0, time.UTC)
	for ahead, opens := range map[time.Duration]bool{10 * time.Minute: true, -time.Minute: true, 0: false} {
		s := Shown{Places: map[string]*ShownPlace{"test:ann": {Closed: now.Add(ahead)}}}
		s.Places["test:ann"].believe(now)
		new(Deliverer).reopen(&s, doc.Notes{Reached: map[string]time.Time{"test:ann": now.Add(-time.Millisecond)}}, now)
		if open := !s.Closed("test:ann"); open != opens {
			t.Errorf("closed at a time %v from now: open is %v", ahead, open)
		}
	}
}
