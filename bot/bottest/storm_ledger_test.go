package bottest

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"sedmabot/bot/league"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
)

// ledger is the real store, which also keeps its own account of the matches.
type ledger struct {
	store.Store
	watch   func(old, now table.Table) // is called for each change of a table; nil: nobody
	mu      sync.Mutex                 // one commit at a time
	commits int
	totals  map[string]league.Totals // by board and member
	latest  map[string]parsed        // by name: the table that was written last
}

// parsed is a table and the document that has it.
type parsed struct {
	data []byte
	table.Table
}

// at returns a table as it was written last.
func (l *ledger) at(id string) table.Table {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.latest["table:"+id].Table
}

func (l *ledger) Commit(ctx context.Context, c store.Change) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var over []table.Table
	var changes [][2]table.Table
	var tables []parsed
	for _, w := range c.Writes {
		if !strings.HasPrefix(w.Name, "table:") {
			continue
		}
		docs, err := l.Store.Get(ctx, store.Key{Partition: c.Partition, Name: w.Name})
		if err != nil {
			return err
		}
		old, now := l.latest[w.Name], parsed{w.Data, read[table.Table](w.Data)}
		if !bytes.Equal(old.data, docs[0].Data) {
			old.Table = read[table.Table](docs[0].Data)
		}
		if old.Phase != table.Over && now.Phase == table.Over && !now.Lesson && now.Daily == nil { // lessons and deals of the day count nowhere
			over = append(over, now.Table)
		}
		changes, tables = append(changes, [2]table.Table{old.Table, now.Table}), append(tables, now)
	}
	if err := l.Store.Commit(ctx, c); err != nil {
		return err
	}
	if len(c.Writes) != 1 || !strings.HasPrefix(c.Writes[0].Name, "hold:") && !strings.HasPrefix(c.Writes[0].Name, "budget:") {
		l.commits++ // processes tell each other that they run
	}
	for _, t := range tables {
		if l.latest == nil {
			l.latest = map[string]parsed{}
		}
		l.latest["table:"+t.ID] = t
	}
	if l.watch != nil {
		for _, change := range changes {
			l.watch(change[0], change[1])
		}
	}
	for _, t := range over {
		family, _, _ := strings.Cut(t.Rules.Preset, "-")
		o := t.Public().Result
		sides, people := map[int]bool{}, 0
		for seat, s := range t.Seats {
			if s.Player.ID != "" {
				sides[t.Rules.Side(seat)] = true
				people++
			}
		}
		for seat, s := range t.Seats {
			if s.Player.ID == "" {
				continue
			}
			absent, won, stakes, sweeps := s.Away || s.Left, 0, o.Payments[seat], 0
			missed := absent || s.Was != "" || o.Choices[seat].Missed()
			if slices.Contains(o.Winners, seat) && !missed {
				won = 1
			}
			if missed && stakes > 0 {
				stakes = 0
			}
			for _, past := range t.Past {
				for side, seats := range past.Score.Sides {
					all := 0
					for _, n := range past.Result.TricksWon {
						all += n
					}
					if slices.Contains(seats, seat) && past.Result.End == game.EndPlayed && past.Result.TricksWon[side] == all {
						sweeps++
					}
				}
			}
			for _, home := range []string{t.Home, "*"} {
				for _, which := range []string{"all", family} {
					key := "board:" + home + ":" + which + ":all " + s.Player.ID
					sum := l.totals[key]
					switch {
					case len(sides) == 1 && people > 1 && home != "*": // it is their match together
						continue
					case len(sides) == 1:
						sum.AIMatches++
						sum.AIWins += won
						sum.AIStakes += stakes
					default:
						sum.Matches++
						sum.Wins += won
						sum.Stakes += stakes
						sum.Sweeps += sweeps
						if absent {
							sum.Left++
						}
					}
					l.totals[key] = sum
				}
			}
		}
	}
	return nil
}

func (l *ledger) Release(ctx context.Context, job store.Job, now, next time.Time) error {
	return l.Commit(ctx, store.Change{Partition: job.Partition, Done: &job, Next: next, Now: now})
}

func (l *ledger) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.commits
}

// read parses a document's data. Without data, it returns the zero value.
func read[T any](data []byte) (v T) {
	if len(data) == 0 {
		return v
	}
	var e struct{ D T }
	if err := json.Unmarshal(data, &e); err != nil {
		panic(err)
	}
	return e.D
}
