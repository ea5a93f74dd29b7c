package web_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/playground"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// pair opens a table for Ann and Ben in the channel, whose first deal has begun, and
// returns their pages.
func (r *room) pair(t testing.TB) (ann, ben *page) {
	t.Helper()
	for _, c := range [][2]string{{playground.Ann, "/new 2"}, {playground.Ben, "/join"}, {playground.Ann, "/begin"}} {
		if _, err := r.Command(t.Context(), c[0], playground.Channel, c[1]); err != nil {
			t.Fatal(err)
		}
	}
	ann, ben = r.enter(t, r.link(t, playground.Ann, "")), r.enter(t, r.link(t, playground.Ben, ""))
	ann.next()
	ben.next()
	return ann, ben
}

// A page may send anything up its socket. The bot doesn't panic, the lines of other pages stay
// open, and only a press that the seat may make changes the table.
func FuzzUp(f *testing.F) {
	for _, seed := range []string{
		`{"t":"press","id":1,"press":"play:$T:1:0:Ah","at":"$T"}`, `{"t":"press","id":1,"press":"hint:$T","at":"$T"}`,
		`{"t":"press","id":1,"press":"more:$T","at":"$T"}`, `{"t":"press","id":1,"press":"rules:$T"}`, `{"t":"press","id":-1,"press":"start:$T","at":"zzz"}`,
		`{"t":"press","id":9223372036854775807,"press":"set:$T:length:h1","at":"$T"}`, `{"t":"press","press":"kick:$T:1","at":"$T"}`,
		`{"t":"press","press":"place:$T:1:0:1","at":"$T"}`, `{"t":"press","press":"mine:page::","at":"$T"}`, `{"t":"press","press":"bump:$T","at":"$T"}`,
		`{"t":"table","table":"$T"}`, `{"t":"table","table":""}`, `{"t":"table","table":"../x"}`, `{"t":"lang","lang":"cs"}`, `{"t":"ping"}`,
		`{"t":"press","id":1e99}`, `{"t":["press"]}`, `[]`, `null`, `{`, "", "\x00\xff", `{"t":"press","press":"` + strings.Repeat("x", 1100) + `"}`,
	} {
		f.Add([]byte(seed), false)
	}
	f.Add([]byte(`{"t":"press"}`), true)
	r := open(f)
	ann, ben := r.pair(f)
	f.Fuzz(func(t *testing.T, data []byte, binary bool) {
		id := ben.live.Table
		before, err := r.bot.Pages().Table(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		data = []byte(strings.ReplaceAll(string(data), "$T", id))
		kind := websocket.MessageText
		if binary {
			kind = websocket.MessageBinary
		}
		if endsPlay(data) {
			t.Skip("it may end the play at the table, which all inputs share")
		}
		ben.t = t
		line := ann.dial(t)
		defer func() { _ = line.CloseNow() }()
		_ = line.Write(t.Context(), kind, data)
		_ = line.Write(t.Context(), websocket.MessageText, []byte(`{"t":"press","id":4242,"press":"","at":"`+id+`"}`))
		for { // the last message is answered, or the socket is closed
			_, got, err := line.Read(t.Context())
			if err != nil {
				break
			}
			var m message
			if err := json.Unmarshal(got, &m); err != nil {
				t.Fatalf("a page got %q: %v", got, err)
			}
			if m.T == "answer" && m.ID == 4242 {
				break
			}
		}
		after, err := r.bot.Pages().Table(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if after.Version != before.Version && !mayPress(data, before.Public) {
			t.Errorf("%q changed the table (-before +after):\n%s", data, cmp.Diff(before.Public, after.Public))
		}
		if m := ben.press("no button"); m.Toast == "" {
			t.Error("the other page's press has no answer")
		}
	})
}

// endsPlay reports whether a message could end or pause a match, or let an AI play.
func endsPlay(data []byte) bool {
	var m struct{ Press string }
	_ = json.Unmarshal(data, &m) // then it presses nothing
	press, err := view.ParsePress(m.Press)
	return err == nil && slices.Contains([]string{view.ActClose, view.ActLeave, view.ActRest, view.ActLast, view.ActKick}, press.Action)
}

// mayPress reports whether Ann's page could make this press at the table.
func mayPress(data []byte, p table.Public) bool {
	var m struct{ T, Press, At string }
	if json.Unmarshal(data, &m) != nil || m.T != "press" || m.At != p.ID {
		return false
	}
	press, err := view.ParsePress(m.Press)
	if err != nil || press.Table != p.ID {
		return false
	}
	if press.Action == view.ActPlay || press.Action == view.ActPlace {
		return press.Deal == p.DealNo && p.Turn >= 0 && p.Seats[p.Turn].Player.ID == playground.Ann
	}
	return true
}
