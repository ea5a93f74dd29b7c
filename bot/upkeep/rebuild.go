package upkeep

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Accounts is the result of checking or rebuilding the boards.
type Accounts struct {
	Homes, Matches, Members, Rows int
	Replayed                      int            // matches that were replayed, because their records are still stored
	Waiting                       int            // matches that other homes have yet to count
	Wrong                         map[string]int // numbers of differences from the records, by their kind: people show them to others, so they name nobody
}

// errUnfinished reports that a deletion is still running. Until it ends, the person has two names in the ledgers.
var errUnfinished = errors.New("a person's data is being deleted: let the bot run until that is done")

// differ counts n differences of a kind.
func (a *Accounts) differ(kind string, n int) {
	if a.Wrong == nil {
		a.Wrong = map[string]int{}
	}
	a.Wrong[kind] += n
}

// CheckBoards recomputes ratings, statistics and boards from the records of matches,
// and reports where s differs. It writes nothing. The bot should not be running.
func CheckBoards(ctx context.Context, s store.Store) (Accounts, error) {
	var a Accounts
	books, err := readBooks(ctx, s, &a)
	if err != nil {
		return a, err
	}
	for _, home := range slices.Sorted(maps.Keys(books)) {
		if err := books[home].compare(ctx, s, &a); err != nil {
			return a, err
		}
	}
	return a, nil
}

// RebuildBoards is like CheckBoards, but then updates s to match the records. If a
// match has records but its home's ledger lacks it, it is added in order of time.
// The jobs for added matches are due at now.
func RebuildBoards(ctx context.Context, s store.Store, now time.Time) (Accounts, error) {
	var a Accounts
	books, err := readBooks(ctx, s, &a)
	if err != nil {
		return a, err
	}
	for _, home := range slices.Sorted(maps.Keys(books)) {
		book := books[home]
		if err := book.compare(ctx, s, &a); err != nil {
			return a, err
		}
		if err := book.write(ctx, s, now); err != nil {
			return a, fmt.Errorf("rebuild the boards: %w", err)
		}
	}
	return a, nil
}

// book is the ledger and the members of one home, as stored and as recomputed.
type book struct {
	name      string
	partition int
	home      doc.Home
	version   int64                    // version of the home's document
	results   map[string]league.Result // the ledger, by match
	stored    map[string]store.Doc     // the ledger's documents, by match
	ids       []string                 // the ledger's matches, ordered by number
	missing   []string                 // matches that the stored ledger lacks
	members   map[string]store.Doc     // stored members, by player
	want      map[string]*league.Member
	fresh     map[string]league.Result // results that this program's rule rates again, as the matches' records have them
	times     table.DealTimes          // recomputed
	idle      []string                 // periods with boards in which no match counts
}

func newBook(home string) *book {
	return &book{
		name: home, partition: store.Partition(home),
		results: map[string]league.Result{}, stored: map[string]store.Doc{}, members: map[string]store.Doc{}, want: map[string]*league.Member{}, fresh: map[string]league.Result{},
	}
}

// add adds a stored document of the home to the book, if it belongs there.
func (b *book) add(stored store.Doc) error {
	kind, rest := doc.KindAndRest(stored.Key.Name)
	_, id, _ := doc.CutLast(rest, "|")
	switch kind {
	case "home":
		b.version = stored.Version
		return doc.Decode(stored, &b.home)
	case "member":
		b.members[id] = stored
	case "result":
		var r league.Result
		if err := doc.Decode(stored, &r); err != nil {
			return err
		}
		b.results[id], b.stored[id] = r, stored
	}
	return nil
}

// postedHome begins the homes of messages that people have posted for the bot in chats where it isn't. Matches of earlier versions
// there have no mark that they don't count.
const postedHome = "telegram:i"

