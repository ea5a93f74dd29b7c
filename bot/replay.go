package bot

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/record"
	"sedmabot/game/table"
	"sedmabot/store"
)

// matchDoc is a finished match; its deals are in their records. A match that is
// not over has none, so that nothing hidden can be read out of it.
type matchDoc struct {
	Home     string        `json:"home"`
	Guests   []string      `json:"guests,omitempty"` // other homes that saw it
	At       time.Time     `json:"at"`
	Rules    game.Rules    `json:"rules"`
	Seats    []table.Seat  `json:"seats"` // ids, names, AI, and who was not there at the end
	Scores   []int         `json:"scores"`
	DealerBy record.Choice `json:"dealer_by,omitempty"`
	First    int           `json:"first"`          // the number of its first deal; the others follow
	Seeds    []table.Seed  `json:"seeds"`          // one a deal
	Auto     [][]int       `json:"auto,omitempty"` // one a deal: the moves that the AI chose for people, by their places
	Key      []byte        `json:"key"`            // what tickets are made with

	Sealed time.Time `json:"sealed,omitzero"` // before that nothing of it is told: it is the deal of a day
	Zone   string    `json:"zone,omitempty"`  // where that is midnight
	Cup    string    `json:"cup,omitempty"`   // the tournament that it was of, by its id
	Round  int       `json:"round,omitempty"`
}

// listed is how many of its latest matches a home lists.
const listed = 10

// ErrNoMatch: no such match is over, or its record is gone, or it is not for this reader.
var ErrNoMatch = NewRefusal("no_match")

// matchID names a match for good; parseMatchID reads it.
func matchID(table string, no int) string { return table + "-" + strconv.Itoa(no) }

func parseMatchID(id string) (table string, no int, ok bool) {
	table, digits, _ := strings.Cut(strings.ToLower(strings.TrimSpace(id)), "-")
	no, err := strconv.Atoi(digits)
	return table, no, err == nil && no > 0 && matchID(table, no) == strings.ToLower(strings.TrimSpace(id))
}

func matchKey(table string, no int) (store.Key, bool) {
	partition, ok := tablePartition(table)
	return store.Key{Partition: partition, Name: matchName(table, no)}, ok
}

// matchOf is the finished match of a table.
func matchOf(t table.Table, over table.MatchOver, now time.Time) matchDoc {
	doc := matchDoc{
		Home: t.Home, Guests: t.Guests(), At: now, Rules: over.Match.Rules, Scores: over.Match.Scores,
		First: t.Past[0].No, Key: make([]byte, 16),
	}
	rand.Read(doc.Key)
	doc.Sealed, doc.Zone = sealedOf(t)
	if t.Contest != nil {
		doc.Cup, doc.Round = t.Contest.ID, t.Contest.Round
	}
	for _, s := range over.Seats {
		doc.Seats = append(doc.Seats, table.Seat{Player: table.Player{ID: s.Player.ID, Name: s.Player.Name}, AI: s.AI, Away: s.Away, Left: s.Left})
	}
	for _, past := range t.Past {
		doc.Seeds = append(doc.Seeds, past.Seed)
		doc.Auto = append(doc.Auto, past.Auto)
	}
	switch {
	case t.Draw != nil:
		doc.DealerBy = record.ByDraw
	case t.MatchNo == 1 && t.Venue == 0:
		doc.DealerBy = record.BySeed
	}
	return doc
}

// ticket lets this player come back to the match from any chat: a replay that he
// opened in a group may stand in his private chat, whose home is another.
func (m matchDoc) ticket(player string) string {
	mac := hmac.New(sha256.New, m.Key)
	mac.Write([]byte(player))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:8])
}

// open tells whether who did that may see the match: people of its home, who
// played in it, and who holds a ticket.
func (m matchDoc) open(in Input, ticket string) bool {
	return in.Chat.Home == m.Home || slices.Contains(m.Guests, in.Chat.Home) ||
		slices.ContainsFunc(m.Seats, func(s table.Seat) bool { return s.Player.ID == in.Player.ID }) ||
		hmac.Equal([]byte(ticket), []byte(m.ticket(in.Player.ID)))
}

