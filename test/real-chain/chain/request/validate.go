// Package request contains what both request messages share.
package request

import (
	"regexp"

	errorsmod "cosmossdk.io/errors"
	"github.com/cosmos/gogoproto/proto"

	sdk "github.com/cosmos/cosmos-sdk/types"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
)

var (
	decimal = regexp.MustCompile(`^(0|[1-9]\d*)(\.\d+)?$`)
	zero    = regexp.MustCompile(`^[0.]+$`)
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
	GetFee() string
	GetOptions() string
}

type Field struct{ Name, Value string }

// Validate checks a request without the chain's state.
func Validate(m Message, amounts ...Field) error {
	if _, err := sdk.AccAddressFromBech32(m.GetCreator()); err != nil {
		return sdkerrors.ErrInvalidAddress.Wrapf("invalid creator address (%s)", err)
	}
	for _, field := range []Field{
		{"originChain", m.GetOriginChain()},
		{"originSymbol", m.GetOriginSymbol()},
		{"targetChain", m.GetTargetChain()},
		{"targetAddress", m.GetTargetAddress()},
		{"targetSymbol", m.GetTargetSymbol()},
	} {
		if field.Value == "" {
			return invalid("%s is empty", field.Name)
		}
	}
	for _, amount := range amounts {
		if !decimal.MatchString(amount.Value) {
			return invalid("%s is not a decimal amount", amount.Name)
		}
		if zero.MatchString(amount.Value) {
			return invalid("%s is zero", amount.Name)
		}
	}
	if !decimal.MatchString(m.GetFee()) {
		return invalid("fee is not a decimal amount")
	}
	return nil
}

func invalid(format string, args ...any) error {
	return errorsmod.Wrapf(sdkerrors.ErrInvalidRequest, format, args...)
}
