package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view/rules"
	"sedmabot/game"
	"sedmabot/game/table"
)

// choice returns a button that sets a value in the lobby, or in a home's defaults for
// new tables.
func (at channel) choice(label, what, value string) screen.Button {
	press := screen.PressOf(ActSet, at.ID, what, value)
	if at.beginning != "" {
		press = screen.PressOf(ActHome, what, value, at.beginning)
	}
	return screen.Button{Label: screen.Cut(label, screen.LabelLength), Press: press}
}

// rulesLines returns the rules in one line, and the changedLines.
func (at channel) rulesLines(w *Writer) [][]screen.Span {
	return append([][]screen.Span{screen.Text(rules.Line(at.Rules, at.c))}, at.changedLines(w)...)
}

// changedLines says in a line how the rules differ from the preset, if they do. At a soccer match, another line says who
// is at home.
func (at channel) changedLines(w *Writer) [][]screen.Span {
	var lines [][]screen.Span
	var changed []string
	for _, h := range table.House(at.Rules) {
		if h.Name != "end" { // the first line says how the match ends
			changed = append(changed, houseText(at.c, at.Rules, h))
		}
	}
	if at.Limit != table.DefaultLimit {
		changed = append(changed, at.limitText(w))
	}
	if at.Policy.Private && at.Level != table.DefaultLevel { // other lobbies say it in another line
		changed = append(changed, levelText(w, at.Level))
	}
	if at.Shut {
		changed = append(changed, at.lateText(w))
	}
	if len(changed) > 0 {
		lines = append(lines, screen.Text(strings.Join(changed, "; ")))
	}
	if at.Rules.Soccer() {
		key := "venue." + string(at.Rules.NextDeal)
		if at.AtHome < 0 {
			lines = append(lines, w.Spans(key+".draw"))
		} else {
			lines = append(lines, w.Spans(key, "player", at.seatName(w, at.AtHome)))
		}
	}
	return lines
}

// seatName returns the name of a seat's player, or of the player for whom the seat of a rematch is kept.
func (at channel) seatName(w *Writer, seat int) []screen.Span {
	p := at.Public
	if free := p.Seats[seat].Player.ID == "" && p.Seats[seat].AI == ""; free && p.Last != nil && seat < len(p.Last.Seats) && slices.Contains(p.Awaited, p.Last.Seats[seat].Player.ID) {
		p.Seats = p.Last.Seats
	}
	return SeatName(w, p, seat)
}

// houseText returns a house rule with its value.
func houseText(c *lang.Catalogue, r game.Rules, h game.House) string {
	return c.Text("house.value", "rule", c.Text("house."+h.Name), "value", houseValue(c, r, h.Name, h.Value))
}

// houseLabel is houseText for a button, with a shorter name of the rule: without brackets, and so that the value is seen, even
// after the mark of a changed rule.
func houseLabel(c *lang.Catalogue, r game.Rules, h game.House) string {
	name, _, _ := strings.Cut(c.Text("house."+h.Name), " (")
	value := houseValue(c, r, h.Name, h.Value)
	room := screen.LabelLength - utf8.RuneCountInString(c.Text("house.changed", "rule", c.Text("house.value", "rule", "", "value", value)))
	return c.Text("house.value", "rule", screen.Cut(name, max(1, room)), "value", value)
}

// houseValue returns the name of a house rule's value in a game.
func houseValue(c *lang.Catalogue, r game.Rules, name, value string) string {
	if name != "end" {
		return c.Text("house." + name + "." + value)
	}
	n, _ := strconv.Atoi(value[1:])
	if r.Target, r.Deals = n, 0; value[0] == 'h' {
		r.Target, r.Deals = 0, n
	}
	return rules.End(r, c)
}

func (at channel) limitText(w *Writer) string {
	return w.Text("house.value", "rule", w.Text("tab.limit"), "value", LimitValue(w.Catalogue, at.Limit))
}

