package league

// Skill is how well a player chose in a home's matches, as the coach saw it. It
// is added up with what the coach says of a match, in one commit, and not made of
// the ledger: the coach does not think the same twice.
type Skill struct {
	Choices int `json:"choices"`
	Lost    int `json:"lost"`  // in hundredths, of
	Stake   int `json:"stake"` // what lay between the best and the worst of each choice
}

// Accuracy is from 0 to 1, as of a match.
func (d Skill) Accuracy() float64 {
	if d.Stake == 0 {
		return 1
	}
	return 1 - float64(d.Lost)/float64(d.Stake)
}

// SkillName returns the name of the document with how well a player chose in a home.
func SkillName(home, player string) string { return "skill:" + home + "|" + player }
