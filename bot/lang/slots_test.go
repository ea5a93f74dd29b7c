package lang

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// governing has, by language, words after which a name has to change its ending. A slot can't, so no text may put one
// there. German, English and Romanian names don't change.
var governing = map[string]string{
	"cs": "bez beze do k ke ku kolem kromě místo mezi na nad nade o od ode po pod pode podle pro proti před přede při s se skrz u v ve vedle za z ze",
	"sk": "bez bezo do k ku okolo okrem miesto medzi na nad nado namiesto o od odo po pod podo podľa pre proti pred predo pri s so skrz u v vo vedľa za z zo",
	"pl": "bez dla do dzięki koło ku między na nad o obok od po pod podczas przeciw przed przez przy u w we wobec według z za ze zamiast",
	"uk": "без біля в від для до з за заради зі із замість крім між на над о об від перед під по про проти при серед у через",
}

// verbs has, by language, the beginnings of verbs whose object has another ending than a subject.
var verbs = map[string]string{
	"cs": "pomoz pomáh pomoh pomůž děku napiš napíš pošl dej gratuluj věř ukaž poraz pozv vyzv hled nahra zastup zastoup ček",
	"sk": "pomôž pomáh pomoh ďaku napíš pošl daj gratuluj ver ukáž poraz pozv vyzv hľad nahra zastúp čak",
	"pl": "pomóż pomog pomag dzięku napisz wyśl daj gratuluj wierz pokaż pokona zapros zapras szuka zastąp zastęp czeka",
	"uk": "допомо допомаг дяку напиши надішл дай вітай вір покажи переможи запро шука замін чека",
	"fi": "auta kiitä kirjoita lähetä anna voita kutsu pyydä etsi odota näytä paria kohti ilman ennen",
}

// later has, by language, words before which a name has to change its ending.
var later = map[string]string{"fi": "kanssa vastaan puolesta luona luokse kautta jälkeen vuoksi sijasta sijaan takia mukaan"}

// changing are the slots with words that have cases: names of people, games and units.
const changing = `player|players|host|name|game|partner|who|winner|loser|taker|unit|opponent|others|leader|dealer`

var ending = regexp.MustCompile(`\{(?:` + changing + `)\}-?\pL`)

// needsAnotherForm returns a function that reports whether a text of the language needs another form of what is put in.
// German, English and Romanian names don't change.
func needsAnotherForm(code string) func(text string) bool {
	any := func(words string) string { return strings.Join(strings.Fields(words), "|") }
	wrong := []*regexp.Regexp{ending}
	add := func(words, pattern string) {
		if words != "" {
			wrong = append(wrong, regexp.MustCompile(`(?i)`+strings.Replace(pattern, "WORDS", any(words), 1)))
		}
	}
	add(governing[code], `(?:^|[^\pL])(?:WORDS)[ \x{a0}]\{(?:`+changing+`)\}`)
	add(verbs[code], `(?:^|[^\pL])(?:WORDS)\pL*[ \x{a0}]\{(?:`+changing+`)\}`)
	add(later[code], `\{(?:`+changing+`)\}[ \x{a0}](?:WORDS)(?:$|[^\pL])`)
	return func(text string) bool {
		return slices.ContainsFunc(wrong, func(r *regexp.Regexp) bool { return r.MatchString(text) })
	}
}

// TestSlotsStandInTheNominative looks for words that would need another form of what is put in after them, and for
// units in brackets.
func TestSlotsStandInTheNominative(t *testing.T) {
	t.Parallel()
	for _, c := range catalogues {
		wrong := needsAnotherForm(c.code)
		for key, forms := range c.texts() {
			text := whole(forms)
			if strings.Contains(text, "({unit})") {
				t.Errorf("%s: %s has a unit in brackets: %s", c.code, key, text)
			}
			if wrong(text) {
				t.Errorf("%s: %s needs another form of what is put in: %s", c.code, key, text)
			}
		}
	}
}

// TestOtherFormsAreFound checks the test above.
func TestOtherFormsAreFound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		code, text string
		wrong      bool
	}{
		{"cs", "Karty pro {game}", true}, {"cs", "Pomoz {players}!", true}, {"cs", "Porazilo {opponent}", true}, {"cs", "Vynáší {player}", false}, {"cs", "Pomoc: {players}", false},
		{"sk", "Pošli {host} kartu", true}, {"pl", "Pomóż {player}", true}, {"pl", "Zaczyna {player}", false}, {"uk", "Допоможи {player}", true},
		{"fi", "Pelaat {partner} kanssa", true}, {"fi", "paria {others} vastaan", true}, {"fi", "{player} jatkaa", false}, {"hu", "{player}-val", true}, {"de", "Hilf {player}", false},
	} {
		if got := needsAnotherForm(tt.code)(tt.text); got != tt.wrong {
			t.Errorf("%s: %q: %t", tt.code, tt.text, got)
		}
	}
}