// lateText says whether people may take an AI's seat during the match.
func (at channel) lateText(w *Writer) string {
	value := "pref.strangers.on"
	if at.Shut {
		value = "pref.strangers.off"
	}
	return w.Text("house.value", "rule", w.Text("tab.late"), "value", w.Text(value))
}

// levelText returns the AI's level as text.
func levelText(w *Writer, level string) string {
	return w.Text("house.value", "rule", w.Text("tab.level"), "value", w.Text("level."+level))
}

// LimitValue returns a time limit in words.
func LimitValue(c *lang.Catalogue, d time.Duration) string {
	if d == 0 {
		return c.Text("limit.none")
	}
	return screen.DurationText(c, d)
}

// drawn shows the draw for partners, card by card.
func (at channel) drawn(w *Writer) {
	if at.Draw == nil {
		return
	}
	var lines [][]screen.Span
	for i, round := range at.Draw {
		var cards [][]screen.Span
		for _, d := range round {
			cards = append(cards, w.Spans("hand.play", "player", SeatName(w, at.Public, d.Seat), "card", screen.CardSpan(d.Card)))
		}
		key := "draw.first"
		if i > 0 {
			key = "draw.again"
		}
		lines = append(lines, w.Spans(key, "cards", screen.Join(screen.Span{Text: ", "}, cards)))
	}
	w.Block(screen.Quote, append(lines, w.Spans("draw.dealer", "player", SeatName(w, at.Public, 0)))...)
}

// lengths returns the choice of the match's length. Each one has the time that such a
// match takes.
func (at settings) lengths(w *Writer) screen.Menu {
	m := screen.Menu{Label: w.Text("menu.length"), Chosen: -1}
	for i, length := range game.Lengths(at.Rules) {
		r, err := game.WithLength(at.Rules, length)
		if err != nil {
			continue
		}
		if length == game.Length(at.Rules) {
			m.Chosen = i
		}
		label := w.Text("match.hands", "n", r.Deals)
		if r.Target > 0 {
			label = rules.Target(r, w.Catalogue)
		}
		label = w.Text("length.time", "length", label, "time", roughly(w, at.MatchTime(r)))
		m.Options = append(m.Options, at.choice(label, "length", length))
	}
	return m
}

// roughly returns a time as people estimate it: to the minute below ten minutes, to five
// minutes below an hour, to a quarter of an hour below two, then to the hour.
func roughly(w *Writer, d time.Duration) string {
	switch {
	case d < 10*time.Minute:
		d = max(time.Minute, d.Round(time.Minute))
	case d < time.Hour:
		d = d.Round(5 * time.Minute)
	case d < 2*time.Hour:
		d = d.Round(15 * time.Minute)
	}
	if d < 2*time.Hour {
		return w.Text("time.minutes", "n", int(d/time.Minute))
	}
	return screen.DurationText(w.Catalogue, d)
}

// Defaults are what a home's new tables begin with. They are shown as the lobby of a table: a press changes the home.
type Defaults struct{ settings }

// DefaultsOf returns the defaults of a home with one page of the settings open. p is a lobby with the defaults.
func DefaultsOf(home string, p table.Public, page string, c *lang.Catalogue) Defaults {
	p.Page = table.Page(page)
	return Defaults{settings{channel{Public: p, c: c, beginning: home}}}
}

// House returns the house rules that differ from the game's own, in words.
func (d Defaults) House(w *Writer) string {
	var changed []string
	for _, h := range table.House(d.Rules) {
		if h.Name != "end" {
			changed = append(changed, houseText(d.c, d.Rules, h))
		}
	}
	if len(changed) == 0 {
		return w.Text("prefs.house.none")
	}
	return screen.Cut(strings.Join(changed, "; "), houseLetters)
}

// houseLetters is how many characters of the house rules a line of the settings has.
const houseLetters = 120

// SayGame names the game.
func (d Defaults) SayGame(w *Writer) { d.sayGame(w) }

