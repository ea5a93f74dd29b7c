package chat

// The periods that boards are for.
const (
	Weekly   = "week"
	Monthly  = "month"
	Seasonal = "season"
	AllTime  = "all"
)

// Periods are all of them, as they are chosen by.
var Periods = []string{Weekly, Monthly, Seasonal, AllTime}
