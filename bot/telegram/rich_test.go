package telegram

import (
	"strings"
	"testing"
	"time"

	"sedmabot/bot/bottest/clock"
	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
)

// A sign-up for a tournament and its standings are tables where the server has rich messages. A server without them is asked
// once, and people read the same as text, which follows every change.
func TestTournamentsAreTablesWhereTheServerHasThem(t *testing.T) {
	t.Parallel()
	for _, version := range []telegramtest.Ephemerals{telegramtest.EphemeralsNow, telegramtest.EphemeralsEarlier, telegramtest.EphemeralsNever} {
		m := lobby(t, 0, func(m *match) { m.Ephemerals = version })
		m.ann.SayIn(m.group, 0, "/evening singles "+time.Now().UTC().Add(3*time.Hour).Format("2006-01-02 15:04"))
		m.tap(m.ann, m.see(m.ann.Private(), "I'll post a sign-up"), "Post it here")
		m.tap(m.ann, m.see(m.group, "Begins: "), "Take part")
		m.tap(m.ben, m.see(m.group, "Entered: 1"), "Take part")
		list := m.see(m.group, "Entered: 2")
		rich := version == telegramtest.EphemeralsNow
		if rich && (len(list.Tables) != 1 || strings.Join(list.Tables[0], "\n") != "1.|Ann\n2.|Ben") {
			t.Errorf("the sign-up has the tables %q", list.Tables)
		}
		if !rich && (len(list.Tables) > 0 || !strings.Contains(list.Text, "1. Ann\n2. Ben")) {
			t.Errorf("version %v: the sign-up is %q", version, list.Text)
		}
		if len(list.Buttons) == 0 {
			t.Error("the sign-up has no buttons")
		}
		if n := edited(m.Server); n < 1 || !rich && n > 1 {
			t.Errorf("version %v: %d rich edits were sent", version, n)
		}
	}
}

// After a match, the group's leaderboard is a table where the server has rich messages, and says the same without tables elsewhere.
func TestTheLeaderboardAfterAMatch(t *testing.T) {
	t.Parallel()
	clock.Unraced(t)
	for _, version := range []telegramtest.Ephemerals{telegramtest.EphemeralsNow, telegramtest.EphemeralsNever} {
		m := lobby(t, 0, func(m *match) { m.Ephemerals = version; m.ben.Start("") })
		m.tap(m.ben, m.table, "Join")
		m.tap(m.ann, m.see(m.group, "Everyone is here"), "Start")
		m.play(func() bool { return !m.shows("the match is over") })
		m.ann.SayIn(m.group, 0, "/leaderboard")
		board := m.see(m.group, "Leaderboard")
		if rich := version == telegramtest.EphemeralsNow; rich != (len(board.Tables) == 1) {
			t.Errorf("version %v: the tables are %q", version, board.Tables)
		}
		said := board.Text
		for _, table := range board.Tables {
			said += strings.Join(table, "\n")
		}
		if !strings.Contains(said, "Ann") || !strings.Contains(said, "Ben") {
			t.Errorf("version %v: the leaderboard says %q", version, said)
		}
	}
}

// A leaderboard shows its numbers as a table, and what else it says when the reader asks. Where the server refuses that, at
// first or later, the board is a picture with text, or text.
func TestBoardsAreTablesWhereTheServerHasThem(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	a, _ := connected(t, s, quiet, nil)
	ann := s.Person("Ann")
	ann.Start("")
	to := chat.Target{Player: chatID(ann.ID, 0)}
	board := func(name string) screen.Screen {
		table := &screen.Table{
			Labels: []string{"Rating", "Wins"}, More: "Details",
			Rows: []screen.Row{
				{Place: 1, Name: screen.Text(name), Mark: " 🥇", Cells: []string{"1534", "8"}},
				{}, {Name: screen.Text("Only with the AI")}, {Name: screen.Text("@Ben"), Mine: true, Cells: []string{"–"}},
			},
		}
		return screen.Screen{Blocks: []screen.Block{
			{Look: screen.Title, Spans: screen.Text("Leaderboard")},
			{Spans: screen.Text("1. " + name + " – 1534, 8 wins, 2 sweeps"), Table: table},
			{Look: screen.Small, Spans: screen.Text("By rating.")},
		}}
	}
	at, err := a.Send(t.Context(), to, board("Ann"), "")
	if err != nil {
		t.Fatal(err)
	}
	newest := func() telegramtest.Message { all := ann.Private().Messages(); return all[len(all)-1] }
	const want = "||Rating|Wins\n1.|Ann 🥇|1534|8\n⋯\nOnly with the AI\n|@Ben|–|"
	m := newest()
	if len(m.Tables) != 1 || strings.Join(m.Tables[0], "\n") != want || len(m.Closed) != 1 || m.Closed[0] != "Details" || !strings.Contains(m.Text, "2 sweeps") {
		t.Errorf("the board is %q, with closed %q:\n%s", m.Tables, m.Closed, m.Text)
	}
	if err := a.Edit(t.Context(), at, board("Cat")); err != nil {
		t.Fatal(err)
	}
	if m := newest(); len(m.Tables) != 1 || !strings.Contains(m.Text, "Cat 🥇") {
		t.Errorf("after an edit, the board is %q:\n%s", m.Tables, m.Text)
	}
	if err := a.Edit(t.Context(), at, text("no board")); err != nil || newest().Text != "no board" {
		t.Errorf("after an edit to text: %v, %q", err, newest().Text)
	}
	// Another server answers now, which is older.
	s.Ephemerals = telegramtest.EphemeralsNever
	for _, name := range []string{"Dan", "Eva"} {
		if err := a.Edit(t.Context(), at, board(name)); err != nil {
			t.Fatal(err)
		}
		if m := newest(); len(m.Tables) > 0 || !strings.Contains(m.Text, "1. "+name+" – 1534") {
			t.Errorf("on an old server the board is %q", m.Text)
		}
	}
	if _, err := a.Send(t.Context(), to, board("Fay"), ""); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Calls("sendRichMessage")); n != 1 {
		t.Errorf("%d rich messages were sent", n)
	}
	if n := edited(s); n != 2 {
		t.Errorf("%d edits were rich, want one that was taken and one that was refused", n)
	}
}

// edited returns how many edits to a rich message were sent.
func edited(s *telegramtest.Server) (n int) {
	for _, c := range s.Calls("editMessageText") {
		if c.Params["rich_message"] != "" {
			n++
		}
	}
	return n
}
