package bottest

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/screen"
	"sedmabot/bot/tables"
	"sedmabot/bot/telegram"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/bot/view"
	"sedmabot/store/storetest"
)

// TestAStrangerHoldsUpNobody plays in five groups while a stranger sends twenty forged presses a second, each of which
// needs administrator rights. However slowly Telegram looks up administrators, everybody else must be answered at once.
// The time is a synctest bubble's, so only the bot's waiting counts.
func TestAStrangerHoldsUpNobody(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	for _, takes := range []time.Duration{150 * time.Millisecond, 5 * time.Second} {
		for _, limit := range []int{20, 5} { // the stranger stays within the limit, or exceeds it
			t.Run(fmt.Sprintf("%v, %d", takes, limit), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { besideAStranger(t, takes, limit) })
			})
		}
	}
}

func besideAStranger(t *testing.T, takes time.Duration, limit int) {
	const groups = 5
	while := 20 * time.Second
	if clocktest.Raced {
		while = 5 * time.Second
	}
	server := telegramtest.Within(t)
	server.Ephemerals = telegramtest.EphemeralsNever
	file := storetest.NewMemory()
	quiet := slog.New(slog.DiscardHandler)
	a, err := telegram.New(telegram.Config{Commands: bot.Commands(), Easel: easel, Token: server.Token, Base: server.URL, HTTP: server.Client(), Log: quiet, Eager: true})
	if err != nil {
		t.Fatal(err)
	}
	b := bot.New(bot.Config{Store: file, Platforms: []chat.Platform{a}, Think: easy, Log: quiet, Limits: tables.Limits{Presses: limit}})
	ctx, cancel := context.WithCancel(t.Context())
	var running, people sync.WaitGroup
	running.Go(func() { _ = a.Run(ctx, b) })
	running.Go(func() { _ = b.Run(ctx) })
	defer func() {
		cancel()
		running.Wait()
		file.Close()
	}()

	eve := server.Person("Eve")
	var tables0 []telegramtest.Message
	var players [][2]*telegramtest.Person
	var forged []string
	for i := range groups {
		ann, ben := server.Person(fmt.Sprint("Ann", i)), server.Person(fmt.Sprint("Ben", i))
		group := server.Group("Cards", ann, ben, eve)
		ann.Say(group, "/new 2")
		lobby, err := group.Wait(ctx, func(m telegramtest.Message) bool { return m.Has("Join") })
		if err != nil {
			t.Fatal(err)
		}
		for _, press := range []func() (telegramtest.Answer, error){
			func() (telegramtest.Answer, error) { return ben.Press(ctx, lobby, "Join") },
			func() (telegramtest.Answer, error) { return ann.Press(ctx, lobby, "Start") },
		} {
			if _, err := press(); err != nil {
				t.Fatal(err)
			}
		}
		m, err := group.Wait(ctx, func(m telegramtest.Message) bool { return m.Has("My cards") })
		if err != nil {
			t.Fatal(err)
		}
		tables0, players = append(tables0, m), append(players, [2]*telegramtest.Person{ann, ben})
		forged = append(forged, forge(m, group.ID)...)
	}
	if len(forged) != 3*groups {
		t.Fatalf("%d presses are forged", len(forged))
	}

	server.Fail(telegramtest.Failure{Method: "getChatMember", Delay: takes})
	began := time.Now()
	for n := range int(20 * while / time.Second) {
		people.Go(func() {
			time.Sleep(time.Duration(n) * time.Second / 20)
			at := tables0[n%groups]
			if answer, err := eve.PressData(ctx, at, forged[n%len(forged)]); err != nil || strings.Contains(answer.Text, "Done") {
				t.Errorf("the stranger is told %q, %v", answer.Text, err)
			}
		})
	}
	var mu sync.Mutex
	var waits []time.Duration
	for i, pair := range players {
		for j, who := range pair {
			people.Go(func() {
				time.Sleep(time.Duration(7*i+3*j) * time.Millisecond)
				for time.Since(began) < while {
					pressed := time.Now()
					if answer, err := who.Press(ctx, tables0[i], "My cards"); err != nil || answer == (telegramtest.Answer{}) {
						t.Errorf("the answer is %+v, %v", answer, err)
					}
					mu.Lock()
					waits = append(waits, time.Since(pressed))
					mu.Unlock()
					time.Sleep(330 * time.Millisecond)
				}
			})
		}
	}
	people.Wait()
	slices.Sort(waits)
	asked := 0
	for _, c := range server.Calls("getChatMember") {
		if c.Params["user_id"] == fmt.Sprint(eve.ID) {
			asked++
		}
	}
	t.Logf("of %d presses p50 %v, p99 %v, at most %v; it was asked %d times what the stranger is",
		len(waits), waits[len(waits)/2], waits[len(waits)*99/100], waits[len(waits)-1], asked)
	if p99 := waits[len(waits)*99/100]; p99 >= 300*time.Millisecond {
		t.Errorf("others were answered within %v at p99", p99)
	}
	if asked == 0 || asked > groups { // an answer is cached for a minute
		t.Errorf("it was asked %d times what the stranger is", asked)
	}
}

// forge returns presses for which only an administrator of the group has the right.
func forge(m telegramtest.Message, group int64) (presses []string) {
	for _, row := range m.Buttons {
		for _, button := range row {
			if p, err := view.ParsePress(button.Data); err == nil && p.Action == view.ActCards {
				presses = append(presses, view.Press{Action: view.ActClose, Table: p.Table}.String(),
					view.Press{Action: view.ActKick, Table: p.Table, Place: 1}.String(),
					screen.PressOf("cfg", "lang", "cs", fmt.Sprint("telegram:", group)))
			}
		}
	}
	return presses
}
