package tables_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/bot/work"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// A process closes a lobby that nobody uses. By its clock, another one has taken the job, read the lobby before that, and
// completes the job. The first one dies before it notices. Others show soon that the lobby is closed.
func TestAProcessThatLostItsJobDies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kept := storetest.NewMemory()
		defer kept.Close()
		first := &mortal{Store: kept}
		w := town.New(t, first)
		tab := w.Sit("test:one", "2", town.Ann)
		w.Pass(time.Minute)
		first.dies = "table:" + tab.ID
		w.Chats.Failing(func(string) error {
			if first.dead.Load() {
				return &chat.DeliveryError{Fault: chat.Retry, Err: errDead}
			}
			return nil
		})
		for range 24 * 60 {
			if first.dead.Load() {
				break
			}
			w.Pass(time.Minute)
		}
		if !first.dead.Load() {
			t.Fatal("nobody closed the lobby")
		}
		w.Chats.Failing(nil)
		w.Chats.Deliveries()
		second := town.New(t, kept, func(c *bot.Config) { c.Platforms = []chat.Platform{w.Chats} })
		second.Pass(30 * time.Second)
		if !slices.ContainsFunc(w.Chats.Deliveries(), func(d town.Delivery) bool { return strings.Contains(d.Text, "This table is closed") }) {
			t.Error("nobody shows that the lobby is closed")
		}
	})
}

// A process changes a lobby's message for somebody who presses Settings and then Back, and dies before it can record that. When
// its lease is over, another process shows the lobby again, although the record says that it is there. That doesn't
// make the job due: where clocks differ, processes would take each other's leases hundreds of times a second.
func TestAProcessDiesBeforeItRecordsAnEdit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kept := &noted{Memory: storetest.NewMemory()}
		defer kept.Close()
		w := town.New(t, kept)
		tab := w.Sit("test:one", "2", town.Ann)
		w.Pass(time.Minute)
		before, sent := w.Chats.Standing(), w.Chats.Deliveries()
		partition, _ := doc.TablePartition(tab.ID)
		due := store.Change{Partition: partition, Due: []store.Mark{{ID: doc.TableName(tab.ID), At: time.Now()}}, Now: time.Now()}
		if err := kept.Commit(t.Context(), due); err != nil {
			t.Fatal(err)
		}
		if jobs, _, err := kept.Claim(t.Context(), time.Now(), work.Lease, 1); err != nil || len(jobs) != 1 {
			t.Fatalf("%d jobs are due: %v", len(jobs), err)
		}
		for _, d := range sent {
			if d.Verb == "send" && d.To == "test:one" {
				if err := w.Chats.Edit(t.Context(), d.Message, screen.Screen{}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if slices.Equal(w.Chats.Standing(), before) {
			t.Fatal("no message was changed")
		}
		passed := len(kept.marked)
		w.Pass(2 * work.Lease)
		if marked := kept.marked[passed:]; len(marked) > 0 {
			t.Errorf("notes were written, and made due: %v", marked)
		}
		if now := w.Chats.Standing(); !slices.Equal(now, before) {
			t.Errorf("the messages are %q, and should be %q", now, before)
		}
	})
}

// noted is a store that remembers what is made due by the commits that write notes.
type noted struct {
	*storetest.Memory
	marked []store.Mark
}

func (n *noted) Commit(ctx context.Context, c store.Change) error {
	if slices.ContainsFunc(c.Writes, func(w store.Write) bool { return strings.HasPrefix(w.Name, "notes:") }) {
		n.marked = append(n.marked, c.Due...)
	}
	return n.Memory.Commit(ctx, c)
}

// mortal is a store as a process sees it that loses a job to another process, and dies as it changes the table.
type mortal struct {
	store.Store
	dies string // the table
	dead atomic.Bool
}

var errDead = errors.New("the process is dead")

func (m *mortal) Commit(ctx context.Context, c store.Change) error {
	if m.dead.Load() {
		return errDead
	}
	if m.dies == "" || !slices.ContainsFunc(c.Writes, func(w store.Write) bool { return strings.HasPrefix(w.Name, m.dies) }) {
		return m.Store.Commit(ctx, c)
	}
	taken, _, err := m.Store.Claim(ctx, c.Now.Add(2*work.Lease), work.Lease, 1)
	if err == nil {
		err = m.Store.Commit(ctx, c)
	}
	for _, job := range taken {
		err = errors.Join(err, m.Release(ctx, job, c.Now, c.Now.Add(time.Hour)))
	}
	m.dead.Store(true)
	return err
}

func (m *mortal) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]store.Job, time.Time, error) {
	if m.dead.Load() {
		return nil, time.Time{}, errDead
	}
	return m.Store.Claim(ctx, now, lease, limit)
}
