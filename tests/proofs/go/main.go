// Checks heads, proofs and updates with Go's own packages for transparency logs (golang.org/x/mod/sumdb).
//
// Reads cases as JSON, one a line, and answers each with a line: "ok", or why not.
package main

import (
	"bufio"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type testCase struct {
	Keys []string // of the log and of witnesses
	Head string   // a signed head
	Old  string   // an older head, for an update
	Path []string // of an inclusion or of growth
	Leaf string   // the data of a leaf, for an inclusion
	At   int64    // its index; -1 for none
}

// cosigner verifies cosignature/v1, for which the package has no verifier of its own.
type cosigner struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (c cosigner) Name() string    { return c.name }
func (c cosigner) KeyHash() uint32 { return c.hash }

func (c cosigner) Verify(msg, sig []byte) bool {
	if len(sig) != 8+ed25519.SignatureSize {
		return false
	}
	time := binary.BigEndian.Uint64(sig[:8])
	signed := fmt.Sprintf("cosignature/v1\ntime %d\n%s", time, msg)
	return ed25519.Verify(c.key, []byte(signed), sig[8:])
}

func verifier(vkey string) (note.Verifier, error) {
	parts := strings.SplitN(vkey, "+", 3)
	if len(parts) != 3 {
		return nil, errors.New("a key has three parts")
	}
	data, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(data) != 33 {
		return nil, errors.New("a key has 33 bytes")
	}
	if data[0] != 4 {
		return note.NewVerifier(vkey)
	}
	sum := sha256.Sum256(append([]byte(parts[0]+"\n"), data...))
	if hex.EncodeToString(sum[:4]) != parts[1] {
		return nil, errors.New("a key has another id")
	}
	return cosigner{parts[0], binary.BigEndian.Uint32(sum[:4]), data[1:]}, nil
}

func open(text string, keys []string) (tlog.Tree, error) {
	var known []note.Verifier
	for _, key := range keys {
		each, err := verifier(key)
		if err != nil {
			return tlog.Tree{}, err
		}
		known = append(known, each)
	}
	opened, err := note.Open([]byte(text), note.VerifierList(known...))
	if err != nil {
		return tlog.Tree{}, err
	}
	if len(opened.Sigs) != len(keys) || len(opened.UnverifiedSigs) != 0 {
		return tlog.Tree{}, fmt.Errorf("%d of %d keys have signed", len(opened.Sigs), len(keys))
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != known[0].Name() {
		return tlog.Tree{}, errors.New("a head has three lines")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return tlog.Tree{N: size, Hash: root}, err
}

func check(c testCase) error {
	head, err := open(c.Head, c.Keys)
	if err != nil {
		return err
	}
	var path []tlog.Hash
	for _, text := range c.Path {
		hash, err := tlog.ParseHash(text)
		if err != nil {
			return err
		}
		path = append(path, hash)
	}
	if c.At >= 0 {
		return tlog.CheckRecord(path, head.N, head.Hash, c.At, tlog.RecordHash([]byte(c.Leaf)))
	}
	if c.Old == "" {
		return nil
	}
	old, err := open(c.Old, c.Keys[:1])
	if err != nil {
		return err
	}
	return tlog.CheckTree(path, head.N, head.Hash, old.N, old.Hash)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var c testCase
		err := json.Unmarshal(lines.Bytes(), &c)
		if err == nil {
			err = check(c)
		}
		if err != nil {
			fmt.Println(strings.ReplaceAll(err.Error(), "\n", " "))
		} else {
			fmt.Println("ok")
		}
	}
}
