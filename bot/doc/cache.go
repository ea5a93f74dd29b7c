package doc

// MaxKnown is the size of the caches of tables in a process. They save decoding a
// table again for each press. Each entry is valid only for the stored bytes that it
// was made from, so the store remains the source of truth. A table takes about 40 kB,
// with its document and its posts.
const MaxKnown = 512