// seatOf is the player's seat, or -1.
func (m matchDoc) seatOf(player string) int {
	return slices.IndexFunc(m.Seats, func(s table.Seat) bool { return s.Player.ID != "" && s.Player.ID == player })
}

// seen is the match as a reader's screens name it.
func (m matchDoc) seen(table string, no int, reader string) view.Match {
	return view.Match{Table: table, No: no, At: m.At, Rules: m.Rules, Seats: m.Seats, Scores: m.Scores, Ticket: m.ticket(reader)}
}

// replay does the command: the match of that id from its beginning, or the
// latest ones of this home.
func (b *Bot) replay(ctx context.Context, in Input) Reply {
	id := in.Args["id"]
	if strings.TrimSpace(id) == "" {
		return b.matches(ctx, in)
	}
	table, no, ok := parseMatchID(id)
	if !ok {
		return in.Refuse(ErrNoMatch)
	}
	return b.replayStep(ctx, in, view.Press{Action: view.ActReplay, Table: table, Match: no, Deal: 1})
}

// matches lists the latest matches of this home.
func (b *Bot) matches(ctx context.Context, in Input) Reply {
	docs, err := b.docs.Store.Get(ctx, homeKey(in.Chat.Home))
	if err != nil {
		return in.Refuse(err)
	}
	var home homeDoc
	if err := decode(docs[0], &home); err != nil {
		return in.Refuse(err)
	}
	latest := slices.Clone(home.Matches)
	slices.Reverse(latest)
	keys := make([]store.Key, len(latest))
	for i, id := range latest {
		table, no, _ := parseMatchID(id)
		keys[i], _ = matchKey(table, no)
	}
	if docs, err = b.docs.Store.Get(ctx, keys...); err != nil {
		return in.Refuse(err)
	}
	var list []view.Match
	for i, doc := range docs {
		if doc.Version == 0 {
			continue // its time is over
		}
		var m matchDoc
		if err := decode(doc, &m); err != nil {
			return in.Refuse(err)
		}
		table, no, _ := parseMatchID(latest[i])
		list = append(list, m.seen(table, no, in.Player.ID))
	}
	screen := view.Matches(list, in.Catalogue())
	return Reply{Screen: &screen}
}

// replayStep shows one step of a match, or sends its record.
func (b *Bot) replayStep(ctx context.Context, in Input, p view.Press) Reply {
	m, r, err := b.matchRecord(ctx, in, p)
	if err != nil {
		return in.Refuse(err)
	}
	match := m.seen(p.Table, p.Match, in.Player.ID)
	out, err := r.Replay()
	if err != nil {
		return in.Refuse(fmt.Errorf("replay a match: %w", err))
	}
	if p.Action == view.ActRecord {
		var text bytes.Buffer
		if err := record.Write(&text, endedEarly(r, out.Match)); err != nil {
			return in.Refuse(fmt.Errorf("write a record: %w", err))
		}
		screen := view.Record(match, text.Bytes(), in.Catalogue())
		return Reply{Screen: &screen}
	}
	screen, err := stepOf(match, r, out, p.Deal, p.Turn)
	if err != nil {
		return in.Refuse(fmt.Errorf("replay a deal: %w", err))
	}
	if screen.Played = m.seatOf(in.Player.ID) >= 0; screen.Played {
		coach, _, err := b.coachOf(ctx, p.Table, p.Match)
		if err != nil {
			return in.Refuse(err)
		}
		screen.Thoughts = coach.at(m.seatOf(in.Player.ID), screen.Deal, screen.Step)
	}
	shown := screen.Screen(in.Catalogue())
	return Reply{Screen: &shown, Replace: p.Ticket != ""}
}

// matchRecord loads a match for a reader, and its record: the records of its deals
// in one.
func (b *Bot) matchRecord(ctx context.Context, in Input, p view.Press) (m matchDoc, r record.Record, err error) {
	key, ok := matchKey(p.Table, p.Match)
	if !ok {
		return m, r, ErrNoMatch
	}
	docs, err := b.docs.Store.Get(ctx, key)
	if err != nil {
		return m, r, err
	}
	if err := decode(docs[0], &m); err != nil {
		return m, r, err
	}
	if docs[0].Version == 0 || !m.open(in, p.Ticket) {
		return m, r, ErrNoMatch
	}
	if b.docs.Now().Before(m.Sealed) {
		return m, r, sealed(m.Zone)
	}
	if err := b.unsealed(ctx, m, in.Player.ID); err != nil {
		return m, r, err
	}
	r, err = b.recordOf(ctx, p.Table, key.Partition, m)
	return m, r, err
}