// Menu returns the choice on the open page.
func (d Defaults) Menu(w *Writer) screen.Menu { return d.menu(w) }

// Length returns the length of a match in words, or "" if the game has only one.
func (d Defaults) Length() string {
	if length := game.Length(d.Rules); length != "" {
		return houseValue(d.c, d.Rules, "end", length)
	}
	return ""
}

// settings is a lobby while its host changes the settings.
type settings struct{ channel }

// page returns the page of the settings that the host has open.
func (at settings) page() screen.Screen {
	w := at.writer()
	m := at.menu(w)
	overview := len(m.Options) < 2 && at.Page != table.PlacesPage // also for a page that only earlier versions had
	if overview {
		w.Say(screen.Title, "button.settings")
		w.Say(screen.Small, "settings.host", "host", at.host(w))
		w.Screen.Rows = slices.Collect(slices.Chunk(at.overview(w), 2))
	} else {
		w.Say(screen.Title, "settings.title", "page", at.pageName(w))
		w.Block(screen.Quote, at.explained(w)...)
	}
	switch at.Page {
	case table.GamePage, table.GamesPage:
		at.showGames(w)
	case table.PlacesPage:
		w.Block(screen.Plain, at.against(w))
		at.showSeats(w)
		w.Screen.Picture.Words = nil // the line above says it
	default:
		at.showSeats(w)
	}
	if len(m.Options) > 1 {
		w.Screen.Menus = append(w.Screen.Menus, m)
	}
	if at.Page == table.PlacesPage && at.Rules.Soccer() {
		w.Screen.Menus = append(w.Screen.Menus, at.venues(w))
	}
	if at.Page == table.PlacesPage && at.Rules.Players == 4 && at.Draw == nil {
		w.Say(screen.Small, "draw.how")
		w.Row(at.choice(w.Text("button.draw"), "draw", "partners"))
	}
	back := at.choice(w.Text("prefs.back"), "page", string(table.SettingsPage))
	if overview || at.Page == table.LengthPage {
		back = at.choice(w.Text("button.done"), "page", "seats")
		back.Tone = screen.Success
	}
	row := []screen.Button{back}
	if at.Page == table.GamePage {
		row = append(row, at.choice(w.Text("button.games"), "page", string(table.GamesPage)))
	}
	if at.Page != table.LengthPage && !at.everyone() {
		row = append(row, w.Button(at.press(ActJoin), screen.Quiet))
	}
	if overview {
		row = append(row, w.Button(at.press(ActDefault), screen.Quiet))
	}
	w.Row(row...)
	return w.Screen
}

// overview returns the buttons to the pages of the settings, with the values that are chosen.
func (at settings) overview(w *Writer) []screen.Button {
	row := []screen.Button{
		at.choice(levelText(w, at.Level), "page", string(table.LevelPage)),
		at.choice(at.limitText(w), "page", string(table.LimitPage)),
	}
	if len(game.Lengths(at.Rules)) > 1 {
		length := houseValue(at.c, at.Rules, "end", game.Length(at.Rules))
		row = append(row, at.choice(w.Text("house.value", "rule", w.Text("button.length"), "value", length), "page", string(table.LengthPage)))
	}
	row = append(row,
		at.choice(w.Text("house.value", "rule", w.Text("tab.game"), "value", screen.GameName(at.c, at.Rules)), "page", string(table.GamePage)),
		at.choice(w.Text("tab.house"), "page", string(table.HousePage)))
	if at.Partners() || at.Rules.Soccer() {
		row = append(row, at.choice(w.Text("tab.places"), "page", string(table.PlacesPage)))
	}
	return row
}

// firstGames are the games that the page of the games offers at once. The table's own takes the place of the last one if
// it isn't among them.
var firstGames = []string{"sedma", "osmova", "zsirozas", "hola"}

