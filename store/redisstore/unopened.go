package redisstore

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// AwayError is an error of Open that may pass: no Redis is there, or it takes no commands yet. After any other error, Open
// fails until somebody corrects the settings.
type AwayError struct{ error }

// Unwrap returns the cause.
func (e AwayError) Unwrap() error { return e.error }

// Answers reports whether the error is an answer of Redis.
func (e AwayError) Answers() bool { return errors.As(e.error, new(redis.Error)) }

// Errors that a look at the port found.
var (
	errTLS   = errors.New("it has TLS at this port")
	errNoTLS = errors.New("it has no TLS at this port")
)

// unopened returns the error of a Redis that can't be opened, with its cause and what to do.
func unopened(ctx context.Context, client redis.UniversalClient, where string, err error) error {
	var config *tls.Config
	switch client := client.(type) {
	case *redis.Client:
		config = client.Options().TLSConfig
	case *redis.ClusterClient:
		config = client.Options().TLSConfig
	}
	if timedOut(err) || broken(err) {
		host, _, _ := strings.Cut(where, ",") // the first one stands for all
		host, _, _ = strings.Cut(host, "/")
		if cause := examine(ctx, host, config); cause != nil {
			err = cause
		}
	}
	advice, passing := advise(err, config)
	err = fmt.Errorf("redis at %s: %w: %s", where, oneLine{plain(ctx, err)}, advice)
	if passing {
		return AwayError{err}
	}
	return err
}

// oneLine is an error in one line. The client joins those of several Sentinels.
type oneLine struct{ error }

func (e oneLine) Error() string { return strings.ReplaceAll(e.error.Error(), "\n", "; ") }
func (e oneLine) Unwrap() error { return e.error }

// looking is how long examine waits for each answer.
const looking = time.Second

// examine opens a port without a client, and returns why it cuts connections or stays silent; nil: that can't be seen.
func examine(ctx context.Context, host string, config *tls.Config) error {
	ctx, cancel := context.WithTimeout(ctx, 3*looking)
	defer cancel()
	dial := func() net.Conn {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", host)
		if err != nil {
			return nil
		}
		_ = conn.SetDeadline(time.Now().Add(looking))
		return conn
	}
	conn := dial()
	if conn == nil {
		return nil
	}
	defer conn.Close()
	if config == nil {
		// A Redis that is full says so before it is asked.
		if line, err := bufio.NewReader(conn).ReadString('\n'); err == nil && line[0] == '-' {
			return errors.New(strings.TrimSpace(line[1:]))
		}
		conn.Close()
		if conn = dial(); conn == nil {
			return nil
		}
		defer conn.Close()
		err := tls.Client(conn, &tls.Config{InsecureSkipVerify: true}).Handshake() //nolint:gosec // nothing is sent
		if err == nil || alert(err) != "" {
			return errTLS
		}
		return nil
	}
	if config = config.Clone(); config.ServerName == "" {
		config.ServerName, _, _ = net.SplitHostPort(host)
	}
	over := tls.Client(conn, config)
	err := over.Handshake()
	if err == nil {
		_, err = over.Read(make([]byte, 1)) // a refused client certificate comes after the handshake
	}
	if alert(err) != "" || errors.As(err, new(*tls.CertificateVerificationError)) {
		return err
	}
	bare := dial()
	if bare == nil {
		return nil
	}
	defer bare.Close()
	answer := make([]byte, 1)
	if _, err := bare.Write([]byte("PING\r\n")); err != nil {
		return nil
	}
	if _, err := bare.Read(answer); err == nil && strings.ContainsAny(string(answer), "+-") {
		return errNoTLS
	}
	return nil
}

// alert returns the text of the alert with which the other side refused TLS, or "".
func alert(err error) string {
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "remote error" {
		return op.Err.Error()
	}
	return ""
}

// advise says what to do about an error of a new connection, and whether it may pass.
func advise(err error, config *tls.Config) (advice string, passing bool) {
	const correct = "correct its settings or store.redis_url"
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &host):
		return "write a name that its certificate has into store.redis_url, or add ?server_name= and that name", false
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "renew its certificate, or correct this machine's clock", true
	case errors.As(err, &invalid):
		return "correct its certificate", false
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return "name a file with the certificate of its CA in store.redis_ca, or correct store.redis_url", false
	case errors.Is(err, errTLS):
		return "let store.redis_url begin with rediss:// or rediss+sentinel://", false
	case errors.Is(err, errNoTLS), errors.As(err, new(tls.RecordHeaderError)):
		return "let store.redis_url begin with redis:// or redis+sentinel://, or name the port that has TLS", false
	case strings.Contains(alert(err), "internal error"):
		return "look at its log", true
	case strings.Contains(alert(err), "name"):
		return "add ?server_name= and the name of its certificate to store.redis_url", false
	case alert(err) != "" && config != nil && config.GetClientCertificate != nil:
		return "it doesn't accept the certificate in store.redis_cert: look at its log", false
	case alert(err) != "":
		return "if it asks for a client certificate, name one in store.redis_cert and its key in store.redis_key", false
	case has(err, "WRONGPASS", "NOAUTH", "NOPERM", "AUTH", "Client sent AUTH", "invalid password"):
		return "correct the user and the password in store.redis_url", false
	case errors.Is(err, redis.Nil):
		return "correct the master's name in store.redis_url", false
	case has(err, "DENIED", "DB index", "invalid DB index", "SELECT", "unknown command", "This instance has cluster support disabled", "Protocol error"):
		return correct, false
	case Unready(err):
		return "it isn't ready yet", true
	case has(err, ""):
		return correct, true
	case config != nil && broken(err):
		return "start it; if it runs, add ?server_name= and the name of its certificate to store.redis_url, or look at its log", true
	}
	return "start it, or correct store.redis_url", true
}

// has reports whether Redis answered with an error that begins with one of these words, after its code ERR.
func has(err error, prefixes ...string) bool {
	for _, prefix := range prefixes {
		if redis.HasErrorPrefix(err, prefix) {
			return true
		}
	}
	return false
}
