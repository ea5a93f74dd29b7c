package league

// Skill measures how well a player chose, as judged by the coach. Earlier versions stored
// it as a document of each home, which added up all its matches. It is kept for them, and
// only exported and deleted.
type Skill struct {
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