// families returns the games that the open page offers. The settings of a chat offer all on one page.
func (at settings) families() []string {
	first, own := slices.Clone(firstGames), game.Family(at.Rules.Preset)
	if !slices.Contains(first, own) {
		first[len(first)-1] = own
	}
	return slices.DeleteFunc(game.Families(), func(f string) bool {
		return at.beginning == "" && slices.Contains(first, f) != (at.Page == table.GamePage)
	})
}

// explained says in plain words what is chosen on the open page: each game, how the house rules differ from the plain game,
// or what one house rule means.
func (at settings) explained(w *Writer) [][]screen.Span {
	switch at.Page {
	case table.GamePage, table.GamesPage:
		var lines [][]screen.Span
		for _, f := range at.families() {
			lines = append(lines, w.Spans("game.kind", "game", screen.Bold(screen.FamilyName(at.c, f)), "what", screen.Text(w.Text("kind."+f))))
		}
		return lines
	case table.LevelPage:
		var lines [][]screen.Span
		for _, level := range table.Levels {
			lines = append(lines, opponentLine(w, level, at.Rules))
		}
		return lines
	case table.HousePage:
		return rules.Differences(&w.Writer, at.Rules)
	default: // it may be the page of one house rule
	}
	for _, h := range table.HouseRules(at.Rules) {
		if h.Name == string(at.Page) {
			return at.houseWords(w, h)
		}
	}
	return nil
}

// showGames adds the picture of the games to the page that offers them. The lines of the page say more than the picture.
func (at settings) showGames(w *Writer) {
	if at.chat.NoPictures {
		return
	}
	g := &face.Games{Chosen: slices.Index(at.families(), game.Family(at.Rules.Preset))}
	var names []string
	for _, family := range at.families() {
		g.Tiles = append(g.Tiles, gameTile(w, family))
		names = append(names, g.Tiles[len(g.Tiles)-1].Name)
	}
	w.AddPicture(face.Picture{Games: g}, strings.Join(names, ", "))
}

// gameTile returns the tile of a family's plain game for most players.
func gameTile(w *Writer, family string) face.Tile {
	var people []string
	players := game.FamilyPlayers(family)
	for _, n := range players {
		people = append(people, strconv.Itoa(n))
	}
	t := face.Tile{Name: screen.FamilyName(w.Catalogue, family), People: strings.Join(people, ", ")}
	r, err := game.Preset(game.FamilyPresets(family, players[len(players)-1])[0])
	if err != nil {
		return t
	}
	t.Points = w.Text("points", "n", dealPoints(r))
	t.Cards = tokens(r)
	return t
}

// dealPoints returns how many points a deal is about: those of all cards and of the last trick, or what Kováč's game wants.
func dealPoints(r game.Rules) int {
	if r.Scoring == game.ByKovac {
		return 60 // exactly (game/RULES.md, Scoring)
	}
	return r.DealPoints()
}

// tokens returns two cards that a game is known by: those that match any card, or if there are none, two that
// match each other.
func tokens(r game.Rules) []game.Card {
	cards := emblem(r)
	wild := r.Wild.List()
	switch len(wild) {
	case 0:
		return []game.Card{game.NewCard('9', cards[1].Suit()), game.NewCard('9', cards[2].Suit())}
	case 1:
		return cards[1:3]
	default:
		return []game.Card{game.NewCard(wild[0], cards[1].Suit()), game.NewCard(wild[1], cards[2].Suit())}
	}
}

// houseWords says in plain words what a house rule means: its value at the table, or if that has no effect, the first one
// that has.
func (at channel) houseWords(w *Writer, h game.House) [][]screen.Span {
	for _, value := range append([]string{h.Value}, h.Values...) {
		r, err := game.SetHouse(at.Rules, h.Name, value)
		if err != nil {
			continue
		}
		if line := rules.Option(&w.Writer, r, h.Name); len(line) > 0 {
			return [][]screen.Span{slices.Concat(screen.Bold(houseValue(at.c, r, h.Name, value)+": "), line)}
		}
	}
	return nil
}

