package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/store"
	"sedmabot/store/boltstore"
	"sedmabot/store/redistest"
)

// monitored waits until the program logs where it answers monitoring, and returns that line of its configuration.
func (p *program) monitored() string {
	p.t.Helper()
	line := p.stderr.wait(p.t, `msg=monitoring listen=\S+$`)
	return "monitor.listen: " + line[strings.LastIndex(line, "=")+1:]
}

// untilReady waits until the program is ready.
func (p *program) untilReady() {
	p.t.Helper()
	for status, _ := p.ask("/readyz"); status != http.StatusOK; status, _ = p.ask("/readyz") {
		if p.t.Context().Err() != nil {
			p.t.Fatal("the program doesn't get ready")
		}
	}
}

// ask sends a request for monitoring to the program and returns the status and the answer.
func (p *program) ask(path string) (int, string) {
	p.t.Helper()
	resp, err := http.Get("http://" + strings.TrimPrefix(p.monitored(), "monitor.listen: ") + path)
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
	unhurried(t)
	k := onBolt(t)
	server := telegramtest.New(t)
	p := startEager(t, k.config, "telegram.token: "+server.Token, "telegram.api_base: "+server.URL, "table.pace: 0")
	c := newTelegram(t, server, "Annabella", "Benvolio")
	c.open()
	c.begun()
	if _, text := p.ask("/metrics"); !strings.Contains(text, "\nsedmabot_tables_open 1\n") {
		t.Errorf("one table is open, but:\n%s", grep(text, "sedmabot_tables_open"))
	}
	c.lastDeal()
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
		`sedmabot_ready 1`,
		`sedmabot_platform_connected{platform="telegram"} 1`,
		`sedmabot_build_info{commit="[^"]*",go="go1[^"]+",version="[^"]+"} 1`,
		`go_goroutines \d+`,
	} {
		if !regexp.MustCompile(`(?m)^` + pattern + `$`).MatchString(text) {
			name, _, _ := strings.Cut(pattern, "{")
			t.Errorf("no line %s in\n%s", pattern, grep(text, name))
		}
	}
	p.end()

	own := grep(text, "sedmabot_")
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
	named := regexp.MustCompile(`(?m) \S+$`).ReplaceAllString(own, "") // without the values, whose digits may be those of an id
	for _, secret := range secrets {
		if strings.Contains(text, `"`+secret+`"`) || len(secret) > 4 && strings.Contains(named, secret) {
			t.Errorf("%q stands in the metrics", secret)
		}
	}
	closed := map[string]string{
		"platform": "telegram", "outcome": "done refused limited failed retry unreachable gone invalid held", "kind": "send edit delete conflict fenced error",
		"call": "get commit claim release board scan",
	}
	for _, label := range regexp.MustCompile(`(\w+)="([^"]*)"`).FindAllStringSubmatch(own, -1) {
		if !slices.Contains([]string{"le", "version", "commit", "go"}, label[1]) && !slices.Contains(strings.Fields(closed[label[1]]), label[2]) {
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

// healthcheck runs the command of that name for the program.
func (p *program) healthcheck(config ...string) (string, error) {
	p.t.Helper()
	return tool(p.t, "", "--config", write(p.t, "c.yaml", sections(append(config, p.monitored()))), "healthcheck")
}

// A platform that is away doesn't stop the process from being ready, because the other platform and the pages need it. A
// metric and a line of the log say which one it is.
func TestReadyWithoutAPlatform(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	down := redistest.Address(t)
	telegram, discord := telegramtest.New(t), discordtest.New(t)
	for away, config := range map[string][]string{
		"telegram": {"discord.token: " + discord.Token(), "discord.api_base: " + discord.URL(), "telegram.token: " + telegram.Token, "telegram.api_base: http://" + down},
		"discord":  {"discord.token: " + discord.Token(), "discord.api_base: http://" + down, "telegram.token: " + telegram.Token, "telegram.api_base: " + telegram.URL},
	} {
		t.Run(away, func(t *testing.T) {
			t.Parallel()
			here := map[string]string{"discord": "telegram", "telegram": "discord"}[away]
			p := start(t, append(config, dataFile(t))...)
			p.stderr.wait(t, "connected to "+here)
			p.stderr.wait(t, `level=WARN msg="a platform is away" platform=`+away)
			p.untilReady()
			if status, text := p.ask("/livez"); status != http.StatusOK || text != "alive\n" {
				t.Errorf("/livez: %d %s", status, text)
			}
			if status, text := p.ask("/readyz"); status != http.StatusOK || text != "ready\n" {
				t.Errorf("/readyz: %d %s", status, text)
			}
			if out, err := p.healthcheck(); err != nil || out != "ready\n" {
				t.Errorf("healthcheck: %v\n%s", err, out)
			}
			_, text := p.ask("/metrics")
			for _, line := range []string{"sedmabot_ready 1", `sedmabot_platform_connected{platform="` + away + `"} 0`, `sedmabot_platform_connected{platform="` + here + `"} 1`} {
				if !strings.Contains(text, "\n"+line+"\n") {
					t.Errorf("no line %s in\n%s", line, grep(text, "sedmabot_"))
				}
			}
		})
	}
}

// The log has one line when a platform goes away and one when it is back.
func TestPlatformsThatComeBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := &moody{}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		time.AfterFunc(20*time.Second, func() { p.away.Store(true) })
		time.AfterFunc(40*time.Second, func() { p.away.Store(false) })
		if err := lookAfter(ctx, []chat.Platform{p}, slog.New(slog.NewTextHandler(&out, nil))); err != nil {
			t.Error(err)
		}
		var lines []string
		for line := range strings.Lines(out.String()) {
			_, line, _ = strings.Cut(line, " ")
			lines = append(lines, strings.TrimSpace(line))
		}
		want := []string{`level=WARN msg="a platform is away" platform=moody err=sulking`, `level=INFO msg="a platform is back" platform=moody`}
		if diff := cmp.Diff(want, lines); diff != "" {
			t.Error(diff)
		}
	})
}

