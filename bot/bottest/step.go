package bottest

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/playground"
	"sedmabot/bot/screen"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/game/record"
	"sedmabot/store"
)

// people are the names that a conversation can use.
var cast = []string{"ann", "ben", "cat", "dan", "eve", "fin"}

func id(person string) string { return "playground:" + person }

// steps are the forms of a step, each with a function that performs it.
var steps = []struct {
	form *regexp.Regexp
	do   func(w *world, parts []string) error
}{
	{form(`(PERSON): (/.*)`), func(w *world, p []string) error { return w.command(p[0], playground.Channel, p[1]) }},
	{form(`(PERSON)@dm: (/.*)`), func(w *world, p []string) error { return w.command(p[0], id(p[0]), p[1]) }},
	{form(`(PERSON) opens TEXT`), func(w *world, p []string) error { return w.ground.Hello(w.t.Context(), id(p[0]), p[1]) }},
	{form(`(PERSON) presses TEXT( again| twice)?`), func(w *world, p []string) error { return w.press(p[0], p[1], strings.TrimSpace(p[2])) }},
	{form(`no button (PERSON) TEXT`), func(w *world, p []string) error {
		if _, ok := w.ground.Offering(id(p[0]), p[1]); ok {
			return errors.New("there is such a button")
		}
		return nil
	}},
	{form(`(PERSON) forges TEXT`), func(w *world, p []string) error { return w.forge(p[0], p[1]) }},
	{form(`(PERSON) plays`), func(w *world, p []string) error { return w.play(p[0]) }},
	{form(`all( but (PERSON))? play( one deal)?`), func(w *world, p []string) error { return w.playOn(p[1], p[2] != "") }},
	{form(`toast (PERSON) TEXT`), func(w *world, p []string) error { return holds(true, p[1], w.toasts[p[0]]) }},
	{form(`no toast (PERSON)`), func(w *world, p []string) error {
		if got := w.toasts[p[0]]; got != "" {
			return fmt.Errorf("the private line was %q", got)
		}
		return nil
	}},
	{form(`channel (lacks )?TEXT`), func(w *world, p []string) error { return holds(p[0] == "", p[1], texts(w.ground.Channel())...) }},
	{form(`channel holds (\d+)`), func(w *world, p []string) error {
		if n := len(w.ground.Channel()); strconv.Itoa(n) != p[0] {
			return fmt.Errorf("the channel holds %d messages", n)
		}
		return nil
	}},
	{form(`dm (PERSON) (lacks )?TEXT`), func(w *world, p []string) error { return holds(p[1] == "", p[2], texts(w.private(p[0]))...) }},
	{form(`words (PERSON)`), func(w *world, p []string) error { w.words = p[0]; return nil }},
	{form(`answers (PERSON) (\d+)`), func(w *world, p []string) error {
		if n := len(w.ground.Answers(id(p[0]))); strconv.Itoa(n) != p[1] {
			return fmt.Errorf("%d answers in the channel stand for %s alone", n, p[0])
		}
		return nil
	}},
	{form(`(close|open) dm (PERSON)`), func(w *world, p []string) error { w.ground.CloseDM(id(p[1]), p[0] == "close"); return nil }},
	{form(`(no )?marks`), func(w *world, p []string) error { w.ground.Marks(p[0] == ""); return nil }},
	{form(`tag (PERSON) TEXT`), func(w *world, p []string) error { return holds(true, p[1], w.ground.Tag(id(p[0]))) }},
	{form(`no tag (PERSON)`), func(w *world, p []string) error {
		if tag := w.ground.Tag(id(p[0])); tag != "" {
			return fmt.Errorf("the tag is %q", tag)
		}
		return nil
	}},
	{form(`others tag (PERSON) TEXT`), func(w *world, p []string) error { w.ground.SetTag(id(p[0]), p[1]); return nil }},
	{form(`(no )?asides`), func(w *world, p []string) error { w.ground.Asides(p[0] == ""); return nil }},
	{form(`lose (\d+)`), func(w *world, p []string) error {
		n, err := strconv.Atoi(p[0])
		w.ground.Lose(n)
		return err
	}},
	{form(`file (PERSON)`), func(w *world, p []string) error { return w.file(p[0]) }},
	{form(`data (PERSON) TEXT`), func(w *world, p []string) error { return w.data(p[0], p[1]) }},
	{form(`(no )?trace (PERSON)`), func(w *world, p []string) error { return w.trace(p[1], p[0] == "") }},
	{form(`halt`), func(w *world, _ []string) error { w.halt(); return nil }},
	{form(`deaf`), func(w *world, _ []string) error { w.halt(); w.start(false); return nil }},
	{form(`start`), func(w *world, _ []string) error { w.halt(); w.start(true); return nil }},
	{form(`wait (\S+)`), func(w *world, p []string) error {
		d, err := time.ParseDuration(p[0])
		w.pass(d)
		return err
	}},
	{form(`records`), func(w *world, _ []string) error { return w.records() }},
	{form(`accounts`), func(w *world, _ []string) error { return w.accounts() }},
	{form(`no accounts`), func(w *world, _ []string) error { return w.nothingKept() }},
}

