package boards

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// BoardRow is one row of a leaderboard. Equal results have equal ranks.
type BoardRow struct {
	Rank      int // from 1
	Person    screen.Person
	Pair      bool   // Person stands for people who played together against the AI, and has their names
	Against   string // with Pair: the AI's level
	Lost      int    // with Pair: matches that the AI won
	Medal     int    // 1 to 3: the player's place last season; 0: none
	Rating    int    // 0: the player has no rating yet
	Matches   int    // this and the next two count matches with people on two sides, or those of a pair
	Wins      int
	Left      int // matches that the player left, which count as lost
	AIMatches int // matches alone against the AI
	AIWins    int
	Me        bool
}

// Ladder is a page of a leaderboard.
type Ladder struct {
	Press  Press      // the press that shows this page
	Rows   []BoardRow // rows from Press.From on, at most Size
	Near   []BoardRow // the reader and the rows around, if the reader is on the board but not among Rows
	Total  int
	Size   int
	Resets time.Time // when the period ends, in the zone of its home; zero: never
	Hall   bool      // the hall of fame exists
	Seen   Seen      // on a board over all chats: how the reader appears to people of other chats
}

// Seen says whether the reader's name is shown to people of other chats.
type Seen uint8

// The values of Seen.
const (
	SeenNowhere Seen = iota // the reader isn't on the board, or others read it too: nothing is said
	SeenAsk                 // the reader hasn't said, so the board asks
	SeenNamed
	SeenUnnamed
)

// boardPeriods are the periods that have boards, as values of Press.Period.
var boardPeriods = []string{"week", "month", "season", "all"}

// Board returns a page of a leaderboard.
func Board(l Ladder, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "board.title", "game", screen.FamilyName(c, l.Press.Family))
	head := [][]screen.Span{w.Spans("period." + l.Press.Period)}
	if l.Press.Where == 1 {
		head = append(head, w.Spans("where.everywhere"))
	}
	if !l.Resets.IsZero() && l.Total > 0 {
		head = append(head, w.Spans("board.resets", "date", screen.DayText(c, l.Resets), "zone", l.Resets.Location().String()))
	}
	w.Block(screen.Small, screen.Dots(head...))
	byWins := l.byWins()
	for _, rows := range [][]BoardRow{l.Rows, l.Near} {
		for i := range rows {
			rows[i].Person = w.Called(rows[i].Person)
		}
	}
	lines := boardLines(w, l.Rows, byWins)
	if len(l.Near) > 0 {
		lines = append(append(lines, screen.Text("⋯")), boardLines(w, l.Near, byWins)...)
	}
	if len(lines) == 0 {
		w.Say(screen.Plain, "board.empty")
	} else {
		w.Block(screen.Plain, l.leads(w))
		w.Block(screen.Plain, lines...)
		l.picture(w, byWins, screen.PlainText(face.French, screen.Dots(head...)))
		if l.Total > len(l.Rows) {
			w.Say(screen.Small, "board.page", "from", l.Press.From+1, "to", l.Press.From+len(l.Rows), "n", l.Total)
		}
		switch {
		case !slices.ContainsFunc(l.Rows, func(r BoardRow) bool { return !r.Pair }): // pairs aren't ranked
		case byWins:
			w.Say(screen.Small, "board.order.wins")
		default:
			w.Say(screen.Small, "board.order.rating")
		}
	}
	l.askSeen(w)
	l.buttons(w)
	return w.Screen
}

// askSeen says how the reader appears to people of other chats. If the reader hasn't
// decided on that, it asks.
func (l Ladder) askSeen(w *view.Writer) {
	switch l.Seen {
	case SeenNowhere:
	case SeenAsk:
		w.Say(screen.Plain, "seen.ask", "name", w.Text("person.unnamed"))
		yes, no := l.Press, l.Press
		yes.word, no.word = actSeen, actUnseen
		w.Row(w.Button(yes.String(), screen.Primary), w.Button(no.String(), screen.Quiet))
	case SeenNamed:
		w.Say(screen.Small, "seen.yes")
	case SeenUnnamed:
		w.Say(screen.Small, "seen.no", "name", w.Text("person.unnamed"))
	}
}

// mostFriends is how many people a board may have that says who leads them.
const mostFriends = 4

