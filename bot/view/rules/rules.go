// Package rules says the rules of a game in words, all generated from the options that the engine uses: a screen with
// the rules in one minute, one with the exact rules, and single lines for lobbies and results. A new option of the
// rules needs a topic in rules.go.
package rules

import (
	"fmt"
	"slices"
	"strings"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
)

// topic is one subject of the rules: the options that determine it, and its text. If a
// topic has nothing to say, its text is empty. Some topics say in a shorter text how they differ from plain, the plain
// game, in the changed options; that text is empty if the whole one is needed.
type topic struct {
	options []string
	say     func(w *screen.Writer, r game.Rules) []screen.Span
	differ  func(w *screen.Writer, r, plain game.Rules, changed []string) []screen.Span
}

// Screen shows the rules of a game, generated from the options that the engine uses: what the game is like, and how to play
// in one minute. A variant of Sedma begins with how it differs from the plain game, and [Play] has the rest. So it is short,
// and a chat on a phone shows its beginning. play and exact are the presses of buttons that show Play and [Exact]. Cards are
// shown in the reader's usual face.
func Screen(r game.Rules, play, exact string, c *lang.Catalogue) screen.Screen {
	w := screen.NewWriter(c, face.For("", c.Code(), r.Deck))
	special := Differences(w, r)
	if len(special) == 0 {
		return Play(r, exact, c)
	}
	opening(w, r)
	w.Say(screen.Plain, "rules.special", "plain", screen.GameName(c, plainGame(r)))
	w.Block(screen.Quote, special...)
	w.Row(screen.Button{Label: c.Text("button.how"), Press: play}, screen.Button{Label: c.Text("button.exact"), Press: exact})
	return w.Screen
}

// Play shows how to play a game in one minute. exact is the press of a button that shows [Exact].
func Play(r game.Rules, exact string, c *lang.Catalogue) screen.Screen {
	w := screen.NewWriter(c, face.For("", c.Code(), r.Deck))
	w.Say(screen.Title, "rules.title", "game", screen.GameName(w.Catalogue, r))
	w.Block(screen.Plain, minute(w, r)...)
	w.Row(screen.Button{Label: c.Text("button.exact"), Press: exact})
	return w.Screen
}

// opening says which game it is, and what it is like.
func opening(w *screen.Writer, r game.Rules) {
	w.Say(screen.Title, "rules.title", "game", screen.GameName(w.Catalogue, r))
	if kind := "kind." + game.Family(r.Preset); w.Has(kind) {
		w.Say(screen.Small, kind)
	}
}

// Exact shows the exact rules of a game in the order of play. For a variant of Sedma, they begin with the differences from
// the plain game.
func Exact(r game.Rules, c *lang.Catalogue) screen.Screen {
	w := screen.NewWriter(c, face.For("", c.Code(), r.Deck))
	w.Say(screen.Title, "rules.title", "game", screen.GameName(c, r))
	special, usual := sentences(w, r, false)
	if len(special) > 0 {
		w.Say(screen.Plain, "rules.special", "plain", screen.GameName(c, plainGame(r)))
		w.Block(screen.Quote, special...)
		if len(usual) > 0 {
			w.Say(screen.Plain, "rules.usual")
		}
	}
	w.Block(screen.Plain, usual...)
	return w.Screen
}

// Differences says in plain words how a variant differs from the plain game. It returns nil for plain games.
func Differences(w *screen.Writer, r game.Rules) [][]screen.Span {
	special, _ := sentences(w, r, true)
	return special
}

// Option says in plain words what one option of the rules means in this game, or nil if it has no effect.
func Option(w *screen.Writer, r game.Rules, option string) []screen.Span {
	for _, t := range topics {
		if slices.Contains(t.options, option) {
			return t.say(w, r)
		}
	}
	return nil
}

