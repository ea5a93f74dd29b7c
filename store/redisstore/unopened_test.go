package redisstore_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// trusting returns options that trust a CA, and present the certificate beside it if certified.
func trusting(t *testing.T, ca string, certified bool) redisstore.Options {
	t.Helper()
	roots := x509.NewCertPool()
	text, err := os.ReadFile(ca)
	if err != nil || !roots.AppendCertsFromPEM(text) {
		t.Fatal(err)
	}
	options := redisstore.Options{Roots: roots}
	if certified {
		dir := filepath.Dir(ca)
		pair, err := tls.LoadX509KeyPair(filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"))
		if err != nil {
			t.Fatal(err)
		}
		options.Certificate = func() (*tls.Certificate, error) { return &pair, nil }
	}
	return redisstore.Patient(options)
}

// A Redis may ask for a client certificate, which is its default, and have another name than its host.
func TestTLSSettings(t *testing.T) {
	t.Parallel()
	for _, protocols := range []string{"TLSv1.2", "TLSv1.2 TLSv1.3"} {
		_, addr, ca := redistest.StartTLS(t, "--tls-auth-clients", "yes", "--tls-protocols", protocols)
		_, port, _ := net.SplitHostPort(addr)
		for _, address := range []string{"rediss://" + addr, "rediss://localhost:" + port + "?server_name=127.0.0.1", "rediss://localhost:" + port + "/0?client_name=x&server_name=127.0.0.1"} {
			s := open(t, address, trusting(t, ca, true))
			if err := s.Commit(t.Context(), put("a", "1")); err != nil {
				t.Error(err)
			}
		}
	}
}

// Each refusal of a Redis or of its port must be told with its cause. Waiting is only for those that may pass.
func TestUnopened(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	server, addr, ca := redistest.StartTLS(t)
	_, strict, ca2 := redistest.StartTLS(t, "--tls-auth-clients", "yes")
	_, old, ca3 := redistest.StartTLS(t, "--tls-auth-clients", "yes", "--tls-protocols", "TLSv1.2")
	_, port, _ := net.SplitHostPort(addr)
	replica := redistest.Start(t)
	for _, command := range [][]string{{"CONFIG", "SET", "replica-serve-stale-data", "no"}, {"REPLICAOF", "127.0.0.1", "1"}} {
		if answer, err := replica.Do(command...); answer != "+OK" {
			t.Fatal(answer, err)
		}
	}
	busy := redistest.Start(t, "--maxclients", "1")
	first, err := net.Dial("tcp", busy.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { first.Close() })
	resets := redistest.Listen(t)
	go func() {
		for {
			conn, err := resets.Accept()
			if err != nil {
				return
			}
			_ = conn.(*net.TCPConn).SetLinger(0)
			conn.Close()
		}
	}()
	slotless := redistest.Start(t, "--cluster-enabled", "yes")
	const name, plain, withTLS, client = "?server_name=", "begin with redis://", "begin with rediss://", "store.redis_cert"
	for address, tt := range map[string]struct {
		options redisstore.Options
		want    string
		away    bool
	}{
		"rediss://" + addr:                                  {redisstore.Options{}, "store.redis_ca", false},
		"rediss://localhost:" + port:                        {trusting(t, ca, false), name, false},
		"rediss://" + addr + "?server_name=x":               {trusting(t, ca, false), name, false},
		"rediss://localhost:" + port + ",localhost:" + port: {trusting(t, ca, false), name, false},
		"rediss+sentinel://localhost:" + port + "/x":        {trusting(t, ca, false), name, false},
		"rediss+sentinel://" + addr + "/x?server_name=else": {trusting(t, ca, false), name, false},
		"rediss://" + strict:                                {trusting(t, ca2, false), client, false},
		"rediss://" + old:                                   {trusting(t, ca3, false), client, false},
		"rediss://" + strict + "?client_name=x":             {trusting(t, ca2, false), client, false},
		"redis://" + addr:                                   {redisstore.Options{}, withTLS, false},
		"redis://" + addr + "," + addr:                      {redisstore.Options{}, withTLS, false},
		"redis+sentinel://" + addr + "/x":                   {redisstore.Options{}, withTLS, false},
		"rediss://" + server.Addr:                           {redisstore.Options{}, plain, false},
		"rediss+sentinel://" + server.Addr + "/x":           {redisstore.Options{}, plain, false},
		"redis://" + server.Addr + "/99":                    {redisstore.Options{}, "DB index", false},
		"rediss://" + resets.Addr().String():                {redisstore.Options{}, name, true},
		"redis://" + replica.Addr:                           {redisstore.Options{}, "MASTERDOWN", true},
		"redis://" + busy.Addr:                              {redisstore.Options{}, "max number of clients", true},
		"redis://" + slotless.Addr + "," + slotless.Addr:    {redisstore.Options{}, "CLUSTERDOWN", true},
		"redis://127.0.0.1:1":                               {redisstore.Options{}, "refused", true},
		"redis+sentinel://127.0.0.1:1,127.0.0.1:2/x":        {redisstore.Options{}, "refused", true},
		"redis://no-such-host.invalid":                      {redisstore.Options{}, "no-such-host", true},
	} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			s, err := redisstore.Open(t.Context(), address, tt.options)
			// A busy machine is slow, and a full Redis may close the connection before its answer can be read.
			for errors.Is(err, redisstore.ErrSilent) || err != nil && strings.Contains(err.Error(), "broken pipe") {
				s, err = redisstore.Open(t.Context(), address, tt.options)
			}
			if err == nil {
				s.Close()
				t.Fatal("it is open")
			}
			if !strings.Contains(err.Error(), tt.want) || errors.As(err, new(redisstore.AwayError)) != tt.away || strings.Contains(err.Error(), "\n") {
				t.Errorf("want %q, away %t: %v", tt.want, tt.away, err)
			}
		})
	}
}
