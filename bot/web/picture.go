package web

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"sedmabot/bot/face"
)

// Where a platform takes no file, it loads a picture from an address. The address itself contains the picture's content,
// encrypted with the key of the sessions: every process can draw it, nobody else can make or read one, and it leads to
// no table. It shows for good what was posted there.

// PictureAddress returns the address at which anybody who knows it can load a picture. It has about 700 characters. Pictures
// that look the same have the same address.
func (s *Site) PictureAddress(ctx context.Context, p face.Picture) (string, error) {
	secret, err := s.Pages().Secret(ctx)
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(p)
	if err != nil {
		return "", err
	}
	var small bytes.Buffer
	w, err := flate.NewWriter(&small, flate.BestCompression)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return "", err
	}
	lock, err := pictureLock(secret)
	if err != nil {
		return "", err
	}
	nonce := derive(secret, "picture's nonce "+small.String())[:lock.NonceSize()]
	name := base64.RawURLEncoding.EncodeToString(lock.Seal(nonce, nonce, small.Bytes(), nil))
	return strings.TrimSuffix(s.URL, "/") + "/pictures/" + name + ".png", nil
}

// errNoPicture reports an address that isn't that of a picture.
var errNoPicture = errors.New("no picture")

// pictureNamed returns the picture whose address ends so.
func pictureNamed(secret []byte, name string) (p face.Picture, err error) {
	name, ok := strings.CutSuffix(name, ".png")
	data, err := base64.RawURLEncoding.DecodeString(name)
	if err != nil || !ok {
		return p, errNoPicture
	}
	lock, err := pictureLock(secret)
	if err != nil {
		return p, err
	}
	if len(data) < lock.NonceSize() {
		return p, errNoPicture
	}
	small, err := lock.Open(nil, data[:lock.NonceSize()], data[lock.NonceSize():], nil)
	if err != nil {
		return p, errNoPicture
	}
	if data, err = io.ReadAll(flate.NewReader(bytes.NewReader(small))); err != nil {
		return p, err
	}
	return p, json.Unmarshal(data, &p)
}

// pictureLock encrypts the names of pictures. A nonce comes from the content, so the same one is never used for two.
func pictureLock(secret []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(derive(secret, "picture"))
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// picture serves a picture.
func (s *Site) picture(w http.ResponseWriter, r *http.Request) {
	secret, err := s.Pages().Secret(r.Context())
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	p, err := pictureNamed(secret, r.PathValue("name"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	data := s.Easel.Named(r.PathValue("name"), p)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	forGood(w, "image/png")
	_, _ = w.Write(data)
}
