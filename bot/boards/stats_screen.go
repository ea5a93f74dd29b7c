package boards

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// Stats is a player's statistics in one home.
type Stats struct {
	Person    screen.Person
	Mine      bool // these are the reader's own statistics
	Matches   int  // this and the next three count matches with people on two sides
	Wins      int
	Run       int // current number of matches won in a row
	BestRun   int
	AIMatches int // matches alone against the AI
	AIWins    int
	Ratings   []StatsRating // one rating for each family where the player is rated
	Medals    []int         // the player's best place in each season with a place in the top three
	Best      *StatsTally   // the partner with whom the player wins most often
	Versus    []StatsTally  // the player's matches against others here
	Together  []BoardRow    // the player's matches with others against the AI
	Left      int           // part of Matches: those that the player left, which count as lost
	Judged    int           // how many of the player's latest matches the coach has gone through
	Judging   int           // how many more it is still going through
	Choices   int           // number of the player's choices in the matches that it has gone through
	Accuracy  float64       // quality of those choices, from 0 to 1
	Feats     []StatsFeat   // special things that the player has achieved
	Streak    int           // days in a row on which the player finished the deal of the day
	BestDays  int           // the highest number of such days so far; 0: none yet
	Next      string        // reader's own statistics only: a feat still to achieve; "": none
}

// StatsFeat is something special that a player did, and how often. Its texts are in
// the catalogues, under "feat.<name>" and "feat.<name>.how".
type StatsFeat struct {
	Name  string
	Times int
}

// StatsRating is the history of a rating.
type StatsRating struct {
	Family string
	Past   []int // ratings after the latest matches, the newest last; not empty
}

// StatsTally is the results of matches with or against someone.
type StatsTally struct {
	Person  screen.Person
	Matches int
	Wins    int
	Lost    int // matches that an opponent won
}

// shownMembers is the maximum number of members that whichScreen offers.
const shownMembers = 20

// whichScreen asks which of several members a person means. It numbers them by their places on the board.
func whichScreen(members []member, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Plain, "stats.which")
	var lines [][]screen.Span
	for _, m := range members[:min(len(members), shownMembers)] {
		lines = append(lines, w.Spans("cup.entry", "no", m.no, "who", screen.Dots(
			[]screen.Span{{Kind: screen.SpanPerson, Person: screen.Person{ID: m.id, Name: m.row.Name}}},
			screen.Text(w.Text("board.matches", "n", m.row.Matches+m.row.AIMatches)))))
	}
	w.Block(screen.Plain, lines...)
	return w.Screen
}

// StatsScreen returns a player's statistics as a screen.
func StatsScreen(s Stats, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	name := screen.Span{Kind: screen.SpanPerson, Person: s.Person}
	w.Say(screen.Title, "stats.title", "player", name)
	w.Screen.About = true
	var lines [][]screen.Span
	var met [][]screen.Span
	for _, t := range s.Versus {
		met = append(met, view.Versus([]screen.Span{name}, []screen.Span{{Kind: screen.SpanPerson, Person: t.Person}}, t.Wins, t.Lost, s.Mine))
	}
	if len(met) > 0 {
		lines = append(lines, w.Spans("versus", "scores", screen.Dots(met...)))
	}
	for _, r := range s.Together {
		lines = append(lines, pairSpans(w, r))
	}
	if s.Matches > 0 {
		lines = append(lines,
			w.Spans("stats.wins", "matches", w.Text("board.matches", "n", s.Matches), "wins", w.Text("board.wins", "n", s.Wins),
				"percent", percent(float64(s.Wins)/float64(s.Matches))))
		if s.Left > 0 {
			lines = append(lines, screen.Capital(w.Spans("board.left", "n", s.Left)))
		}
		if s.BestRun > 0 {
			lines = append(lines, w.Spans("stats.run", "n", s.BestRun, "now", s.Run))
		}
	} else if len(s.Together) == 0 {
		lines = append(lines, w.Spans("stats.none"))
	}
	if s.AIMatches > 0 {
		lines = append(lines, screen.Capital(screen.Text(aiText(w, s.AIMatches, s.AIWins))))
	}
	if s.BestDays > 0 {
		lines = append(lines, w.Spans("stats.streak", "n", s.Streak, "best", s.BestDays))
	}
	if s.Choices > 0 {
		lines = append(lines, w.Spans("stats.accuracy", "percent", screen.Percent(s.Accuracy), "matches", w.Text("board.matches", "n", s.Judged),
			"choices", w.Text("choices", "n", s.Choices)))
	}
	if s.Judging > 0 {
		lines = append(lines, w.Spans("stats.judging", "matches", w.Text("board.matches", "n", s.Judging)))
	}
	w.Block(screen.Plain, lines...)
	lines = nil
	for _, r := range s.Ratings {
		line := w.Spans("stats.rating", "game", screen.FamilyName(c, r.Family), "rating", r.Past[len(r.Past)-1])
		if chart := spark(r.Past); chart != "" {
			line = append(line, screen.Span{Text: " " + chart})
		}
		lines = append(lines, line)
	}
	w.Block(screen.Quote, lines...)
	lines = nil
	if t := s.Best; t != nil && t.Wins > 0 {
		lines = append(lines, w.Spans("stats.best", "player", screen.Span{Kind: screen.SpanPerson, Person: t.Person}, "result", tallyText(w, *t)))
	}
	if len(s.Medals) > 0 {
		var marks strings.Builder
		for _, place := range s.Medals {
			if place > 0 && place < len(medals) {
				marks.WriteString(medals[place])
			}
		}
		lines = append(lines, w.Spans("stats.medals", "medals", strings.TrimSpace(marks.String())))
	}
	w.Block(screen.Plain, lines...)
	w.Block(screen.Plain, featLines(w, s.Feats))
	if s.Next != "" {
		w.Say(screen.Small, "stats.next", "feat", w.Text("feat."+s.Next), "how", w.Text("feat."+s.Next+".how"))
	}
	s.picture(w)
	return w.Screen
}