// sentences returns the exact rules as lines of a list. Those in which a variant differs from the plain game come first: an
// option that changes no word changes nothing there. If brief is set, they say only what differs, where they can. The length
// of the match is no such difference.
func sentences(w *screen.Writer, r game.Rules, brief bool) (special, usual [][]screen.Span) {
	plain := plainGame(r)
	if plain.Scoring == r.Scoring {
		plain.Target, plain.Deals = r.Target, r.Deals
	}
	changed := r.Changed(plain)
	for _, t := range topics {
		spans := t.say(w, r)
		if len(spans) == 0 {
			continue
		}
		point := func(spans []screen.Span) []screen.Span { return append([]screen.Span{{Text: "• "}}, spans...) }
		here := slices.DeleteFunc(slices.Clone(t.options), func(o string) bool { return !slices.Contains(changed, o) })
		if len(here) == 0 || screen.PlainText(w.Screen.Face, spans) == screen.PlainText(w.Screen.Face, t.say(w, plain)) {
			usual = append(usual, point(spans))
			continue
		}
		if brief && t.differ != nil {
			if short := t.differ(w, r, plain, here); len(short) > 0 {
				spans = short
			}
		}
		special = append(special, point(spans))
	}
	return special, usual
}

// Line returns the game in one line, for lobbies: how a deal is scored, and when the match ends.
func Line(r game.Rules, c *lang.Catalogue) string {
	return Score(r, c) + " · " + End(r, c)
}

// Score says what a deal is worth, in a few words.
func Score(r game.Rules, c *lang.Catalogue) string {
	worth := []int{r.Stakes[0], r.Stakes[1], r.Stakes[2]}
	if r.TrickPoints > 0 { // whoever has no points has no trick
		worth = slices.Delete(worth, 1, 2)
	}
	return c.Text("score."+string(r.Scoring), "list", screen.EitherOf(c, slices.Compact(worth)))
}

// End says when the match ends, in a few words.
func End(r game.Rules, c *lang.Catalogue) string {
	switch {
	case r.Target > 0:
		return c.Text("match.target", "to", Target(r, c))
	case r.Deals > 0:
		return c.Text("match.hands", "n", r.Deals)
	}
	return c.Text("match.endless")
}

// Target says to how many stakes or points the match goes.
func Target(r game.Rules, c *lang.Catalogue) string {
	return c.Text("length.target."+Unit(r), "n", r.Target)
}

// Unit returns the text key of what a score is counted in: "stakes" or "points".
func Unit(r game.Rules) string {
	switch r.Scoring {
	case game.ByStakes, game.ByKovac, game.ByRistikontra:
		return "stakes"
	default:
		return "points"
	}
}

// ownGames are the families of games whose players may not know Sedma. Their rules are
// printed whole, or as differences from the plain game of the family.
var ownGames = []string{"hola", "ristikontra", "zsirozas", "sedmice", "suster", "septica"}

// plainGame returns the rules to compare these with: plain Sedma for the same number of players, or the plain game of the family
// if its players may not know Sedma.
func plainGame(r game.Rules) game.Rules {
	names := game.FamilyPresets(game.Family(r.Preset), r.Players)
	if len(names) == 0 || !slices.Contains(ownGames, game.Family(r.Preset)) {
		names = append(game.FamilyPresets("sedma", r.Players), "sedma-4p")
	}
	plain, _ := game.Preset(names[0])
	return plain
}