// leads says who leads on a board of friends. Of two, one won what the other lost.
func (l Ladder) leads(w *view.Writer) []screen.Span {
	var friends []BoardRow
	for _, r := range l.Rows {
		if !r.Pair && r.Matches > 0 {
			friends = append(friends, r)
		}
	}
	if len(friends) < 2 || len(friends) > mostFriends || l.Total != len(l.Rows) || l.Press.Where == 1 || friends[0].Wins == 0 {
		return nil
	}
	a, b := friends[0], friends[1]
	switch {
	case len(friends) == 2 && a.Wins > b.Wins:
		return w.Spans("board.leads", "a", named(a), "b", named(b), "score", view.Against(a.Wins, b.Wins))
	case len(friends) == 2:
		return view.Versus(named(a), named(b), a.Wins, b.Wins, false)
	case a.Rank == b.Rank:
		return nil
	case a.Rating != 0 && !l.byWins():
		return w.Spans("board.leader.rating", "player", named(a))
	}
	return w.Spans("board.leader.wins", "player", named(a))
}

// byWins reports whether the board knows no ratings.
func (l Ladder) byWins() bool {
	return l.Press.Period == league.Weekly || l.Press.Period == league.Monthly
}

// pairSpans returns how people stand who played together against the AI.
func pairSpans(w *view.Writer, r BoardRow) []screen.Span {
	return w.Spans("board.pair", "pair", r.Person.Name, "ai", view.OpponentName(w, r.Against), "score", view.Against(r.Wins, r.Lost))
}

// picture adds the page as a picture.
func (l Ladder) picture(w *view.Writer, byWins bool, detail string) {
	r := &face.Ranking{
		Title: w.Text("board.title", "game", screen.FamilyName(w.Catalogue, l.Press.Family)), Detail: detail,
		Labels: []string{w.Text("picture.rating"), w.Text("picture.wins"), w.Text("picture.matches")},
	}
	if byWins = byWins || !slices.ContainsFunc(slices.Concat(l.Rows, l.Near), func(r BoardRow) bool { return r.Rating != 0 }); byWins {
		r.Labels = r.Labels[1:]
	}
	add := func(rows []BoardRow) {
		for i, row := range rows {
			if only := row.onlyAI(); only && (i == 0 || !rows[i-1].onlyAI()) {
				r.Rows = append(r.Rows, face.Rank{Name: w.Text("picture.only_ai")})
			}
			r.Rows = append(r.Rows, row.rank(w, byWins))
		}
	}
	add(l.Rows)
	if len(l.Near) > 0 {
		r.Rows = append(r.Rows, face.Rank{})
		add(l.Near)
	}
	w.AddPicture(face.Picture{Ranking: r}, "")
}

// onlyAI reports whether the player was alone against the AI in all matches. The picture shows their numbers under a heading that
// says so.
func (r BoardRow) onlyAI() bool { return r.Matches == 0 && r.AIMatches > 0 }

// rank returns the row for a picture. Only players who have won against people get a
// medal. If the name cannot be drawn, the row shows the rank instead, and the text shows
// both.
func (r BoardRow) rank(w *view.Writer, byWins bool) face.Rank {
	matches, wins := r.Matches, r.Wins
	if r.onlyAI() {
		matches, wins = r.AIMatches, r.AIWins
	}
	name := r.Person.Name
	if r.Pair {
		name += " – " + w.Text("ai."+r.Against)
	}
	out := face.Rank{Plain: r.Wins == 0, Name: drawn(name, r.Rank), Mine: r.Me, Cells: []string{r.rating(), fmt.Sprint(wins), fmt.Sprint(matches)}}
	if r.placed(byWins) {
		out.Place = r.Rank
	}
	if byWins {
		out.Cells = out.Cells[1:]
	}
	return out
}

// rating returns the row's rating for a picture.
func (r BoardRow) rating() string {
	if r.Rating == 0 {
		return "–"
	}
	return fmt.Sprint(r.Rating)
}

// drawn returns a name for a picture, or a number if the font lacks some of its
// letters.
func drawn(name string, no int) string {
	if face.Legible(name) {
		return name
	}
	return fmt.Sprintf("(%d.)", no)
}

func (l Ladder) buttons(w *view.Writer) {
	to := func(key string, change func(*Press)) screen.Button {
		p := l.Press
		change(&p)
		return screen.Button{Label: w.Text(key), Press: p.String()}
	}
	var row []screen.Button
	if l.Press.From > 0 {
		row = append(row, to("button.up", func(p *Press) { p.From = max(0, p.From-l.Size) }))
	}
	if l.Press.From+l.Size < l.Total {
		row = append(row, to("button.down", func(p *Press) { p.From += l.Size }))
	}
	w.Row(row...)
	row = nil
	for _, period := range boardPeriods {
		b := to("period."+period, func(p *Press) { p.Period, p.From = period, 0 })
		if b.Off = period == l.Press.Period; b.Off {
			b.Press = l.Press.String() // this same page: button.up may lead to its top, and two buttons must not have the same data
		}
		row = append(row, b)
	}
	w.Row(row...)
	other := to("where.everywhere", func(p *Press) { p.Where, p.From = 1, 0 })
	if l.Press.Where == 1 {
		other = to("where.here", func(p *Press) { p.Where, p.From = 0, 0 })
	}
	row = []screen.Button{other}
	if l.Press.Where == 0 {
		row = append(row, w.Button(view.DailyNow, screen.Quiet))
	}
	if l.Hall {
		row = append(row, to("button.hall", func(p *Press) { p.word, p.From = actHall, 0 }))
	}
	w.Row(row...)
}