// form returns the pattern for a step. PERSON stands for a name, TEXT for a quoted text.
func form(pattern string) *regexp.Regexp {
	pattern = strings.ReplaceAll(pattern, "PERSON", strings.Join(cast, "|"))
	return regexp.MustCompile("^" + strings.ReplaceAll(pattern, "TEXT", `"(.*)"`) + "$")
}

func (w *world) step(line string) error {
	for _, s := range steps {
		if parts := s.form.FindStringSubmatch(line); parts != nil {
			return s.do(w, parts[1:])
		}
	}
	return errors.New("no such step")
}

// holds checks that one of the texts contains the words, or if should is false, that none does.
func holds(should bool, words string, texts ...string) error {
	if slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, words) }) == should {
		return nil
	}
	if should {
		return fmt.Errorf("nothing there has %q", words)
	}
	return fmt.Errorf("there is %q", words)
}

func texts(messages []playground.Message) []string {
	var all []string
	for _, m := range messages {
		all = append(all, m.Screen.String())
	}
	return all
}

// private returns the messages that only this person sees.
func (w *world) private(person string) []playground.Message {
	return append(w.ground.Direct(id(person)), w.ground.Answers(id(person))...)
}

func (w *world) noteReply(person string, r chat.Reply, err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.toasts[person] = r.Toast
	return err
}

func (w *world) command(person, chatID, line string) error {
	r, err := w.ground.Command(w.t.Context(), id(person), chatID, line)
	return w.noteReply(person, r, err)
}

func (w *world) press(person, label, how string) error {
	p, ok := w.pressed[person+" "+label]
	if how != "again" {
		m, ok := w.ground.Offering(id(person), label)
		if !ok {
			return errors.New("no such button")
		}
		p = press{m, label}
		w.pressed[person+" "+label] = p
	} else if !ok {
		return errors.New("there was no such press")
	}
	if how != "twice" {
		r, err := w.ground.Press(w.t.Context(), id(person), p.message, label)
		return w.noteReply(person, r, err)
	}
	var both sync.WaitGroup
	var failed [2]error
	var replies [2]chat.Reply
	for i := range 2 {
		both.Go(func() { replies[i], failed[i] = w.ground.Press(w.t.Context(), id(person), p.message, label) })
	}
	both.Wait()
	r := replies[0]
	if r.Toast == "" {
		r = replies[1]
	}
	return w.noteReply(person, r, errors.Join(failed[:]...))
}

func (w *world) forge(person, data string) error {
	channel := w.ground.Channel()
	if len(channel) == 0 {
		return errors.New("the channel is empty")
	}
	r, err := w.ground.PressData(w.t.Context(), id(person), channel[len(channel)-1].Address, data)
	return w.noteReply(person, r, err)
}

// move returns a button that plays a card or stops, from the newest private message that has one.
func (w *world) move(person string) (playground.Message, screen.Button, bool) {
	for _, m := range slices.Backward(w.private(person)) {
		if words := m.Screen.String(); !strings.Contains(words, "Your turn") && !strings.Contains(words, "Jsi na tahu") {
			continue
		}
		for _, row := range m.Screen.Rows {
			for _, b := range row {
				if p, err := view.ParsePress(b.Press); err == nil && p.Action == view.ActPlay && !b.Off {
					return m, b, true
				}
			}
		}
	}
	return playground.Message{}, screen.Button{}, false
}

