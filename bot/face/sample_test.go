package face

import (
	"fmt"
	"testing"

	"sedmabot/game"
)

func cardsOf(t testing.TB, texts ...string) (out []game.Card) {
	for _, s := range texts {
		c, err := game.ParseCard(s)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

func samples(t testing.TB) map[string]Picture {
	cs := cardsOf(t, "7h", "Ua", "Al", "Ob", "Tb", "7l", "Kh", "9a")
	seats := []Seat{{Name: "Eva", Turn: true}, {Name: "Kateřina Nováková", Side: 1}, {Name: "Žofie", Dealer: true, Leads: true}, {Name: "Počítač 4", Side: 1}}
	var plays []Play
	for i, c := range cs[:7] {
		plays = append(plays, Play{(i + 1) % 4, c})
	}
	out := map[string]Picture{
		"table4": {Face: Czech, Table: &Table{Headline: "Eva: dál, nebo stop?", Detail: "Bere Žofie · ve štychu 40", Seats: seats, Plays: plays, Winning: 5, Stock: 12, Labels: [2]string{"Body", "Stav"}, Dealer: "R", Leads: "vynáší", Sides: []Side{{30, 4}, {20, 7}}}},
		"hand":   {Face: Czech, Hand: &Hand{Cards: cs[:4], Dim: []bool{false, true, true, false}}},
		"result": {Face: Czech, Result: &Result{Title: "Sedma, 4 hráči · 1 hra", Headline: "Eva + Žofie", Detail: "platí 2: mají všechny body", Won: true, Cards: cs[:4],
			Large: []int{90, 0}, Sides: []int{0, 1}, Label: "Body", Columns: [3]string{"Nejlepší štych", "Hodnocení", "Šňůra"}, Rows: []ResultRow{
				{Side: 0, Won: true, People: []ResultPerson{{"Eva", cs[0], 40, "1214", "+38", "3"}, {"Žofie", cs[2], 20, "1188", "+41", ""}}},
				{Side: 1, People: []ResultPerson{{"Kateřina Nováková-Procházková", 0, 0, "1102", "−31", ""}, {"Počítač 4", cs[4], 10, "", "", ""}}}},
			Decisive: &DecisiveTrick{Title: "Rozhodl štych 5/8, 1. rozdání", Cards: cs[:4], Names: []string{"Eva", "Kateřina Nováková", "Žofie", "Počítač 4"}, Winning: 2, Caption: "Žofie vzala 30 bodů"}}},
		"match": {Face: Czech, Result: &Result{Title: "Sedma, 4 hráči · 8 her", Headline: "Eva + Žofie", Detail: "vyhrávají zápas", Won: true, Cards: cs[:4],
			Label: "Stav", Columns: [3]string{"Nejlepší štych"}, Rows: []ResultRow{{Side: 0, Won: true, Score: "10", People: []ResultPerson{{"Eva", cs[0], 40, "", "", ""}, {"Žofie", cs[2], 20, "", "", ""}}},
				{Side: 1, Score: "7", People: []ResultPerson{{"Kateřina Nováková", cs[6], 50, "", "", ""}, {"Počítač 4", cs[4], 10, "", "", ""}}}},
			Progress: [][]int{{1, 2, 2, 4, 4, 7, 7, 8, 10}, {0, 0, 2, 2, 5, 5, 7, 7, 7}}, Art: 1,
			Decisive: &DecisiveTrick{Title: "Rozhodl poslední štych, 9. rozdání", Cards: cs[:4], Names: []string{"Eva", "Kateřina Nováková", "Žofie", "Počítač 4"}, Winning: 2, Caption: "Žofie vzala 30 bodů"}}},
	}
	long := &Result{Title: "Sedma, 3 players", Headline: "Draw", Detail: "15 deals", Art: -1, Label: "Score", Columns: [3]string{"Best trick", "Rating", "In a row"}, Rows: []ResultRow{
		{Side: 0, Score: "9", People: []ResultPerson{{"Eva", cs[0], 40, "1700", "+1", "12"}}}, {Side: 1, Score: "9", People: []ResultPerson{{"Dan", cs[1], 10, "1004", "−112", ""}}},
		{Side: 2, Score: "−14", People: []ResultPerson{{"Kateřina Nováková", 0, 0, "998", "0", ""}}},
	}, Decisive: &DecisiveTrick{Title: "Zdecydowała lewa 13/13, rozdanie 15", Cards: cs, Names: []string{"Eva", "Dan", "Eva", "Dan", "Eva", "Dan", "Eva", "Dan"}, Seats: []int{0, 1, 0, 1, 0, 1, 0, 1}, Winning: 5}}
	for i := range 15 {
		for side, n := range []int{i*3/5 + 1, (i*i + 40) / 26, 2 - i*6/14} {
			if len(long.Progress) <= side {
				long.Progress = append(long.Progress, nil)
			}
			long.Progress[side] = append(long.Progress[side], n)
		}
	}
	out["long"] = Picture{Face: French, Result: long}
	for art := range 6 {
		if art != 0 && art != 1 && art != 5 { // those are above and in "result"
			out[fmt.Sprint("art", art)] = Picture{Face: German, Result: &Result{Title: "Sedma", Headline: "Eva", Won: true, Cards: cs[:4], Art: art,
				Rows: []ResultRow{{Side: 0, Won: true, People: []ResultPerson{{Name: "Eva"}}}, {Side: 1, People: []ResultPerson{{Name: "Dan"}}}}}}
		}
	}
	six := append(append([]Seat{}, seats...), Seat{Name: "Ота"}, Seat{Name: "6", Side: 1})
	var p6 []Play
	for i := range 14 {
		p6 = append(p6, Play{i % 6, cs[i%8]})
	}
	out["table6"] = Picture{Face: German, Table: &Table{Seats: six, Plays: p6, Winning: 7, Stock: 40, Headline: "Eva's turn: beat Kateřina Nováková's 9", Detail: "30 points in the trick", Labels: [2]string{"Points", "Score"}, Dealer: "D", Sides: []Side{{130, 240}, {20, 370}}}}
	open := *out["table4"].Table
	open.Seats, open.Hands = append([]Seat{}, seats...), []Hand{{cs[:4], make([]bool, 4)}, {cs[4:], []bool{true, false, false, true}}, {[]game.Card{cs[1], 0, cs[5], 0}, make([]bool, 4)}, {make([]game.Card, 4), make([]bool, 4)}}
	out["hands4"] = Picture{Face: French, Table: &open}
	dealt := *out["table6"].Table
	for range six {
		dealt.Hands = append(dealt.Hands, Hand{cs[:6], make([]bool, 6)})
	}
	out["hands6"] = Picture{Face: Czech, Table: &dealt}
	three := append([]Seat{}, seats[:3]...)
	three[2].Side = 2
	out["table3"] = Picture{Face: Plain, Table: &Table{Seats: three, Plays: []Play{{1, cs[0]}, {2, cs[4]}}, Winning: 0, Stock: 0, Headline: "Eva's turn", Detail: "10 points in the trick", Labels: [2]string{"Points", "Score"}, Dealer: "D", Sides: []Side{{30, 2}, {20, 3}, {0, 9}}}}
	out["table2"] = Picture{Face: French, Table: &Table{Seats: seats[:2], Plays: []Play{{1, cs[0]}, {0, cs[4]}, {1, cs[5]}, {0, cs[6]}}, Winning: 2, Stock: 20, Headline: "Eva: continue or stop?", Detail: "Kateřina is winning · 20 points in the trick", Labels: [2]string{"Points", "Score"}, Dealer: "D", Sides: []Side{{30, 2}, {20, 3}}}}
	out["empty"] = Picture{Face: Czech, Table: &Table{Headline: "Eva vynáší", Seats: seats, Winning: -1, Stock: 16, Labels: [2]string{"Body", "Stav"}, Dealer: "R", Leads: "vynáší", Sides: []Side{{0, 4}, {0, 7}}}}
	leading := append([]Seat{}, seats...)
	leading[2].Leads = false
	out["trick"] = Picture{Face: Czech, Table: &Table{Seats: leading, Plays: plays[:4], Past: true, Winning: 3, Stock: 12, Labels: [2]string{"Body", "Stav"}, Dealer: "R", Headline: "Eva vynáší", Detail: "Eva vzala 20 bodů", Sides: []Side{{30, 4}, {20, 7}}}}
	places := []Place{{Name: "Eva", Note: "vede stůl"}, {Name: "Kateřina Nováková z Nového Města", Side: 1}, {Name: "AI 3", Note: "naplno"}, {Name: "volné místo", Side: 1, Free: true}}
	sevens := cardsOf(t, "7a", "7l", "7h", "7b")
	out["lobby2"] = Picture{Face: German, Lobby: &Lobby{Seats: places[2:], Cards: cardsOf(t, "7a", "7l", "8h", "8b")}}
	alone := append([]Place{}, places[1:]...)
	alone[0].Side, alone[1].Side, alone[2].Side = 0, 1, 2
	out["lobby3"] = Picture{Face: French, Lobby: &Lobby{Seats: alone, Cards: cardsOf(t, "7c", "7s", "7h", "7d")}}
	out["lobby4"] = Picture{Face: Czech, Lobby: &Lobby{Seats: places, Cards: sevens}}
	out["lobby6"] = Picture{Face: Plain, Lobby: &Lobby{Seats: append(append([]Place{}, places...), Place{Name: "Ота", Note: "ШІ"}, places[3]), Cards: cardsOf(t, "7c", "7s", "2h", "2d")}}
	var tiles []Tile
	for i, name := range []string{"Sedma", "Sedma osmová", "Slovenská sedma", "Kováčova sedma", "Fotbalový zápas", "Hola", "Ristikontra", "Zsírozás", "Sedmice", "Šuster", "Șeptică"} {
		tiles = append(tiles, Tile{name, cs[i%3 : i%3+2], "120 bodů", "2, 3, 4"})
	}
	out["games"] = Picture{Face: Czech, Games: &Games{Tiles: tiles, Chosen: 2}}
	out["ranking"] = Picture{Ranking: &Ranking{Title: "Tabulka: Sedma", Detail: "tato sezóna, do 31. 12. 2026", Labels: []string{"Hodnocení", "Zápasy", "Výhry", "Sázky", "S AI"}, Rows: []Rank{
		{1, "Eva", false, []string{"1642", "18", "11", "+23", "–"}, false, ""}, {2, "Žofie", false, []string{"1588", "12", "7", "+9", "3"}, false, ""},
		{2, "Kateřina Nováková-Procházková", false, []string{"1588", "11", "5", "−4", "–"}, false, ""},
		{4, "Ота", false, []string{"1490?", "2", "0", "−12", "40"}, false, ""}, {0, "Zatím jen s počítačem", false, nil, false, ""}, {0, "Jan", true, []string{"–", "1", "0", "−2", "–"}, true, ""}, {}, {11, "6", true, []string{"1201", "104", "44", "−1204", "1000"}, false, ""},
	}}}
	out["week"] = Picture{Ranking: &Ranking{Title: "Leaderboard: Hola", Detail: "This week", Labels: []string{"Stakes", "Wins", "Matches", "With AI"}, Rows: []Rank{
		{1, "Maximilián Podhradský-Novotný", true, []string{"+12", "4", "5", "1"}, false, ""}, {2, "Ben", false, []string{"−12", "1", "5", "–"}, false, ""},
	}}}
	out["hall"] = Picture{Ranking: &Ranking{Title: "Síň slávy: Sedma", Labels: []string{"Rating"}, Rows: []Rank{
		{Name: "2026-10"}, {1, "Eva", false, []string{"1642"}, false, ""}, {2, "Žofie", true, []string{"1588"}, false, ""}, {Name: "2026-07"}, {1, "Žofie", true, []string{"1612"}, false, ""},
	}}}
	out["chart"] = Picture{Chart: &Chart{Title: "Žofie", Detail: "Rating po posledních zápasech", Lines: []Line{
		{"Sedma", []int{1500, 1512, 1498, 1530, 1555, 1541, 1572, 1588}}, {"Hola", []int{1500, 1483, 1490, 1476}}, {"Ristikontra", []int{1500, 1500}},
	}}}
	return out
}

func BenchmarkPNG(b *testing.B) {
	p := samples(b)["table4"]
	e := NewEasel()
	e.PNG(p)
	b.ReportAllocs()
	for b.Loop() {
		e.PNG(p)
	}
}