// sayGame names the game and its options, except those that the open page offers as choices.
func (at channel) sayGame(w *Writer) {
	switch at.Page {
	case table.GamePage:
	case table.PlayersPage:
		w.Say(screen.Plain, "settings.now", "game", screen.Bold(screen.FamilyName(at.c, game.Family(at.Rules.Preset))))
	default:
		w.Say(screen.Plain, "settings.now", "game", screen.Bold(screen.GameName(at.c, at.Rules)))
	}
}

// pageName returns the name of the settings page.
func (at settings) pageName(w *Writer) string {
	switch at.Page {
	case table.LengthPage:
		return w.Text("menu.length")
	case table.GamesPage:
		return w.Text("button.games")
	case table.PlayersPage:
		return screen.FamilyName(at.c, game.Family(at.Rules.Preset))
	default:
	}
	if key := "tab." + string(at.Page); w.Has(key) {
		return w.Text(key)
	}
	return w.Text("house." + string(at.Page))
}

// players returns for how many players the game can be chosen: the people who sit here keep their seats.
func (at settings) players() []int {
	return slices.DeleteFunc(game.FamilyPlayers(game.Family(at.Rules.Preset)), func(n int) bool { return n < at.People() })
}

// menu returns the choice on the current page.
func (at settings) menu(w *Writer) screen.Menu {
	m := screen.Menu{Label: screen.Cut(at.pageName(w), screen.LabelLength), Chosen: -1}
	add := func(label, what, value string, chosen bool) {
		if chosen {
			m.Chosen = len(m.Options)
		}
		m.Options = append(m.Options, at.choice(label, what, value))
	}
	switch at.Page {
	case table.GamePage, table.GamesPage:
		for _, f := range at.families() {
			if table.PlayersIn(f, at.Rules.Players) < at.People() {
				continue // the people who sit here would have no seat
			}
			add(screen.FamilyName(at.c, f), "game", f, f == game.Family(at.Rules.Preset))
		}
	case table.PlayersPage:
		for _, n := range at.players() {
			add(w.Text("players", "n", n), "players", fmt.Sprint(n), n == at.Rules.Players)
		}
	case table.HousePage:
		changed := table.House(at.Rules)
		for _, h := range table.HouseRules(at.Rules) {
			label := houseLabel(at.c, at.Rules, h)
			if slices.ContainsFunc(changed, func(c game.House) bool { return c.Name == h.Name }) {
				label = w.Text("house.changed", "rule", label)
			}
			if h.Name != "end" {
				add(label, "page", h.Name, false)
			}
		}
		if at.beginning != "" {
			break // it holds for a table, not for the chat
		}
		label, other := at.lateText(w), "off"
		if at.Shut {
			label, other = w.Text("house.changed", "rule", label), "on"
		}
		add(label, "late", other, false)
	case table.LengthPage:
		return at.lengths(w)
	case table.LevelPage:
		for _, level := range table.Levels {
			add(w.Text("ai."+level)+" · "+w.Text("level."+level), "level", level, level == at.Level)
		}
	case table.LimitPage:
		for _, d := range table.Limits {
			add(LimitValue(w.Catalogue, d), "limit", fmt.Sprint(int(d/time.Second)), d == at.Limit)
		}
	case table.PlacesPage:
		return at.partners(w)
	default:
		for _, h := range table.HouseRules(at.Rules) {
			if h.Name != string(at.Page) {
				continue
			}
			for _, value := range h.Values {
				add(houseValue(at.c, at.Rules, h.Name, value), h.Name, value, value == h.Value)
			}
		}
	}
	return m
}

