package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/observe"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// httpURL waits until the program logs its HTTP address, and returns it.
func (p *program) httpURL() string {
	p.t.Helper()
	line := p.stderr.wait(p.t, `msg=listening http=\S+$`)
	return "http://" + line[strings.LastIndex(line, "=")+1:]
}

// ask sends a request to the program and returns the status and the answer.
func (p *program) ask(path string) (int, string) {
	p.t.Helper()
	resp, err := http.Get(p.httpURL() + path)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// After a match, all documented metrics must have values. None may contain a person, a chat, a table, a card or a
// token.
func TestMetricsOfAMatch(t *testing.T) {
	t.Parallel()
	unraced(t)
	k := onBolt(t)
	server := telegramtest.New(t)
	p := startEager(t, k.config, "http.listen: 127.0.0.1:0", "telegram.token: "+server.Token, "telegram.api_base: "+server.URL, "table.pace: 0")
	c := newTelegram(t, server, "Annabella", "Benvolio")
	c.open()
	c.wait("deal 1")
	if _, text := p.ask("/metrics"); !strings.Contains(text, "\nsedmabot_tables_open 1\n") {
		t.Errorf("one table is open, but:\n%s", grep(text, "sedmabot_tables_open"))
	}
	playUntil(c, everybody(c, 1), finished)
	status, text := p.ask("/metrics")
	if status != http.StatusOK {
		t.Fatalf("status %d:\n%s", status, text)
	}
	for _, pattern := range []string{
		`sedmabot_presses_total{outcome="done",platform="telegram"} [1-9]\d*`,
		`sedmabot_presses_total{outcome="failed",platform="telegram"} 0`,
		`sedmabot_presses_total{outcome="limited",platform="telegram"} 0`,
		`sedmabot_commands_total{outcome="done",platform="telegram"} [1-9]\d*`,
		`sedmabot_reply_seconds_count{platform="telegram"} [1-9]\d*`,
		`sedmabot_deliveries_total{kind="send",outcome="done",platform="telegram"} [1-9]\d*`,
		`sedmabot_deliveries_total{kind="edit",outcome="done",platform="telegram"} [1-9]\d*`,
		`sedmabot_deliveries_total{kind="edit",outcome="retry",platform="telegram"} 0`,
		`sedmabot_deliveries_total{kind="edit",outcome="limited",platform="telegram"} 0`,
		`sedmabot_delivery_seconds_count{platform="telegram"} [1-9]\d*`,
		`sedmabot_store_seconds_count{call="commit"} [1-9]\d*`,
		`sedmabot_store_failures_total{call="commit",kind="error"} 0`,
		`sedmabot_reconcile_seconds_count [1-9]\d*`,
		`sedmabot_due_lag_seconds_count [1-9]\d*`,
		`sedmabot_ai_seconds_count [1-9]\d*`,
		`sedmabot_tables_open 0`,
		`go_goroutines \d+`,
	} {
		if !regexp.MustCompile(`(?m)^` + pattern + `$`).MatchString(text) {
			name, _, _ := strings.Cut(pattern, "{")
			t.Errorf("no line %s in\n%s", pattern, grep(text, name))
		}
	}
	p.end()

	ours := grep(text, "sedmabot_")
	_, id, _ := strings.Cut(server.Token, ":")
	secrets := []string{server.Token, id, "Annabella", "Benvolio", "Card room", "♥", "♠", "♦", "♣", fmt.Sprint(c.chat.ID)}
	for _, person := range c.people {
		secrets = append(secrets, fmt.Sprint(person.ID))
	}
	s, err := k.open()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tables := 0
	for partition := range store.Partitions {
		docs, _, err := s.Scan(t.Context(), partition, "table:", "")
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range docs {
			tables++
			secrets = append(secrets, strings.TrimPrefix(doc.Key.Name, "table:"))
		}
	}
	if tables != 1 {
		t.Errorf("%d tables are kept", tables)
	}
	for _, secret := range secrets {
		if strings.Contains(text, `"`+secret+`"`) || len(secret) > 4 && strings.Contains(ours, secret) {
			t.Errorf("%q stands in the metrics", secret)
		}
	}
	closed := map[string]string{
		"platform": "telegram", "outcome": "done refused limited failed retry unreachable gone invalid held", "kind": "send edit delete conflict fenced error",
		"call": "get commit claim release board scan",
	}
	for _, label := range regexp.MustCompile(`(\w+)="([^"]*)"`).FindAllStringSubmatch(ours, -1) {
		if label[1] != "le" && !slices.Contains(strings.Fields(closed[label[1]]), label[2]) {
			t.Errorf("label %s has the value %q", label[1], label[2])
		}
	}
}

func grep(text, prefix string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, prefix) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// The bot must be ready only when its platforms are connected. Before that it must say what is missing. It must be
// alive all the time.
func TestReady(t *testing.T) {
	t.Parallel()
	down := storetest.Address(t)
	server := telegramtest.New(t)
	p := start(t, dataFile(t), "http.listen: 127.0.0.1:0", "telegram.token: "+server.Token, "telegram.api_base: http://"+down)
	p.stderr.wait(t, "telegram cannot be reached")
	if status, text := p.ask("/livez"); status != http.StatusOK {
		t.Errorf("/livez: %d %s", status, text)
	}
	if status, text := p.ask("/readyz"); status != http.StatusServiceUnavailable || text != "telegram cannot be reached\n" {
		t.Errorf("/readyz: %d %s", status, text)
	}
	address := "http.listen: " + strings.TrimPrefix(p.httpURL(), "http://")
	if out, err := tool(t, "", "--config", write(t, "c.yaml", sections([]string{address})), "healthcheck"); err == nil || err.Error() != "the bot is not ready: telegram cannot be reached" {
		t.Errorf("healthcheck: %v\n%s", err, out)
	}

	discord := discordtest.New(t)
	p = start(t, dataFile(t), "http.listen: 127.0.0.1:0", "discord.token: "+discord.Token(), "discord.api_base: "+discord.URL(),
		"telegram.token: "+server.Token, "telegram.api_base: "+server.URL)
	p.stderr.wait(t, "connected to telegram")
	p.stderr.wait(t, "connected to discord")
	if status, text := p.ask("/readyz"); status != http.StatusOK || text != "ready\n" {
		t.Errorf("/readyz: %d %s", status, text)
	}
	address = "http.listen: " + strings.TrimPrefix(p.httpURL(), "http://")
	if out, err := tool(t, "", "--config", write(t, "c.yaml", sections([]string{address})), "healthcheck"); err != nil || out != "ready\n" {
		t.Errorf("healthcheck: %v\n%s", err, out)
	}
}

// A healthcheck without a bot must fail and say what to do.
func TestHealthcheckWithoutABot(t *testing.T) {
	t.Parallel()
	down := storetest.Address(t)
	for config, want := range map[string]string{
		"log.level: info":      "http.listen is empty: set it",
		"http.listen: " + down: "no bot answers at http.listen",
	} {
		if out, err := tool(t, "", "--config", write(t, "c.yaml", sections([]string{config})), "healthcheck"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\n%s", config, err, out)
		}
	}
	for listen, want := range map[string]string{
		"127.0.0.1:81": "127.0.0.1:81", ":81": "127.0.0.1:81", "0.0.0.0:81": "127.0.0.1:81", "[::]:81": "[::1]:81", "bot:81": "bot:81",
	} {
		if got := reachable(listen); got != want {
			t.Errorf("%s is reached at %s, want %s", listen, got, want)
		}
	}
}

// The dashboard must use all metrics of the bot, and no others.
func TestDashboard(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("deploy/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	registry := prometheus.NewRegistry()
	observe.New(registry, nil, "telegram")
	has := map[string]bool{"sedmabot_tables_open": false}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		has[f.GetName()] = false
	}
	for _, panel := range dashboard.Panels {
		if len(panel.Targets) == 0 {
			t.Errorf("%s asks for nothing", panel.Title)
		}
		for _, target := range panel.Targets {
			for _, name := range regexp.MustCompile(`sedmabot_\w+`).FindAllString(target.Expr, -1) {
				name = strings.TrimSuffix(name, "_bucket")
				if _, ok := has[name]; !ok {
					t.Errorf("%s asks for %s", panel.Title, name)
				}
				has[name] = true
			}
		}
	}
	for name, asked := range has {
		if !asked {
			t.Errorf("no panel shows %s", name)
		}
	}
}
