package play

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game/table"
	"sedmabot/store"
)

// voices shows the score of a match under the name of the voice channel where its table is, if the home's managers turn
// that on. The table's job does so when the match begins, after each change of the score, and when the match is over.
type voices struct {
	docs    *doc.Docs
	deliver *deliver.Deliverer
}

// Voices is the document of the channels of a home that refused a status. It expires.
type Voices struct {
	Refused map[string]VoiceRefusal `json:"refused,omitempty"` // by chat
}

// Expiry implements [doc.Expiring].
func (Voices) Expiry(now time.Time) (time.Time, bool) { return now.Add(voiceAgain), true }

// VoiceRefusal says that a channel refused a status.
type VoiceRefusal struct {
	Until  time.Time `json:"until"`            // when to try again
	Rights bool      `json:"rights,omitempty"` // the bot lacks a permission; otherwise the channel has no status
}

// voiceAgain is the delay before the bot tries again after a refusal.
const voiceAgain = 24 * time.Hour

// voiceKind is the stored name of the documents' kind.
const voiceKind = "voice"

func voiceKey(home string) store.Key { return doc.InHome(home, voiceKind+":"+home) }

// setting lets the managers of a home turn the status on, where the platform has one.
func (v *voices) setting() doc.Setting[doc.Home] {
	return doc.Setting[doc.Home]{
		Name: "voice", Group: view.GroupRecords, Order: 115, Choices: []string{doc.Off, doc.On}, Field: doc.Stored("voice"),
		Offered: func(home string) bool { return v.deliver.Abilities(home).Status != nil },
		Trouble: v.trouble, Changed: v.changed,
	}
}

// wanted reports whether the home's managers have turned the status on.
func (v *voices) wanted(h doc.Home) bool { return v.setting().Of(h) == doc.On }

// kind returns the kind of the documents.
func (v *voices) kind() doc.Kind {
	return doc.Kind{Name: voiceKind, Owner: doc.OfOne, New: func() any { return new(Voices) }, Forget: v.forget}
}

// forget deletes the document of a home that is being deleted.
func (v *voices) forget(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	if _, home := doc.KindAndRest(stored.Key.Name); s.Home == "" || home != s.Home {
		return false, nil
	}
	return true, v.docs.Drop(ctx, stored)
}

// trouble returns the key of a text that says which permission the bot lacks, if the setting has no effect without it.
func (v *voices) trouble(ctx context.Context, home string, h doc.Home) string {
	var d Voices
	if _, err := v.docs.Get(ctx, voiceKey(home), &d); err != nil || !v.wanted(h) {
		return ""
	}
	for _, r := range d.Refused {
		if r.Rights && r.Until.After(v.docs.Now()) {
			return "voice.rights"
		}
	}
	return ""
}

// changed forgets the refusals, because the managers may have given the bot the permission.
func (v *voices) changed(ctx context.Context, home string, _ doc.Home) error {
	docs, err := v.docs.Store.Get(ctx, voiceKey(home))
	if err != nil || docs[0].Version == 0 {
		return err
	}
	return v.docs.Drop(ctx, docs[0])
}

// round is an update of the statuses of a table's channels, in the background.
type round struct {
	known map[string]deliver.ShownStatus // what is known about the channels
	next  time.Time                      // when to try again; zero: never
	ended chan struct{}
}

// change is a status that isn't as it should be.
type change struct{ at, home, text string }

// begin begins to bring the statuses of the table's channels up to date. was is what is known about them. It returns nil
// if there is nothing to do.
func (v *voices) begin(ctx context.Context, t table.Table, was map[string]deliver.ShownStatus) *round {
	var due []change
	var next time.Time
	now := v.docs.Now()
	add := func(c change) {
		switch is := was[c.at]; {
		case is.Text == c.text && is.Again.After(now) && store.Believed(is.Again, now, voiceAgain):
			next = work.Earlier(next, is.Again)
		case is.Text != c.text || !is.Again.IsZero():
			due = append(due, c)
		}
	}
	for _, c := range t.Chats {
		if v.deliver.Abilities(c.ID).Status != nil && !slices.ContainsFunc(t.Seats, func(s table.Seat) bool { return s.Player.ID == c.ID }) { // else a private chat
			add(change{c.ID, cmp.Or(c.Home, t.Home), statusOf(t, c)})
		}
	}
	for at := range was {
		if !slices.ContainsFunc(t.Chats, func(c table.Chat) bool { return c.ID == at }) {
			add(change{at: at}) // the table has left the channel
		}
	}
	if len(due) == 0 && next.IsZero() {
		return nil
	}
	return v.run(ctx, due, was, next)
}