// readBooks returns the books of all homes. It replays the matches that still have records.
func readBooks(ctx context.Context, s store.Store, a *Accounts) (map[string]*book, error) {
	books := map[string]*book{}
	of := func(home string) *book {
		b := books[home]
		if b == nil {
			b = newBook(home)
			books[home] = b
		}
		return b
	}
	matches, records := map[string]doc.Match{}, map[string]json.RawMessage{}
	for p := range store.Partitions {
		docs, err := ScanAll(ctx, s, p)
		if err != nil {
			return nil, fmt.Errorf("read the store: %w", err)
		}
		for _, stored := range docs {
			kind, rest := doc.KindAndRest(stored.Key.Name)
			home, _, _ := doc.CutLast(rest, "|")
			switch kind {
			case "erase":
				return nil, errUnfinished
			case "home":
				err = of(rest).add(stored)
			case "member", "result":
				err = of(home).add(stored)
			case "match":
				var m doc.Match
				err = doc.Decode(stored, &m)
				matches[rest] = m
			case "record":
				var text json.RawMessage
				err = doc.Decode(stored, &text)
				records[rest] = text
			}
			if err != nil {
				return nil, err
			}
		}
	}
	uncount(books, matches, a)
	for _, name := range slices.Sorted(maps.Keys(matches)) {
		m := matches[name]
		at, no, _ := strings.Cut(name, ":")
		if m.Uncounted || !m.Sealed.IsZero() || of(m.Home).home.Played == 0 {
			continue // earlier versions marked no match as uncounted: a deal of the day has its own board, and other homes have no ledger
		}
		replayed, ok := league.ResultOfMatch(m, at, records)
		if !ok {
			continue // the records of its deals have expired
		}
		a.Replayed++
		b, id := of(m.Home), at+"-"+no
		kept, there := b.results[id]
		if !there {
			a.differ("matches that a ledger lacks", 1)
			b.missing, b.results[id] = append(b.missing, id), replayed
			continue
		}
		for _, home := range replayed.Homes {
			other := of(home)
			if _, there := other.results[id]; !there && other.home.Played > 0 && !slices.Contains(kept.Homes, home) {
				a.differ("matches that a ledger lacks", 1)
				copied := replayed
				copied.Homes = nil
				other.missing, other.results[id] = append(other.missing, id), copied
			}
		}
		b.replayed(id, replayed)
		replayed = replayed.Again(kept)
		if !bytes.Equal(doc.Encode(kept), doc.Encode(replayed)) {
			a.differ("results that differ from the records of their deals", 1)
			b.results[id] = replayed
		}
	}
	for home, b := range books {
		if len(b.results) == 0 && len(b.members) == 0 {
			delete(books, home)
			continue
		}
		b.compute(a)
	}
	return books, nil
}

// uncount takes results of matches that count nowhere out of the books. An earlier version has entered some.
func uncount(books map[string]*book, matches map[string]doc.Match, a *Accounts) {
	uncounted := map[string]bool{}
	for home, b := range books {
		for id := range b.results {
			uncounted[id] = uncounted[id] || strings.HasPrefix(home, postedHome)
		}
	}
	for name, m := range matches {
		at, no, _ := strings.Cut(name, ":")
		uncounted[at+"-"+no] = uncounted[at+"-"+no] || m.Uncounted
	}
	for _, b := range books {
		for id := range b.results {
			if uncounted[id] {
				a.differ("results of matches that don't count", 1)
				delete(b.results, id)
			}
		}
	}
}

// outdated reports whether the rule by which a result was rated is an earlier one, and its season's board is still open.
// Closed seasons stay as they are.
func (b *book) outdated(r league.Result) bool {
	return r.Rule != league.Rule && slices.Contains(b.home.Periods, r.Season)
}

// replayed notes an outdated result of the ledger as the match's records have it.
func (b *book) replayed(id string, r league.Result) {
	if kept := b.results[id]; b.outdated(kept) {
		kept.Rule = league.Rule
		b.fresh[id] = r.Again(kept)
	}
}

