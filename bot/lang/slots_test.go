package lang

import (
	"regexp"
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

// changing are the slots with words that have cases: names of people, games and units.
const changing = `player|players|host|name|game|partner|who|winner|loser|taker|unit`

// TestSlotsStandInTheNominative looks for words that would need another form of what is put in after them, and for
// units in brackets.
func TestSlotsStandInTheNominative(t *testing.T) {
	t.Parallel()
	for _, c := range catalogues {
		words := strings.Fields(governing[c.code])
		after := regexp.MustCompile(`(?i)(?:^|[^\pL])(?:` + strings.Join(words, "|") + `)[ \x{a0}]\{(?:` + changing + `)\}`)
		ending := regexp.MustCompile(`\{(?:` + changing + `)\}-?\pL`)
		for key, forms := range c.texts() {
			text := whole(forms)
			if strings.Contains(text, "({unit})") {
				t.Errorf("%s: %s has a unit in brackets: %s", c.code, key, text)
			}
			if len(words) > 0 && after.MatchString(text) || ending.MatchString(text) {
				t.Errorf("%s: %s needs another form of what is put in: %s", c.code, key, text)
			}
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