// bare matches a number and the word after it.
var bare = regexp.MustCompile(`\{(?:n|m)\}[ \x{a0}](\pL+)`)

// noForm has, by language, words that may come after a number in a text without plural forms: units, prepositions, verbs.
// Hungarian nouns are singular after every number.
var noForm = map[string]string{
	"en": "s min h of each more from are again instead with in", "cs": "s min h z ze za napiš bez chybí", "sk": "s min h z zo za napíš bez chýba",
	"pl": "s min h z za na podaj brakuje", "uk": "с хв год з зі за із вистачить", "de": "s min h von aus nehmen abgeben nenn haben fehlt extra weiteren",
	"ro": "s min h din", "fi": "s min h aiemmista toisesta lisää sadasta",
}

// fewNumbers are texts in which one form of the noun fits all numbers there are.
var fewNumbers = map[string]string{
	"story.changes": "three to twenty", "story.sixty": "three to twenty", "why.held": "no noun",
	"rules.minute.draw.winner": "cards in a hand: three to eight", "rules.minute.draw.leader": "cards in a hand", "rules.draw.bulk.winner": "cards in a hand", "rules.draw.bulk.leader": "cards in a hand",
	"rules.rounds": "two to eight", "rules.lead_ban": "three", "rules.dealer.slovak60": "sixty", "rules.dealer.hola": "sixty",
}

// bareNumber returns the word after a number that would need plural forms, in a text without them.
func bareNumber(code, key, text string) string {
	for _, m := range bare.FindAllStringSubmatch(text, -1) {
		if word := m[1]; code != "hu" && fewNumbers[key] == "" && !slices.Contains(strings.Fields(noForm[code]), word) {
			return word
		}
	}
	return ""
}

// TestNumbersBeforeNounsHaveForms looks for nouns after a number in texts that have no plural forms.
func TestNumbersBeforeNounsHaveForms(t *testing.T) {
	t.Parallel()
	for _, c := range catalogues {
		for key, forms := range c.texts() {
			if word := bareNumber(c.code, key, whole(forms)); word != "" && len(forms) == 1 {
				t.Errorf("%s: %s has no plural forms for %q: give it forms, or don't put a noun after the number: %s", c.code, key, word, whole(forms))
			}
		}
	}
	for _, tt := range []struct{ code, key, text, want string }{
		{"ro", "far", "60 zile: {n} zile", "zile"}, {"ro", "far", "cel mult {n}", ""}, {"en", "full", "{n} open tables", "open"}, {"hu", "far", "{n} nap", ""},
		{"en", "rules.lead_ban", "{n} tricks", ""}, {"de", "clock", "{n}\u00a0min", ""}, {"fi", "hint", "{other}: {m} pistettä", "pistettä"},
	} {
		if got := bareNumber(tt.code, tt.key, tt.text); got != tt.want {
			t.Errorf("%s: %q: %q, want %q", tt.code, tt.text, got, tt.want)
		}
	}
}

// TestPunctuation looks for doubled and misplaced signs, and for long dashes: all catalogues have short ones.
func TestPunctuation(t *testing.T) {
	t.Parallel()
	wrong := regexp.MustCompile(`[?!.:,;]:|\?\?|!!|[^.]\.\.$|[^.]\.\.[^.]| [,.;](\s|$)|  |\( | \)|—`)
	for _, c := range catalogues {
		for key, forms := range c.texts() {
			if text := whole(forms); wrong.MatchString(text) {
				t.Errorf("%s: %s: %q", c.code, key, text)
			}
		}
	}
}

// short are the words of one letter, by language, that may not be the last on a line.
var short = map[string]string{"cs": "ksvzouai", "sk": "ksvzouai", "pl": "zwouia", "uk": "зувайіо"}

// TestSpacesThatDontBreak looks in sentences for spaces at which a line may break between a word of one letter and the
// next word. Labels fit on a line, so theirs don't matter.
func TestSpacesThatDontBreak(t *testing.T) {
	t.Parallel()
	sentence := regexp.MustCompile(`[.!?]$`)
	for _, c := range catalogues {
		if short[c.code] == "" {
			continue
		}
		breaks := regexp.MustCompile(`(?i)(?:^|[^\pL’{}.])[` + short[c.code] + `] \S*`)
		for key, forms := range c.texts() {
			if text := whole(forms); sentence.MatchString(text) && breaks.MatchString(text) {
				t.Errorf("%s: %s: a line may break in %q", c.code, key, breaks.FindString(text))
			}
		}
	}
}