// picture adds a chart of the ratings in the families that the player played most.
func (s Stats) picture(w *view.Writer) {
	rated := slices.DeleteFunc(slices.Clone(s.Ratings), func(r StatsRating) bool { return len(r.Past) < 2 })
	slices.SortStableFunc(rated, func(a, b StatsRating) int { return len(b.Past) - len(a.Past) })
	chart := &face.Chart{Title: drawn(s.Person.Name, 1), Detail: w.Text("picture.chart")}
	var words []string
	for _, r := range rated[:min(len(rated), 3)] {
		chart.Lines = append(chart.Lines, face.Line{Name: screen.FamilyName(w.Catalogue, r.Family), Points: r.Past})
		words = append(words, w.Text("stats.rating", "game", screen.FamilyName(w.Catalogue, r.Family), "rating", strings.Trim(fmt.Sprint(r.Past), "[]")))
	}
	if len(rated) > 0 {
		w.AddPicture(face.Picture{Chart: chart}, w.Text("picture.chart")+"\n"+strings.Join(words, "\n"))
	}
}

// featLines returns a line of the player's feats, with how often each was done.
func featLines(w *view.Writer, all []StatsFeat) []screen.Span {
	var names []string
	for _, f := range all {
		name := w.Text("feat." + f.Name)
		if f.Times > 1 {
			name += fmt.Sprintf(" ×%d", f.Times)
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil
	}
	return w.Spans("stats.feats", "feats", strings.Join(names, ", "))
}

func tallyText(w *view.Writer, t StatsTally) string {
	return w.Text("board.matches", "n", t.Matches) + ", " + w.Text("board.wins", "n", t.Wins)
}

// percent returns a part in percent, rounded.
func percent(part float64) int { return int(math.Round(100 * part)) }

// featsScreen explains achievements, for somebody who presses them on a result.
func featsScreen(names []string, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "button.feats")
	var lines [][]screen.Span
	for _, name := range names {
		if c.Has("feat." + name) {
			lines = append(lines, append(screen.Bold(w.Text("feat."+name)), screen.Text(" – "+w.Text("feat."+name+".how"))...))
		}
	}
	w.Block(screen.Plain, lines...)
	return w.Screen
}

// sparkBars are the bars of a small chart, from low to high. sparkLength is the
// maximum number of bars.
var sparkBars = []rune("▁▂▃▄▅▆▇█")

const sparkLength = 24

// spark returns a small chart of the latest numbers, or "" if there are fewer than
// two.
func spark(past []int) string {
	past = past[max(0, len(past)-sparkLength):]
	if len(past) < 2 {
		return ""
	}
	low, high := slices.Min(past), slices.Max(past)
	var b strings.Builder
	for _, n := range past {
		b.WriteRune(sparkBars[(n-low)*(len(sparkBars)-1)/max(1, high-low)])
	}
	return b.String()
}