// moody is a platform that is sometimes away.
type moody struct {
	chat.Platform
	away atomic.Bool
}

func (*moody) Name() string { return "moody" }

func (*moody) Abilities() chat.Abilities {
	return chat.Abilities{Refused: func() int { return 0 }}
}

func (p *moody) Ready() error {
	if p.away.Load() {
		return errors.New("sulking")
	}
	return nil
}

// The public server never answers monitoring, whatever a request says about its host and its way. Monitoring has a server of
// its own, which healthcheck finds also if players reach the pages at the very address of http.listen.
func TestMonitoringIsNotPublic(t *testing.T) {
	t.Parallel()
	public := redistest.Address(t)
	p := start(t, dataFile(t), "playground.listen: 127.0.0.1:0", "http.listen: "+public, "web.url: http://"+public)
	p.untilReady()
	if out, err := p.healthcheck("http.listen: "+public, "web.url: http://"+public); err != nil || out != "ready\n" {
		t.Errorf("healthcheck: %v\n%s", err, out)
	}
	for _, path := range []string{"/metrics", "/readyz", "/livez"} {
		if status, _ := p.ask(path); status != http.StatusOK {
			t.Errorf("monitoring answers %s with %d", path, status)
		}
		for _, host := range []string{public, "cards.test", "cards.test:443", "cards.test.", "localhost", "127.0.0.1:1"} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+public+path, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			req.Host = host
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != http.StatusNotFound {
				t.Errorf("%s over %s: %d", path, host, resp.StatusCode)
			}
		}
	}
}