// partners returns the choice of who plays with the host.
func (at settings) partners(w *Writer) screen.Menu {
	m := screen.Menu{Label: w.Text("menu.with"), Chosen: -1}
	if !at.Partners() {
		return m
	}
	add := func(who, with string, together bool) {
		if together && m.Chosen < 0 {
			m.Chosen = len(m.Options)
		}
		m.Options = append(m.Options, at.choice(w.Text("seat.with", "player", who), "with", with))
	}
	host := max(0, slices.IndexFunc(at.Seats, func(s table.Seat) bool { return s.Player.ID != "" && s.Player.ID == at.Host }))
	ai, mate, names := false, false, map[string]int{}
	name := func(seat int) string { return screen.PlainText(w.Screen.Face, SeatName(w, at.Public, seat)) }
	for seat := range at.Seats {
		names[name(seat)]++
	}
	for seat, s := range at.Seats {
		together := at.Rules.Side(seat) == at.Rules.Side(host)
		switch {
		case seat == host:
		case s.Player.ID == "":
			ai, mate = true, mate || together
		default:
			who := name(seat)
			if names[who] > 1 { // their seats tell them apart
				who = fmt.Sprintf("%d. %s", seat+1, who)
			}
			add(who, at.Mark(seat), together)
		}
	}
	if ai {
		add(w.Text("seat.ai"), "ai", mate)
	}
	return m
}

// venues returns the choice of who plays at home.
func (at settings) venues(w *Writer) screen.Menu {
	m := screen.Menu{Label: w.Text("menu." + string(at.Rules.NextDeal)), Chosen: at.AtHome}
	if at.AtHome < 0 || at.Last == nil { // a rematch has no draw: the loser deals
		m.Chosen++
		m.Options = append(m.Options, at.choice(w.Text("venue.drawn"), "venue", "draw"))
	}
	for seat := range at.Seats {
		label := strings.TrimSpace(screen.PlainText(w.Screen.Face, at.seatName(w, seat)))
		m.Options = append(m.Options, at.choice(fmt.Sprintf("%d. %s", seat+1, label), "venue", fmt.Sprint(seat)))
	}
	return m
}

// ChooseForm is the first field of a choice in the settings that has the fields of a form.
const ChooseForm = "form"

// HouseForm returns a form with house rules of a lobby, for platforms that have forms: the first ones for the page of all
// house rules, and for the page of one rule those around it. It returns nil for other pages.
func HouseForm(p table.Public, page string, c *lang.Catalogue) *screen.Form {
	return settings{channel{Public: p, c: c}}.houseForm(page)
}

// Form is like HouseForm, for the defaults of a home.
func (d Defaults) Form(page string) *screen.Form { return d.houseForm(page) }

func (at settings) houseForm(page string) *screen.Form {
	rules := slices.DeleteFunc(table.HouseRules(at.Rules), func(h game.House) bool { return h.Name == "end" }) // the length has its own choice
	from := slices.IndexFunc(rules, func(h game.House) bool { return h.Name == page })
	if page == string(table.HousePage) {
		from = 0
	}
	if len(rules) == 0 || from < 0 {
		return nil
	}
	parts := (len(rules) + screen.FormFields - 1) / screen.FormFields
	size := (len(rules) + parts - 1) / parts
	part := from / size
	title := at.c.Text("tab.house")
	if parts > 1 {
		title += fmt.Sprintf(" %d/%d", part+1, parts)
	}
	form := &screen.Form{Title: screen.Cut(title, screen.FormLabel), Press: at.choice("", ChooseForm, string(table.HousePage)).Press}
	for _, h := range rules[part*size : min(len(rules), (part+1)*size)] {
		field := screen.Field{
			Name: h.Name, Label: screen.Cut(at.c.Text("house."+h.Name), screen.FormLabel),
			Chosen: slices.Index(h.Values, h.Value), Tick: slices.Equal(h.Values, []string{"true", "false"}),
		}
		for _, v := range h.Values {
			field.Choices = append(field.Choices, screen.Choice{Label: screen.Cut(houseValue(at.c, at.Rules, h.Name, v), screen.LabelLength), Value: v})
		}
		form.Fields = append(form.Fields, field)
	}
	return form
}
