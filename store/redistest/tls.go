package redistest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// StartTLS starts a Redis that also listens with TLS. It returns the host:port for TLS in secure, and in ca the file
// with the CA's certificate. Beside that file, cert.pem and key.pem are a certificate of this CA and its key. The test
// itself can still connect without TLS.
func StartTLS(t testing.TB, args ...string) (server *Server, secure, ca string) {
	t.Helper()
	dir := t.TempDir()
	file := func(name, kind string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	sign := func(serial int64, of, by *x509.Certificate, with *ecdsa.PrivateKey) (*ecdsa.PrivateKey, []byte) {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		if with == nil {
			with = key
		}
		of.SerialNumber, of.NotBefore, of.NotAfter = big.NewInt(serial), time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
		cert, err := x509.CreateCertificate(rand.Reader, of, by, &key.PublicKey, with)
		if err != nil {
			t.Fatal(err)
		}
		return key, cert
	}
	root := &x509.Certificate{Subject: pkix.Name{CommonName: "a test"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	rootKey, rootCert := sign(1, root, root, nil)
	key, cert := sign(2, &x509.Certificate{Subject: pkix.Name{CommonName: "redis"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}, root, rootKey)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	ca = file("ca.pem", "CERTIFICATE", rootCert)
	secure = Address(t)
	_, port, err := net.SplitHostPort(secure)
	if err != nil {
		t.Fatal(err)
	}
	return Start(t, append([]string{"--tls-port", port, "--tls-cert-file", file("cert.pem", "CERTIFICATE", cert),
		"--tls-key-file", file("key.pem", "PRIVATE KEY", private), "--tls-ca-cert-file", ca, "--tls-auth-clients", "no"}, args...)...), secure, ca
}
