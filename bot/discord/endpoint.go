package discord

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Headers that hold the signature of a request to the interactions endpoint.
// https://discord.com/developers/docs/interactions/overview#setting-up-an-endpoint-validating-security-request-headers
const (
	signatureHeader = "X-Signature-Ed25519"
	timestampHeader = "X-Signature-Timestamp"
)

// interactionLimit is the maximum length of an interaction, in bytes.
const interactionLimit = 1 << 20

var errPublicKey = errors.New("discord: discord.public_key is not that of the token's application: copy Public Key from General Information at https://discord.com/developers/applications")

// publicKey decodes an application's public key from 64 hexadecimal digits.
func publicKey(digits string) (ed25519.PublicKey, error) {
	key, err := hex.DecodeString(digits)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, errPublicKey
	}
	return key, nil
}

// listen makes ServeHTTP accept interactions until ctx ends.
func (a *Adapter) listen(ctx context.Context, take receiver) {
	a.receiver.Store(&take)
	defer a.receiver.Store(nil)
	a.log.Info("waiting for discord at the interactions endpoint")
	<-ctx.Done()
}

// receiver starts to answer an interaction. If it returns an error, the interaction isn't answered.
type receiver func(it interaction) error

// receive passes an interaction to the running intake.
func (a *Adapter) receive(it interaction) error {
	take := a.receiver.Load()
	if take == nil {
		return errStopped
	}
	return (*take)(it)
}

// signatureLife is the expiry of a signature. Handled interactions are remembered for
// longer (see chat.OnceFor), so a recorded request has no effect.
const signatureLife = 3 * time.Minute

// fresh reports whether a signature with that timestamp, in Unix seconds, has not expired.
func (c *clock) fresh(stamp string) bool {
	at, err := strconv.ParseInt(stamp, 10, 64)
	return err == nil && c.now().Sub(time.Unix(at, 0)) <= signatureLife
}

// response is the HTTP response to an interaction at the endpoint. It stays empty if the
// bot answers with a request of its own, as it does for interactions from the gateway.
// Only then Discord reports whether it accepted the answer.
type response struct {
	answer chan callback // receives the answer; if it is closed without one, the response is empty
	closed bool          // the channel has been closed
}

// send makes c the response, if the response is open and c.sure is set. If it reports
// false, c has to be sent with a request.
func (r *response) send(c callback) bool {
	if r == nil || r.closed {
		return false
	}
	if c.sure {
		r.answer <- c
	}
	r.end()
	return c.sure
}

// end closes the response. If there is no answer yet, it stays empty.
func (r *response) end() {
	if r != nil && !r.closed {
		r.closed = true
		close(r.answer)
	}
}

// ServeHTTP handles one request from Discord to the interactions endpoint. It sends
// answers that Discord cannot refuse in the response. For other answers, the response is
// empty, and a request follows.
// https://discord.com/developers/docs/interactions/receiving-and-responding#responding-to-an-interaction
func (a *Adapter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, interactionLimit))
	if err != nil {
		http.Error(w, "the interaction cannot be read", http.StatusBadRequest)
		return
	}
	signature, err := hex.DecodeString(r.Header.Get(signatureHeader))
	signed := slices.Concat([]byte(r.Header.Get(timestampHeader)), body)
	if a.key == nil || err != nil || len(signature) != ed25519.SignatureSize || !ed25519.Verify(a.key, signed, signature) {
		http.Error(w, "the signature is wrong", http.StatusUnauthorized)
		return
	}
	if !a.client.clock.fresh(r.Header.Get(timestampHeader)) {
		http.Error(w, "the signature is too old", http.StatusUnauthorized)
		return
	}
	var it interaction
	err = json.Unmarshal(body, &it)
	it.response = &response{answer: make(chan callback, 1)}
	if it.Type == kindPing {
		it.response.send(callback{Type: answerPong, sure: true})
	} else if err != nil || it.check() != nil {
		http.Error(w, "no interaction", http.StatusBadRequest)
		return
	} else if err := a.receive(it); err != nil {
		status := http.StatusServiceUnavailable
		if errors.Is(err, errQueueFull) {
			status = http.StatusTooManyRequests
		}
		http.Error(w, err.Error(), status)
		return
	}
	c, given := <-it.response.answer
	if !given {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(c) // an error is ignored: even without the answer, people see the change at the table
}