// compute computes the members from the book's results, and numbers the results in order.
func (b *book) compute(a *Accounts) {
	a.Homes++
	b.ids = slices.Collect(maps.Keys(b.results))
	slices.SortFunc(b.ids, func(x, y string) int {
		p, q := b.results[x], b.results[y]
		if p.No > 0 && q.No > 0 {
			return p.No - q.No
		}
		return p.At.Compare(q.At)
	})
	calendar, periods := league.CalendarOf(b.home), map[string]bool{}
	for i, id := range b.ids {
		r := b.results[id]
		if r.No != i+1 {
			a.differ("results with a wrong number", 1)
			r.No = i + 1
		}
		if r.Season == "" {
			r.Week, r.Month, r.Season = calendar.Key(league.Weekly, r.At), calendar.Key(league.Monthly, r.At), calendar.Key(league.Seasonal, r.At)
		}
		was := r.Season
		if r.Restamp(b.home); r.Season != was {
			a.differ("results that count in a wrong season", 1)
		}
		b.results[id] = r
		periods[r.Week], periods[r.Month], periods[r.Season] = true, true, true
		if len(r.Homes) > 0 && b.stored[id].Version != 0 {
			a.Waiting++
		}
		if b.outdated(r) {
			if fresh, ok := b.fresh[id]; ok {
				r = fresh
			}
			r.Rerate()
			b.results[id] = r
		}
		for _, player := range r.Members(b.name) {
			if b.want[player] == nil {
				b.want[player] = &league.Member{}
			}
		}
		r.Apply(b.name, b.want)
		b.times = r.AddTo(b.times)
		a.Matches++
	}
	maps.DeleteFunc(b.want, func(player string, _ *league.Member) bool { return league.IsGone(player) })
	for _, key := range b.home.Periods {
		if !periods[key] {
			a.differ("periods with boards in which no match counts", 1)
			b.idle = append(b.idle, key)
		}
	}
	if b.home.Played != len(b.ids) {
		a.differ("homes with a wrong number of matches", 1)
	}
}

// rows returns the rows that the book's boards should have, without those of closed
// periods.
func (b *book) rows() ([]store.Row, error) {
	var all []store.Row
	open := append([]string{league.AllTime}, b.home.Periods...) // without idle periods, because no member has a row there
	for _, player := range slices.Sorted(maps.Keys(b.want)) {
		rows, err := b.want[player].Rows(b.name, player, league.Rule)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if _, key, _ := doc.CutLast(row.Board, ":"); slices.Contains(open, key) {
				all = append(all, row)
			}
		}
	}
	return all, nil
}

// compare adds all differences between the stored and the recomputed members and
// boards to a. A period's board also lists players whose latest matches are in later
// periods. For them, compare only checks that they still are members of the home.
func (b *book) compare(ctx context.Context, s store.Store, a *Accounts) error {
	for player, want := range b.want {
		a.Members++
		if stored, ok := b.members[player]; !ok || !bytes.Equal(stored.Data, doc.Encode(*want)) {
			a.differ("members that differ from the results", 1)
		}
	}
	for player := range b.members {
		if b.want[player] == nil {
			a.differ("members without a match", 1)
		}
	}
	rows, err := b.rows()
	if err != nil {
		return err
	}
	should := map[string]map[string]store.Row{}
	for _, row := range rows {
		if should[row.Board] == nil {
			should[row.Board] = map[string]store.Row{}
		}
		should[row.Board][row.Member] = row
	}
	for _, board := range league.BoardNames(b.home, b.name) {
		seen := 0
		_, key, _ := doc.CutLast(board, ":")
		for from := 0; ; from += store.MaxRows {
			standings, _, err := s.Board(ctx, b.partition, board, from, store.MaxRows, "")
			if err != nil {
				return fmt.Errorf("read a board: %w", err)
			}
			for _, is := range standings {
				a.Rows++
				row, ok := should[board][is.Member]
				switch {
				case ok && (row.Score != is.Score || !bytes.Equal(row.Data, is.Data)):
					a.differ("board rows that differ from the results", 1)
				case !ok && (key == league.AllTime || b.want[is.Member] == nil):
					a.differ("board rows of nobody", 1)
				}
				if ok {
					seen++
				}
			}
			if len(standings) < store.MaxRows {
				break
			}
		}
		if seen < len(should[board]) {
			a.differ("board rows that are missing", len(should[board])-seen)
		}
	}
	return nil
}

