package chat

// The periods of leaderboards.
const (
	Weekly   = "week"
	Monthly  = "month"
	Seasonal = "season"
	AllTime  = "all"
)

// Periods lists all periods, as the values of the command's option.
var Periods = []string{Weekly, Monthly, Seasonal, AllTime}
