package app

import (
	"encoding/json"
	"fmt"

	sdk "github.com/cosmos/cosmos-sdk/types"
)

// genesis is the module's state as JSON. An export includes the whole state, so that ids continue where they left off.
type genesis struct {
	Whitelist []string `json:"whitelist"`
	LastID    uint64   `json:"last_id,string"`
	Entries   []entry  `json:"entries,omitempty"`
}

// entry is a store entry. Keys are bytes, because they contain binary numbers.
type entry struct {
	Key   []byte `json:"key"`
	Value []byte `json:"value"`
}

func (r Requests) initGenesis(ctx sdk.Context, raw json.RawMessage) error {
	state := genesis{}
	if err := json.Unmarshal(raw, &state); err != nil {
		return fmt.Errorf("requests: %w", err)
	}
	kv := r.Open(ctx)
	for _, address := range state.Whitelist {
		kv.Set(join(whitelistPrefix, []byte(address)), []byte{1})
	}
	kv.Set(lastIDKey, bytesOf(state.LastID))
	for _, e := range state.Entries {
		kv.Set(e.Key, e.Value)
	}
	return nil
}

func (r Requests) exportGenesis(ctx sdk.Context) (json.RawMessage, error) {
	state := genesis{LastID: r.lastID(ctx)}
	r.Each(ctx, whitelistPrefix, func(key, _ []byte) {
		state.Whitelist = append(state.Whitelist, string(key[len(whitelistPrefix):]))
	})
	for _, prefix := range [][]byte{transferPrefix, swapPrefix, heightPrefix} {
		r.Each(ctx, prefix, func(key, value []byte) { state.Entries = append(state.Entries, entry{key, value}) })
	}
	return json.Marshal(state)
}
