package league

// MaxLatest is the maximum number of matches in Skill.Latest. The accuracy in /stats is based on them.
const MaxLatest = 10

// Skill measures how well a player chose, as judged by the coach. As a document, it has the
// player's latest matches in a home. The sums in that document are from earlier versions,
// which added up all matches there.
type Skill struct {
	// Ids of the latest matches, the newest last. Earlier versions drop the list when they
	// write the document, so it may be too short.
	Latest []string `json:"latest,omitempty"`

	Choices int `json:"choices"`
	Lost    int `json:"lost"`  // what the player's choices lost, in hundredths
	Stake   int `json:"stake"` // sum of the differences between the best and the worst option of each choice, in hundredths
}

// Accuracy returns the share of Stake that the player didn't lose, from 0 to 1, as for a
// single match. It is 1 if there was no stake.
func (d Skill) Accuracy() float64 {
	if d.Stake == 0 {
		return 1
	}
	return 1 - float64(d.Lost)/float64(d.Stake)
}

// SkillName returns the name of the document with a player's Skill in a home.
func SkillName(home, player string) string { return "skill:" + home + "|" + player }

// Lately is the skill of a player in their latest matches.
type Lately struct {
	Skill

	Matches int // how many matches it covers
	Waiting int // how many more the coach is still going through
}
