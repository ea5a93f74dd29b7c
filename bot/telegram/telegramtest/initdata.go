package telegramtest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// InitData returns the fields of the initData that Telegram's app gives a Mini App's page for a person, made at a moment. start
// is the link's parameter, or "". [Sign] makes the query string of them.
func InitData(p *Person, at time.Time, start string) map[string]string {
	user, err := json.Marshal(map[string]any{"id": p.ID, "first_name": p.First, "language_code": "en"})
	if err != nil {
		panic(err)
	}
	fields := map[string]string{"user": string(user), "auth_date": strconv.FormatInt(at.Unix(), 10), "signature": "abc-_", "chat_instance": "-42"}
	if start != "" {
		fields["start_param"] = start
	}
	return fields
}

// Sign returns initData with these fields, as Telegram signs it for the bot with a token
// (https://core.telegram.org/bots/webapps#validating-data-received-via-the-mini-app).
func Sign(token string, fields map[string]string) string {
	var lines []string
	values := url.Values{}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		lines = append(lines, name+"="+fields[name])
		values.Set(name, fields[name])
	}
	key := hmac.New(sha256.New, []byte("WebAppData"))
	key.Write([]byte(token))
	mac := hmac.New(sha256.New, key.Sum(nil))
	mac.Write([]byte(strings.Join(lines, "\n")))
	values.Set("hash", hex.EncodeToString(mac.Sum(nil)))
	return values.Encode()
}
