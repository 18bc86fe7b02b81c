// Package request contains what both request messages share.
package request

import (
	errorsmod "cosmossdk.io/errors"
	"github.com/cosmos/gogoproto/proto"

	sdk "github.com/cosmos/cosmos-sdk/types"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
)

// Message has the fields of both request messages.
type Message interface {
	proto.Message
	GetCreator() string
	GetOriginChain() string
	GetOriginAddress() string
	GetOriginSymbol() string
	GetTargetChain() string
	GetTargetAddress() string
	GetTargetSymbol() string
}

// Validate checks a request without the chain's state. A missing amount stands for everything that can be invalid.
func Validate(m Message, field, amount string) error {
	if _, err := sdk.AccAddressFromBech32(m.GetCreator()); err != nil {
		return sdkerrors.ErrInvalidAddress.Wrapf("invalid creator address (%s)", err)
	}
	if amount == "" {
		return errorsmod.Wrapf(sdkerrors.ErrInvalidRequest, "%s is not a decimal amount", field)
	}
	return nil
}
