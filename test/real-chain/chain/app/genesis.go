package app

import (
	"encoding/json"
	"fmt"

	sdk "github.com/cosmos/cosmos-sdk/types"
)

// genesis is the module's state as JSON.
type genesis struct {
	Whitelist []string `json:"whitelist"`
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
	return nil
}