func (w *world) play(person string) error {
	m, b, ok := w.move(person)
	if !ok {
		return errors.New("nothing to play")
	}
	w.pressed[person+" "+b.Label] = press{m, b.Label}
	r, err := w.ground.Press(w.t.Context(), id(person), m, b.Label)
	return w.noteReply(person, r, err)
}

// dealEnd matches what the channel says at the end of a deal or match.
var dealEnd = regexp.MustCompile(`(?m)^(Deal \d+|Nobody wins deal \d+)|the match is over`)

// playOn lets everybody except but press whatever they can. It ends when nobody can play any more, or if one is set,
// when a deal ends.
func (w *world) playOn(but string, one bool) error {
	over := func() string {
		return strings.Join(dealEnd.FindAllString(strings.Join(texts(w.ground.Channel()), ""), -1), "")
	}
	before := over()
	for range 5000 {
		switch ended := over(); {
		case !one:
		case ended == "":
			before = ""
		case ended != before:
			return nil
		}
		moved := false
		for _, person := range cast {
			if _, _, ok := w.move(person); !ok || person == but {
				continue
			}
			moved = true
			if err := w.play(person); err != nil {
				return err
			}
			synctest.Wait()
		}
		if !moved {
			before := w.scene()
			time.Sleep(10 * pace) // time for an AI's move or the next deal
			synctest.Wait()
			if w.scene() == before {
				return nil
			}
		}
	}
	return errors.New("it does not end")
}

// file checks the newest record that was sent to a person.
func (w *world) file(person string) error {
	var file *screen.File
	for _, m := range w.private(person) {
		if m.Screen.File != nil {
			file = m.Screen.File
		}
	}
	if file == nil {
		return errors.New("no file")
	}
	r, err := record.Read(file.Data)
	if err != nil {
		return err
	}
	out, err := r.Replay()
	if err != nil {
		return err
	}
	id, match, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(file.Name, "sedma-"), ".json"), "-")
	docs, err := w.store.Get(w.t.Context(), store.Key{Partition: store.Partition(playground.Home), Name: "match:" + id + ":" + match})
	if err != nil {
		return err
	}
	var kept struct{ D struct{ Scores []int } }
	if err := json.Unmarshal(docs[0].Data, &kept); err != nil {
		return err
	}
	if !out.Match.Over || !slices.Equal(out.Match.Scores, kept.D.Scores) {
		return fmt.Errorf("it replays to %v, over: %v; the match had %v", out.Match.Scores, out.Match.Over, kept.D.Scores)
	}
	return nil
}

// accounts recomputes all boards and compares them with the stored ones.
func (w *world) accounts() error {
	a, err := upkeep.CheckBoards(w.t.Context(), w.store)
	if err == nil && (len(a.Wrong) > 0 || a.Waiting > 0 || a.Rows == 0 || a.Replayed == 0) {
		err = fmt.Errorf("%+v", a)
	}
	return err
}

// nothingKept checks that nothing is stored about any match.
func (w *world) nothingKept() error {
	for partition := range store.Partitions {
		for _, kind := range []string{"record:", "match:", "result:", "member:", "coach:", "verdict:"} {
			docs, _, err := w.store.Scan(w.t.Context(), partition, kind, "")
			if err != nil {
				return err
			}
			if len(docs) > 0 {
				return fmt.Errorf("there is %s", docs[0].Key.Name)
			}
		}
	}
	return nil
}

// records replays every record in the store.
func (w *world) records() error {
	n := 0
	for partition := range store.Partitions {
		for cursor, more := "", true; more; more = cursor != "" {
			docs, next, err := w.store.Scan(w.t.Context(), partition, "record:", cursor)
			if err != nil {
				return err
			}
			cursor = next
			for _, doc := range docs {
				var e struct{ D json.RawMessage }
				if err := json.Unmarshal(doc.Data, &e); err != nil {
					return err
				}
				r, err := record.Read(e.D)
				if err != nil {
					return err
				}
				out, err := r.Replay()
				if err != nil {
					return err
				}
				if len(out.Deals) != 1 || !out.Deals[0].State.Over() {
					return fmt.Errorf("%s does not replay to its end", doc.Key.Name)
				}
				n++
			}
		}
	}
	if n == 0 {
		return errors.New("no records")
	}
	return nil
}