// medals are the marks beside the names of last season's top three, by place.
var medals = [...]string{"", " 🥇", " 🥈", " 🥉"}

func boardLines(w *view.Writer, rows []BoardRow, byWins bool) [][]screen.Span {
	var lines [][]screen.Span
	for _, r := range rows {
		var line []screen.Span
		switch {
		case r.Pair:
			line = pairSpans(w, r)
		case r.placed(byWins):
			line = w.Spans("board.row", "rank", r.Rank, "player", named(r), "what", screen.Text(r.words(w, byWins)))
		default:
			line = w.Spans("board.row.none", "player", named(r), "what", screen.Text(r.words(w, byWins)))
			if name := drawn(r.Person.Name, r.Rank); name != r.Person.Name { // the picture shows a number in place of the name
				line = append(screen.Text(name+" "), line...)
			}
		}
		if r.Me {
			line = append(screen.Bold("▸ "), line...)
		}
		lines = append(lines, line)
	}
	return lines
}

// named returns the player's name with their medal.
func named(r BoardRow) []screen.Span {
	name := []screen.Span{{Kind: screen.SpanPerson, Person: r.Person}}
	if r.Medal > 0 && r.Medal < len(medals) {
		name = append(name, screen.Span{Text: medals[r.Medal]})
	}
	return name
}

// words returns a row's text about the player, starting with the number that orders
// the board.
func (r BoardRow) words(w *view.Writer, byWins bool) string {
	var words []string
	if r.Rating != 0 && !byWins {
		words = append(words, fmt.Sprint(r.Rating))
	}
	switch {
	case r.Matches > 0:
		words = append(words, w.Text("board.won", "wins", r.Wins, "matches", r.Matches))
	case r.AIMatches > 0:
		words = append(words, aiText(w, r.AIMatches, r.AIWins))
	}
	return strings.Join(words, ", ")
}

// aiText returns the results of matches alone against the AI as text.
func aiText(w *view.Writer, matches, wins int) string {
	return w.Text("board.ai", "won", w.Text("board.won", "wins", wins, "matches", matches))
}

// placed reports whether the row has a place on the board: those who have nothing to be ranked by come after the others,
// without a number. The store ranks them by the same rule: see [league.Totals.Stayed].
func (r BoardRow) placed(byWins bool) bool {
	return !r.Pair && (r.Matches > r.Left || !byWins && r.Rating != 0)
}

// HallSeason is a season of the hall of fame, with the top players at its end.
type HallSeason struct {
	Key    string // "2026-10+3" is the three-month season that began in October
	Places []BoardRow
}

// Hall returns the hall of fame, the latest season first. back is the press that
// shows it.
func Hall(back Press, seasons []HallSeason, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "hall.title", "game", screen.FamilyName(c, back.Family))
	ranking := &face.Ranking{Title: w.Text("hall.title", "game", screen.FamilyName(c, back.Family)), Labels: []string{w.Text("picture.rating")}}
	for _, s := range seasons {
		began, _, _ := strings.Cut(s.Key, "+")
		if first, err := time.Parse("2006-01", began); err == nil {
			began = first.Format(c.Text("date.month"))
		}
		lines := [][]screen.Span{w.Spans("hall.season", "month", screen.Bold(began))}
		if len(s.Places) > 0 {
			ranking.Rows = append(ranking.Rows, face.Rank{Name: w.Text("hall.season", "month", began)})
		}
		for _, r := range s.Places {
			r.Person = w.Called(r.Person)
			what := fmt.Sprint(r.Rating)
			if r.Rating == 0 {
				what = r.words(w, false)
			}
			lines = append(lines, w.Spans("board.row", "rank", r.Rank, "player", named(r), "what", screen.Text(what)))
			ranking.Rows = append(ranking.Rows, face.Rank{Place: r.Rank, Name: drawn(r.Person.Name, r.Rank), Mine: r.Me, Cells: []string{r.rating()}})
		}
		if len(s.Places) == 0 {
			lines = append(lines, w.Spans("hall.nobody"))
		}
		w.Block(screen.Plain, lines...)
	}
	if len(seasons) == 0 {
		w.Say(screen.Plain, "hall.empty")
	}
	if len(ranking.Rows) > 0 {
		w.AddPicture(face.Picture{Ranking: ranking}, "")
	}
	back.word = actLadder
	w.Row(screen.Button{Label: w.Text("button.board"), Press: back.String()})
	return w.Screen
}
