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

// Headers with which Discord signs what it sends to the interactions endpoint.
// https://discord.com/developers/docs/interactions/overview#setting-up-an-endpoint-validating-security-request-headers
const (
	signatureHeader = "X-Signature-Ed25519"
	timestampHeader = "X-Signature-Timestamp"
)

// interactionLimit is the longest interaction that is read, in bytes.
const interactionLimit = 1 << 20

var errPublicKey = errors.New("discord: discord.public_key is not that of the token's application: copy Public Key from General Information at https://discord.com/developers/applications")

// publicKey reads an application's key, 64 hexadecimal digits.
func publicKey(digits string) (ed25519.PublicKey, error) {
	key, err := hex.DecodeString(digits)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, errPublicKey
	}
	return key, nil
}

// listen has ServeHTTP take interactions until ctx ends.
func (a *Adapter) listen(ctx context.Context, take taker) {
	a.taking.Store(&take)
	defer a.taking.Store(nil)
	a.log.Info("waiting for discord at the interactions endpoint")
	<-ctx.Done()
}

// taker begins to answer an interaction, unless there is an error.
type taker func(it interaction) error

// hand hands an interaction to Run's desk.
func (a *Adapter) hand(it interaction) error {
	take := a.taking.Load()
	if take == nil {
		return errStopped
	}
	return (*take)(it)
}

// signatureLife is how old a signature may be. The shell remembers for longer what was
// done by then (bot.OnceFor).
const signatureLife = 3 * time.Minute

// fresh reports whether a signature with that timestamp, in seconds, is to be trusted.
func (c *clock) fresh(stamp string) bool {
	at, err := strconv.ParseInt(stamp, 10, 64)
	return err == nil && c.now().Sub(time.Unix(at, 0)) <= signatureLife
}

// response is that to an interaction of the endpoint. It is empty if a request
// of the bot's own answers, as one that came through the gateway: only then
// Discord says whether it took the answer.
type response struct {
	is   chan callback // closed without one: it stays empty
	over bool
}

// give makes c the response if that is still open and c is nothing that Discord
// may refuse. It reports false if c has to be sent.
func (r *response) give(c callback) bool {
	if r == nil || r.over {
		return false
	}
	if c.sure {
		r.is <- c
	}
	r.end()
	return c.sure
}

// end leaves the response empty if it is still open.
func (r *response) end() {
	if r != nil && !r.over {
		r.over = true
		close(r.is)
	}
}

// ServeHTTP takes one interaction that Discord sends to the interactions
// endpoint. What is sure to be taken is answered in the response; else that is
// empty.
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
	if !a.rest.clock.fresh(r.Header.Get(timestampHeader)) {
		http.Error(w, "the signature is too old", http.StatusUnauthorized)
		return
	}
	it, err := readInteraction(body)
	it.waits = &response{is: make(chan callback, 1)}
	if it.Type == kindPing {
		it.waits.give(callback{Type: answerPong, sure: true})
	} else if err != nil {
		http.Error(w, "no interaction", http.StatusBadRequest)
		return
	} else if err := a.hand(it); err != nil {
		status := http.StatusServiceUnavailable
		if errors.Is(err, errCrowd) {
			status = http.StatusTooManyRequests
		}
		http.Error(w, err.Error(), status)
		return
	}
	c, given := <-it.waits.is
	if !given {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(c) // who does not hear it sees the table all the same
}
