package redisstore_test

import (
	"crypto/x509"
	"os"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/clocktest"
	"sedmabot/store"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// The suite passes on a store that is found through Sentinels, with minimal rights. Then the master is killed, and
// returns as a replica.
func TestSentinels(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	sentinels := redistest.StartSentinels(t)
	t.Run("suite", func(t *testing.T) {
		clocktest.Single(t)
		suite(t, sentinels.URL(), redisstore.Options{})
	})
	s := processes(t, sentinels.URL())[0]
	if err := s.Commit(t.Context(), put("count", "0")); err != nil {
		t.Fatal(err)
	}
	continues := func(after string) {
		t.Helper()
		for began := time.Now(); ; {
			err := increment(t, s)
			if err == nil {
				return
			}
			if time.Since(began) > patience {
				t.Fatalf("nothing goes on after %s: %v", after, err)
			}
		}
	}
	continues("the beginning")
	interruptions := s.Interruptions()
	sentinels.Master.Kill()
	began := time.Now()
	sentinels.Replaced()
	replaced := time.Since(began)
	continues("a failover")
	t.Logf("the master was replaced after %v, and changes were taken after %v", replaced, time.Since(began))
	if s.Interruptions() <= interruptions {
		t.Error("a failover without an interruption")
	}
	sentinels.Master.Start()
	continues("the old master came back")
	if _, err := redisstore.Open(t.Context(), strings.Replace(sentinels.URL(), "/cards", "/chess", 1), redisstore.Options{}); err == nil {
		t.Error("a master that nobody knows was found")
	}
}

// Changes and their reports go over TLS, and in the long form the whole suite passes. The CA of the certificate must be known.
func TestTLS(t *testing.T) {
	t.Parallel()
	_, addr, ca := redistest.StartTLS(t)
	roots := x509.NewCertPool()
	if text, err := os.ReadFile(ca); err != nil || !roots.AppendCertsFromPEM(text) {
		t.Fatal(err)
	}
	if long {
		suite(t, "rediss://"+addr, redisstore.Options{Roots: roots})
	}
	s := open(t, "rediss://"+addr, redisstore.Options{Roots: roots})
	changes := s.Watch(t.Context(), store.Key{Name: "count"})
	<-changes // what is there already
	if err := s.Commit(t.Context(), put("count", "1")); err != nil {
		t.Fatal(err)
	}
	if docs := <-changes; string(docs[0].Data) != "1" {
		t.Errorf("the watch reports %s", docs[0].Data)
	}
	_, err := redisstore.Open(t.Context(), "rediss://:s3cret@"+addr, redisstore.Patient(redisstore.Options{}))
	if err == nil || !strings.Contains(err.Error(), "store.redis_ca") || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("a certificate of nobody knows whom: %v", err)
	}
}
