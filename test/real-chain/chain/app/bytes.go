package app

import "encoding/binary"

func join(prefix, key []byte) []byte {
	return append(append([]byte{}, prefix...), key...)
}

func bytesOf(number uint64) []byte {
	return binary.BigEndian.AppendUint64(nil, number)
}
