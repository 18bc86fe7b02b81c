package app

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
)

func join(prefix, key []byte) []byte {
	return append(append([]byte{}, prefix...), key...)
}

func bytesOf(number uint64) []byte {
	return binary.BigEndian.AppendUint64(nil, number)
}

// txHash returns the hash of a transaction in the RPC's format.
func txHash(bytes []byte) string {
	sum := sha256.Sum256(bytes)
	return strings.ToUpper(hex.EncodeToString(sum[:]))
}
