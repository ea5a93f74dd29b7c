package chat

import "net/http"

// keptOpen is how many idle connections to one platform are kept open. It covers all the
// deliveries and answers that the bot makes at the same time under load.
const keptOpen = 256

// Client returns an HTTP client for requests to platforms. The standard client keeps only two
// connections to a host open, so most requests at a busy time would begin with a TLS handshake.
// Answers aren't compressed: they are short, and decompressing takes longer than reading them.
func Client() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 0, keptOpen // 0: no limit
	t.DisableCompression = true
	return &http.Client{Transport: t}
}