// topics are all topics, in the order of play. Together they name every option of the
// engine.
var topics = []topic{
	{[]string{"players", "teams", "special_seven"}, sayTeams, differTeams},
	{[]string{"deck", "removed"}, sayPack, differPack},
	{[]string{"direction"}, func(w *screen.Writer, r game.Rules) []screen.Span {
		return w.Spans("rules.direction." + string(r.Direction))
	}, nil},
	{[]string{"hand_size", "deal_packet"}, func(w *screen.Writer, r game.Rules) []screen.Span {
		return w.Spans("rules.deal", "n", r.HandSize, "packet", w.Text("rules.packet", "n", r.DealPacket))
	}, nil},
	{[]string{"card_points"}, sayPoints, nil},
	{[]string{"last_trick"}, func(w *screen.Writer, r game.Rules) []screen.Span {
		if r.LastTrick == 0 {
			return w.Spans("rules.last_trick.none")
		}
		return w.Spans("rules.last_trick", "n", r.LastTrick)
	}, nil},
	{[]string{"trick_points", "trick_unit"}, func(w *screen.Writer, r game.Rules) []screen.Span {
		if r.TrickPoints == 0 {
			return nil
		}
		return w.Spans("rules.trick_points."+string(r.TrickUnit), "n", r.TrickPoints)
	}, nil},
	{[]string{"wild", "wild_order", "seven_led_beats_eight"}, sayTaking, differTaking},
	{[]string{"continue"}, sayContinue, nil},
	{[]string{"continue_when"}, func(w *screen.Writer, r game.Rules) []screen.Span {
		if r.Continue == game.NoContinue {
			return nil
		}
		return w.Spans("rules.continue_when." + string(r.ContinueWhen))
	}, nil},
	{nil, func(w *screen.Writer, r game.Rules) []screen.Span {
		if r.Continue != game.MatchOrWild {
			return nil // nobody is ever forced to stop
		}
		return w.Spans("rules.forced")
	}, nil},
	{[]string{"draw_from", "draw_unit", "draw_timing"}, func(w *screen.Writer, r game.Rules) []screen.Span {
		if r.DrawTiming == game.AfterPlay {
			return w.Spans("rules.draw.after_play")
		}
		return w.Spans("rules.draw."+string(r.DrawUnit)+"."+string(r.DrawFrom), "n", r.HandSize)
	}, nil},
	{nil, func(w *screen.Writer, r game.Rules) []screen.Span {
		if len(r.Pack())%r.Players == 0 && !r.PassOnce {
			return nil
		}
		return w.Spans("rules.uneven")
	}, nil},
	{[]string{"dark"}, func(w *screen.Writer, r game.Rules) []screen.Span {
		if !r.Dark {
			return nil
		}
		return w.Spans("rules.dark")
	}, nil},
	{[]string{"lead_ban", "ban_dark"}, func(w *screen.Writer, r game.Rules) []screen.Span {
		if r.LeadBan == 0 {
			return nil
		}
		spans := w.Spans("rules.lead_ban", "n", r.LeadBan)
		if r.Dark {
			spans = append(append(spans, screen.Text(" ")...), w.Spans("rules.ban_dark."+string(r.BanDark))...)
		}
		return spans
	}, nil},
	{[]string{"pass_once"}, func(w *screen.Writer, r game.Rules) []screen.Span {
		if !r.PassOnce {
			return nil
		}
		return w.Spans("rules.pass_once")
	}, nil},
	{[]string{"final_seven"}, func(w *screen.Writer, r game.Rules) []screen.Span {
		if r.FinalSeven == game.SevenNormal {
			return nil
		}
		return w.Spans("rules.final_seven." + string(r.FinalSeven))
	}, nil},
	{[]string{"burn", "burn_align"}, sayBurn, nil},
	{[]string{"burned_game"}, func(w *screen.Writer, r game.Rules) []screen.Span {
		if r.BurnedGame == 0 {
			return nil
		}
		return w.Spans("rules.burned_game", "n", r.BurnedGame)
	}, nil},
	{[]string{"scoring", "stakes", "sweep_score", "tie"}, sayScoring, differScoring},
	{[]string{"next_deal", "pass_threshold", "tie_dealer"}, sayDealer, differDealer},
	{[]string{"target", "hands", "half_time"}, sayMatch, nil},
}

func sayTeams(w *screen.Writer, r game.Rules) []screen.Span {
	if r.Teams == game.SoloKing {
		return w.Spans("rules.solo_king", "card", screen.CardSpan(r.SpecialSeven))
	}
	spans := w.Spans(fmt.Sprintf("rules.players.%d", r.Players))
	if r.SpecialSeven != 0 {
		spans = append(append(spans, screen.Text(" ")...), w.Spans("rules.special_seven", "card", screen.CardSpan(r.SpecialSeven))...)
	}
	return spans
}

func differTeams(w *screen.Writer, r, _ game.Rules, changed []string) []screen.Span {
	if r.SpecialSeven == 0 || r.Teams == game.SoloKing || !slices.Equal(changed, []string{"special_seven"}) {
		return nil
	}
	return w.Spans("rules.special_seven", "card", screen.CardSpan(r.SpecialSeven))
}

func sayPack(w *screen.Writer, r game.Rules) []screen.Span {
	key := "rules.pack." + string(r.Deck)
	if r.Removed == "" {
		return w.Spans(key)
	}
	return slices.Concat(w.Spans(key), screen.Text(" "), sayRemoved(w, r))
}

