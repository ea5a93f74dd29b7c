package verdict

import (
	"net/http"
	"testing"
)

// TestRead checks that only Discord's own answers are refusals.
func TestRead(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		status int
		body   string
		own    bool
	}{
		{http.StatusForbidden, `{"message": "Cannot send messages to this user", "code": 50007}`, true},
		{http.StatusBadRequest, `{"message": "Message was blocked by automatic moderation", "code": 200000}`, true},
		{http.StatusUnauthorized, `{"message": "401: Unauthorized", "code": 0}`, true},
		{http.StatusNotFound, `{"message": "404: Not Found", "code": 0}`, true},
		{http.StatusForbidden, `{"message": "internal network error", "code": 40333}`, false},
		{http.StatusForbidden, `{"message": "Forbidden", "code": 403}`, false},
		{http.StatusForbidden, `{"message": "Forbidden", "code": 0}`, false},
		{http.StatusForbidden, `{"error": "access denied"}`, false},
		{http.StatusForbidden, `{"title": "Error 1020: Access denied", "error_code": 1020, "cloudflare_error": true}`, false},
		{http.StatusForbidden, `{"message": "Forbidden", "code": "50007"}`, false},
		{http.StatusForbidden, `<html><body>403 Forbidden</body></html>`, false},
		{http.StatusNotFound, `404 page not found`, false},
		{http.StatusNotFound, `null`, false},
		{http.StatusNotFound, `[]`, false},
		{http.StatusUnauthorized, ``, false},
	} {
		if _, own := Read(test.status, []byte(test.body)); own != test.own {
			t.Errorf("%d %s: %t, wanted %t", test.status, test.body, own, test.own)
		}
	}
	if r, _ := Read(http.StatusTooManyRequests, []byte(`{"message": "You are being rate limited.", "retry_after": 0.5, "global": true}`)); r.RetryAfter != 0.5 || !r.Global {
		t.Errorf("a rate limit is read as %+v", r)
	}
}
