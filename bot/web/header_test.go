package web

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// The page believes only what may be a language, and follows the weights of a list.
func TestWhatABrowserWants(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"": "", "*": "", "cs": "cs", "de-AT,de;q=0.9": "de-AT", "*, sk;q=0.5": "sk", "cs;q=0, pl": "pl", "cs; q=0.000, *;q=0.1": "",
		"<script>": "", "en\u0000": "", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": "",
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
		r.Header.Set("Accept-Language", header)
		if got := spoken(r); got != want {
			t.Errorf("%q: the language %q, want %q", header, got, want)
		}
	}
	site, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	for header, want := range map[string]string{
		"": "", "gzip": "gzip", "br, gzip;q=0.5": "gzip", "gzip;q=0": "", "gzip; q=0.0, br": "", "zstd, gzip, br": "gzip", "gzipped": "", "gzip;q=1": "gzip",
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/a/"+site.assets.hash+"/page.css", http.NoBody)
		r.Header.Set("Accept-Encoding", header)
		w := httptest.NewRecorder()
		site.ServeHTTP(w, r)
		if got := w.Header().Get("Content-Encoding"); w.Code != http.StatusOK || got != want {
			t.Errorf("%q: %d in %q, want %q", header, w.Code, got, want)
		}
	}
}