func differPack(w *screen.Writer, r, _ game.Rules, changed []string) []screen.Span {
	if r.Removed == "" || !slices.Equal(changed, []string{"removed"}) {
		return nil
	}
	return sayRemoved(w, r)
}

// sayRemoved says which cards are left out of the pack.
func sayRemoved(w *screen.Writer, r game.Rules) []screen.Span {
	var cards []screen.Span
	for i, c := range []game.Card(r.Removed) {
		if i > 0 {
			cards = append(cards, screen.Span{Text: ", "})
		}
		cards = append(cards, screen.CardSpan(c))
	}
	return w.Spans("rules.removed", "cards", cards)
}

func sayPoints(w *screen.Writer, r game.Rules) []screen.Span {
	if values := pointValues(w, r); values != "" {
		return w.Spans("rules.points", "values", values)
	}
	return w.Spans("rules.points.none")
}

// pointValues returns the ranks that are worth points, each with its points.
func pointValues(w *screen.Writer, r game.Rules) string {
	var counting []game.Rank
	for _, c := range r.Pack() {
		if r.CardPoints.Of(c.Rank()) > 0 && !slices.Contains(counting, c.Rank()) {
			counting = append(counting, c.Rank())
		}
	}
	slices.Reverse(counting)
	slices.SortStableFunc(counting, func(a, b game.Rank) int { return r.CardPoints.Of(b) - r.CardPoints.Of(a) })
	var values []string
	for _, rank := range counting {
		values = append(values, fmt.Sprintf("%s %d", w.Ranks(rank), r.CardPoints.Of(rank)))
	}
	return strings.Join(values, ", ")
}

func sayTaking(w *screen.Writer, r game.Rules) []screen.Span {
	wild := r.Wild.List()
	parts := [][]screen.Span{w.Spans("rules.lead")}
	if len(wild) == 0 {
		parts = append(parts, w.Spans("rules.take.plain"))
	} else {
		parts = append(parts, w.Spans("rules.take.wild", "wild", w.Ranks(wild...)))
	}
	return screen.Join(screen.Span{Text: " "}, append(parts, sayWildOrder(w, r)...))
}

// differTaking says which other ranks match any rank, and how they take over each other.
func differTaking(w *screen.Writer, r, plain game.Rules, _ []string) []screen.Span {
	also := slices.DeleteFunc(r.Wild.List(), func(rank game.Rank) bool { return slices.Contains(plain.Wild.List(), rank) })
	if len(also) == 0 || len(also)+len(plain.Wild.List()) != len(r.Wild.List()) {
		return nil
	}
	parts := [][]screen.Span{screen.Capital(w.Spans("rules.take.also", "wild", w.Ranks(also...)))}
	return screen.Join(screen.Span{Text: " "}, append(parts, sayWildOrder(w, r)...))
}

// sayWildOrder says how eights and sevens take over each other.
func sayWildOrder(w *screen.Writer, r game.Rules) [][]screen.Span {
	if r.WildOrder != game.EightOverSeven {
		return nil
	}
	seven := w.Spans("rules.seven_led.never")
	if r.SevenLedBeatsEight {
		seven = w.Spans("rules.seven_led.beats")
	}
	return [][]screen.Span{w.Spans("rules.wild_order.eight_over_seven"), seven}
}

func sayContinue(w *screen.Writer, r game.Rules) []screen.Span {
	if r.Continue == game.NoContinue {
		return w.Spans("rules.continue.none")
	}
	line := w.Spans("rules.continue.any")
	if wild := r.Wild.List(); r.Continue == game.MatchOrWild && len(wild) > 0 {
		line = w.Spans("rules.continue.match_or_wild", "wild", w.Ranks(wild...))
	} else if r.Continue == game.MatchOrWild {
		line = w.Spans("rules.continue.match")
	}
	if r.DrawTiming == game.AfterTrick { // otherwise a hand may last more rounds
		line = append(append(line, screen.Text(" ")...), w.Spans("rules.rounds", "n", r.HandSize)...)
	}
	return line
}