// write updates the store to match the book. If a document was changed since it was read, the error is
// store.ErrConflict. Earlier commits stay: they are right, and writing again does no harm.
func (b *book) write(ctx context.Context, s store.Store, now time.Time) error {
	c := store.Change{Partition: b.partition, Now: now}
	commit := func(most int) error {
		if len(c.Writes) <= min(most, RestoreBatch) && len(c.Rows) <= most {
			return nil
		}
		err := s.Commit(ctx, c)
		c = store.Change{Partition: b.partition, Now: now}
		return err
	}
	put := func(stored store.Doc, name string, data []byte) {
		c.Writes = append(c.Writes, store.Write{Name: name, Expect: stored.Version, Data: data})
	}
	for _, id := range b.ids {
		data := doc.Encode(b.results[id])
		if bytes.Equal(data, b.stored[id].Data) {
			continue
		}
		put(b.stored[id], league.ResultName(b.name, id), data)
		if slices.Contains(b.missing, id) {
			c.Due = append(c.Due, store.Mark{ID: league.ResultName(b.name, id), At: now})
		}
		if err := commit(RestoreBatch); err != nil {
			return err
		}
	}
	for id, stored := range b.stored {
		if _, counts := b.results[id]; !counts {
			put(stored, league.ResultName(b.name, id), nil)
		}
	}
	rows, err := b.rows()
	if err != nil {
		return err
	}
	wanted, of := map[string]bool{}, map[string][]store.Row{}
	for _, row := range rows {
		wanted[row.Board+" "+row.Member] = true
		of[row.Member] = append(of[row.Member], row)
	}
	for _, player := range slices.Sorted(maps.Keys(b.want)) {
		// The write keeps the rows from replacing those of a match that is entered meanwhile.
		put(b.members[player], doc.MemberName(b.name, player), doc.Encode(b.want[player]))
		c.Rows = append(c.Rows, of[player]...)
		if err := commit(doc.RowBatch / 2); err != nil {
			return err
		}
	}
	for player, stored := range b.members {
		if b.want[player] == nil {
			put(stored, doc.MemberName(b.name, player), nil)
		}
	}
	for _, board := range league.BoardNames(b.home, b.name) {
		_, key, _ := doc.CutLast(board, ":")
		for from := 0; ; from += store.MaxRows {
			standings, _, err := s.Board(ctx, b.partition, board, from, store.MaxRows, "")
			if err != nil {
				return err
			}
			for _, is := range standings {
				if !wanted[board+" "+is.Member] && (key == league.AllTime || slices.Contains(b.idle, key) || b.want[is.Member] == nil) {
					c.Rows = append(c.Rows, store.Row{Board: board, Member: is.Member, Delete: true})
				}
			}
			if len(standings) < store.MaxRows {
				break
			}
		}
		if err := commit(doc.RowBatch); err != nil {
			return err
		}
	}
	b.home.Times, b.home.Rated, b.home.Rater = b.times, league.Rule, 0
	b.home.Periods = slices.DeleteFunc(b.home.Periods, func(key string) bool { return slices.Contains(b.idle, key) })
	league.Turn(&b.home, now)
	if b.home.Played = len(b.ids); b.version != 0 || b.home.Played > 0 {
		c.Writes = append(c.Writes, store.Write{Name: doc.HomeName(b.name), Expect: b.version, Data: doc.Encode(b.home)})
	}
	return commit(0)
}
