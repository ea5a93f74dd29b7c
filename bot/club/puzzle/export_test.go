package puzzle

// Seeded returns the rating that a puzzle begins with.
var Seeded = seeded