// Monitoring is on by default, for this machine alone. If another program has that address, the bot runs without it.
func TestMonitoringByDefault(t *testing.T) {
	t.Parallel()
	c, err := loadConfig("", none)
	if host, _, splitErr := net.SplitHostPort(c.Monitor.Listen); err != nil || splitErr != nil || !net.ParseIP(host).IsLoopback() {
		t.Errorf("%q, %v, %v", c.Monitor.Listen, err, splitErr)
	}
	var log strings.Builder
	l, _ := net.Listen("tcp", c.Monitor.Listen) // if it fails, it is taken already
	defer func() {
		if l != nil {
			l.Close()
		}
	}()
	if w, err := c.monitor(slog.New(slog.NewTextHandler(&log, nil))); err != nil || w.listener != nil || !strings.Contains(log.String(), "set monitor.listen") {
		t.Errorf("%v, %s", err, log.String())
	}
	c.Monitor.Listen = "256.0.0.1:1"
	if _, err := c.monitor(slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "open monitor.listen") {
		t.Errorf("an address that isn't the default: %v", err)
	}
}

// A healthcheck without a bot must fail and say what to do.
func TestHealthcheckWithoutABot(t *testing.T) {
	t.Parallel()
	down := redistest.Address(t)
	for config, want := range map[string]string{
		`monitor.listen: ""`:      "monitor.listen is empty: set it",
		"monitor.listen: " + down: "no bot answers at monitor.listen",
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

// ourMetrics returns the names of the program's own metrics.
func ourMetrics(t *testing.T) map[string]bool {
	t.Helper()
	file, err := boltstore.Open(filepath.Join(t.TempDir(), "data.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	set, _ := newMetrics(&health{Store: file, log: slog.New(slog.DiscardHandler), now: time.Now}, []chat.Platform{&moody{}})
	var text strings.Builder
	set.WritePrometheus(&text)
	has := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^# TYPE (sedmabot_\w+) (?:counter|gauge|histogram)$`).FindAllStringSubmatch(text.String(), -1) {
		has[m[1]] = true
	}
	return has
}

// ours matches the names of metrics in an expression.
var ours = regexp.MustCompile(`sedmabot_\w+`)

// The dashboard must use all metrics of the bot, and no others. A process is ready there if /readyz says so.
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
	has, asked := ourMetrics(t), map[string]bool{}
	for _, panel := range dashboard.Panels {
		if len(panel.Targets) == 0 {
			t.Errorf("%s asks for nothing", panel.Title)
		}
		for _, target := range panel.Targets {
			for _, name := range ours.FindAllString(target.Expr, -1) {
				name = strings.TrimSuffix(name, "_bucket")
				if asked[name] = true; !has[name] {
					t.Errorf("%s asks for %s", panel.Title, name)
				}
			}
			if panel.Title == "Ready processes" && !strings.HasPrefix(target.Expr, "sum(sedmabot_ready{") {
				t.Errorf("%s asks for %s", panel.Title, target.Expr)
			}
		}
	}
	for name := range has {
		if !asked[name] {
			t.Errorf("no panel shows %s", name)
		}
	}
}

// Each alert asks for metrics of the bot, and says what to do.
func TestAlerts(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("deploy/helm/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var rules struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&rules); err != nil || len(rules.Groups) != 1 {
		t.Fatal(err)
	}
	has, asked := ourMetrics(t), map[string]bool{}
	for _, r := range rules.Groups[0].Rules {
		names := ours.FindAllString(r.Expr, -1)
		for _, name := range names {
			name = strings.TrimSuffix(name, "_bucket")
			if asked[name] = true; !has[name] {
				t.Errorf("%s asks for %s", r.Alert, name)
			}
		}
		if _, err := time.ParseDuration(r.For); err != nil || len(names) == 0 || r.Labels["severity"] == "" || r.Annotations["summary"] == "" || r.Annotations["description"] == "" {
			t.Errorf("%+v, %v", r, err)
		}
	}
	if !asked["sedmabot_ready"] || !asked["sedmabot_platform_connected"] {
		t.Errorf("they ask for %v", asked)
	}
}