func sayBurn(w *screen.Writer, r game.Rules) []screen.Span {
	if !r.Burn.On() {
		return nil
	}
	var prices []string
	for _, rank := range []game.Rank("23456789TUJOQKA") {
		if n := r.Burn.By.Of(rank); n > 0 {
			prices = append(prices, w.Text("rules.burn.price", "n", n, "ranks", w.Ranks(rank)))
		}
	}
	if n := r.Burn.Default; n > 0 && len(prices) > 0 {
		prices = append(prices, w.Text("rules.burn.others", "n", n))
	} else if n > 0 {
		prices = append(prices, w.Text("stakes", "n", n))
	}
	return w.Spans("rules.burn."+string(r.BurnAlign), "prices", strings.Join(prices, ", "))
}

func sayScoring(w *screen.Writer, r game.Rules) []screen.Span {
	parts := [][]screen.Span{sayWorth(w, r)}
	switch {
	case r.Scoring != game.ByStakes:
		return parts[0]
	case r.Teams == game.SoloKing:
		parts = append(parts, w.Spans("rules.pay.solo"))
	case r.Players == 3:
		parts = append(parts, w.Spans("rules.pay.3"))
	default:
		parts = append(parts, w.Spans("rules.pay.2"))
	}
	if tie := sayTie(w, r); len(tie) > 0 {
		parts = append(parts, tie)
	}
	return screen.Join(screen.Span{Text: " "}, parts)
}

// sayWorth says what a deal is worth to whom.
func sayWorth(w *screen.Writer, r game.Rules) []screen.Span {
	key := "rules.scoring." + string(r.Scoring)
	switch {
	case r.Scoring != game.ByStakes:
	case r.TrickPoints > 0: // whoever has no points has no trick
		key += ".tricks"
	case r.Stakes[1] == r.Stakes[2]:
		key += ".points"
	}
	return w.Spans(key, "stakes", w.Text("stakes", "n", r.Stakes[0]), "b", r.Stakes[1], "c", r.Stakes[2], "n", r.SweepScore)
}

func differScoring(w *screen.Writer, r, _ game.Rules, changed []string) []screen.Span {
	if r.Scoring != game.ByStakes || !slices.Equal(changed, []string{"tie"}) {
		return nil
	}
	return sayTie(w, r)
}

// sayTie says what happens if sides are level. It says nothing if they can't be.
func sayTie(w *screen.Writer, r game.Rules) []screen.Span {
	switch {
	case !canTie(r):
		return nil
	case r.Tie == game.TieLastTrick:
		return w.Spans("rules.tie.last_trick")
	case r.Players == 3 && r.Teams == game.TeamsAuto:
		return w.Spans("rules.tie.3", "a", r.Stakes[0])
	}
	return w.Spans("rules.tie.none")
}

func sayDealer(w *screen.Writer, r game.Rules) []screen.Span {
	key := "rules.dealer." + string(r.NextDeal)
	if r.NextDeal != game.LoserDeals {
		return w.Spans(key, "n", r.PassThreshold)
	}
	who := fmt.Sprint(r.Players)
	if r.Teams == game.SoloKing {
		who = "solo"
	}
	parts := [][]screen.Span{w.Spans(key + "." + who)}
	if canTie(r) {
		parts = append(parts, w.Spans("rules.tie_dealer."+string(r.TieDealer)))
	}
	return screen.Join(screen.Span{Text: " "}, parts)
}

func differDealer(w *screen.Writer, r, _ game.Rules, changed []string) []screen.Span {
	if r.NextDeal != game.LoserDeals || !canTie(r) || !slices.Equal(changed, []string{"tie_dealer"}) {
		return nil
	}
	return w.Spans("rules.tie_dealer." + string(r.TieDealer))
}

// canTie reports whether the rules have to say what happens if sides are level.
func canTie(r game.Rules) bool { return r.CanTie() }

func sayMatch(w *screen.Writer, r game.Rules) []screen.Span {
	var parts [][]screen.Span
	if r.Target > 0 {
		parts = append(parts, w.Spans("rules.match.target", "to", Target(r, w.Catalogue)))
	}
	if r.Deals > 0 {
		parts = append(parts, w.Spans("rules.match.hands", "n", r.Deals))
	}
	if r.Target == 0 && r.Deals == 0 {
		parts = append(parts, w.Spans("rules.match.endless"))
	}
	if r.HalfTime > 0 {
		parts = append(parts, w.Spans("rules.half_time", "n", r.HalfTime))
	}
	return screen.Join(screen.Span{Text: " "}, parts)
}