// run makes the changes in the background. next is when to try others again.
func (v *voices) run(ctx context.Context, due []change, was map[string]deliver.ShownStatus, next time.Time) *round {
	r := &round{known: maps.Clone(was), next: next, ended: make(chan struct{})}
	if r.known == nil {
		r.known = map[string]deliver.ShownStatus{}
	}
	v.deliver.Workers.Go(func() {
		defer close(r.ended)
		for _, c := range due {
			is := v.show(ctx, c, was[c.at])
			if r.known[c.at] = is; is == (deliver.ShownStatus{}) {
				delete(r.known, c.at)
			}
			r.next = work.Earlier(r.next, is.Again)
		}
	})
	return r
}

// wait waits for the end of the round. It returns what is known about the channels then, and when to try again.
func (r *round) wait() (map[string]deliver.ShownStatus, time.Time) {
	<-r.ended
	return r.known, r.next
}

// statusOf returns the text that a voice channel should show of the table. It is "" if the table has no running match that
// belongs to the channel.
func statusOf(t table.Table, c table.Chat) string {
	if t.Phase != table.Playing && t.Phase != table.Pause || t.Tournament != nil || t.Strangers != nil || t.Daily != nil {
		return ""
	}
	return view.Status(lang.For(c.Lang), t.Rules, t.Match.Scores)
}

// show makes a change, and returns what is known about the channel then.
func (v *voices) show(ctx context.Context, c change, was deliver.ShownStatus) deliver.ShownStatus {
	is, text := deliver.ShownStatus{Text: c.text, On: was.On}, c.text
	if text != "" {
		may, err := v.may(ctx, c.at, c.home)
		if err != nil {
			return v.failed(was, text, err)
		}
		if !may {
			text = "" // is.Text stays, so that the same score isn't looked at again
		}
	}
	if text == "" && !was.On {
		return is
	}
	ability := v.deliver.Abilities(c.at).Status
	if ability == nil {
		return is // the platform isn't configured now
	}
	err := ability(ctx, c.at, text)
	fault, _ := deliver.FaultOf(err)
	switch {
	case err == nil:
		is.On = text != ""
	case fault == chat.Retry:
		return v.failed(was, is.Text, err)
	default:
		is.On = false
		if c.home != "" {
			v.refused(ctx, c.at, c.home, fault == chat.Unreachable)
		}
	}
	return is
}

// failed returns what is known about a channel after a failure that isn't a refusal.
func (v *voices) failed(was deliver.ShownStatus, text string, err error) deliver.ShownStatus {
	_, wait := deliver.FaultOf(err)
	is := deliver.ShownStatus{Text: text, On: was.On, Fails: was.Fails + 1}
	is.Again = v.docs.Now().Add(max(wait, deliver.BackOff(is.Fails)))
	return is
}

// may reports whether the home's managers want a status, and the channel hasn't just refused one.
func (v *voices) may(ctx context.Context, at, home string) (bool, error) {
	h, err := v.docs.Home(ctx, home)
	if err != nil || !v.wanted(h) {
		return false, err
	}
	var d Voices
	_, err = v.docs.Get(ctx, voiceKey(home), &d)
	return !d.Refused[at].Until.After(v.docs.Now()), err
}

// refused remembers that a channel refused a status.
func (v *voices) refused(ctx context.Context, at, home string, rights bool) {
	key := voiceKey(home)
	err := v.docs.Update(ctx, "", []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
		var d Voices
		if err := doc.Decode(docs[0], &d); err != nil {
			return err
		}
		maps.DeleteFunc(d.Refused, func(_ string, r VoiceRefusal) bool { return !r.Until.After(c.Now) })
		if d.Refused == nil {
			d.Refused = map[string]VoiceRefusal{}
		}
		d.Refused[at] = VoiceRefusal{Until: c.Now.Add(voiceAgain), Rights: rights}
		c.Writes = []store.Write{doc.WriteOf(docs[0], d, c.Now)}
		return nil
	})
	if err != nil {
		v.docs.Log.Warn("remember that a channel refused a status", "err", err)
	}
}
