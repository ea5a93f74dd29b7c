package doc

// MostKnown is how many tables a process keeps in mind, so that it need not read
// or work them out anew for each press: what is kept follows from the stored bytes
// that it is asked about, and the store stays the truth. A table with its document
// and its posts has some 40 kB.
const MostKnown = 512