// recordOf is the record of a match.
func (b *Bot) recordOf(ctx context.Context, id string, partition int, m matchDoc) (r record.Record, err error) {
	var keys []store.Key
	for i := range m.Seeds {
		keys = append(keys, store.Key{Partition: partition, Name: recordName(id, m.First+i)})
	}
	docs, err := b.docs.Store.Get(ctx, keys...)
	if err != nil {
		return r, err
	}
	for i, doc := range docs {
		if doc.Version == 0 {
			return r, ErrNoMatch // of a match that went on for long the first deals go first
		}
		var text json.RawMessage
		if err := decode(doc, &text); err != nil {
			return r, err
		}
		deal, err := record.Read(text)
		if err != nil {
			return r, fmt.Errorf("%w: %s: %w", errUnreadable, kindOf(doc.Key.Name), err)
		}
		if i == 0 {
			r, r.DealerBy = deal, m.DealerBy
		} else {
			r.Deals = append(r.Deals, deal.Deals...)
		}
		seed := [32]byte(m.Seeds[i])
		r.Deals[i].Seed = &seed
	}
	return r, nil
}

// sealed refuses to show a match of a deal of the day whose day, which ends at
// midnight in that time zone, is not over.
func sealed(zone string) error {
	return &Refusal{Key: "reply.sealed", Args: []any{"zone", zone}, Cause: ErrNoMatch, Outcome: Refused}
}

// endedEarly is the record with an agreed end in its rules where the match was
// ended before they would have ended it, so that its replay ends there too.
func endedEarly(r record.Record, end game.Match) record.Record {
	if !end.Over {
		r.Rules.Hands = len(r.Deals)
		if r.Rules.HalfTime > r.Rules.Hands {
			r.Rules.HalfTime = 0
		}
	}
	return r
}

// stepOf is one step of a replayed match; what lies beyond an end is that end.
func stepOf(m view.Match, r record.Record, out record.Outcome, deal, step int) (view.Replay, error) {
	deal = min(max(deal, 1), len(r.Deals))
	played, over := r.Deals[deal-1], out.Deals[deal-1]
	states, err := tricksOf(r.Rules, played, over.State.Dealer())
	if err != nil {
		return view.Replay{}, err
	}
	step = min(max(step, 0), len(states)-1)
	before, after := states[max(step-1, 0)], states[step]
	v := view.Replay{
		Match: m, Deals: len(r.Deals), Deal: deal, Steps: len(states) - 1, Step: step,
		Before: before.View(game.Nobody), After: after.View(game.Nobody), Solo: game.Nobody,
		Past: table.Past{
			No: deal, Seed: *played.Seed, Score: over.Settlement,
			Totals: over.Match.Scores, Pool: over.Match.Pool, Held: over.Match.Abeyance,
		},
	}
	v.Past.Result, _ = over.State.Result()
	if r.Rules.Teams == game.SoloKing {
		v.Solo = over.State.Solo()
	}
	for seat := range r.Rules.Players {
		v.Hands = append(v.Hands, before.Hand(seat))
	}
	return v, nil
}

// tricksOf are the states of a deal as it was dealt, after each trick, and at its
// end, if that came in the middle of one.
func tricksOf(r game.Rules, d record.Deal, dealer int) ([]game.State, error) {
	s, err := game.Deal(r, d.Deck, dealer)
	states := []game.State{s}
	for _, a := range d.Actions {
		if err != nil {
			return nil, err
		}
		s, err = game.Apply(s, a.Seat, a.Move)
		if len(s.View(game.Nobody).Tricks) == len(states) {
			states = append(states, s)
		}
	}
	if err == nil && !s.Equal(states[len(states)-1]) {
		states = append(states, s)
	}
	return states, err
}
