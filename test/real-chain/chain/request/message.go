// Package request has the chain's two messages. The rest of its code is generated from proto/*.proto.
package request

import (
	errorsmod "cosmossdk.io/errors"
	"github.com/cosmos/gogoproto/proto"

	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
	"github.com/cosmos/cosmos-sdk/types/msgservice"
)

// Message has the fields of both messages.
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

func RegisterInterfaces(registry codectypes.InterfaceRegistry) {
	registry.RegisterImplementations((*sdk.Msg)(nil), &MsgRequestTransaction{}, &MsgRequestSwapTransaction{})
	msgservice.RegisterMsgServiceDesc(registry, &_TransactionMsg_serviceDesc)
	msgservice.RegisterMsgServiceDesc(registry, &_SwapMsg_serviceDesc)
}

// ValidateBasic checks a message without the chain's state.
func (m *MsgRequestTransaction) ValidateBasic() error     { return validate(m, "amount", m.Amount) }
func (m *MsgRequestSwapTransaction) ValidateBasic() error { return validate(m, "amountIn", m.AmountIn) }

// validate checks what both have in common. A missing amount stands for everything that can be invalid.
func validate(m Message, field, amount string) error {
	if _, err := sdk.AccAddressFromBech32(m.GetCreator()); err != nil {
		return sdkerrors.ErrInvalidAddress.Wrapf("invalid creator address (%s)", err)
	}
	if amount == "" {
		return errorsmod.Wrapf(sdkerrors.ErrInvalidRequest, "%s is not a decimal amount", field)
	}
	return nil
}

// GetSigners returns the required signers. SDK 0.47 calls it; newer versions read the message's signer option.
func (m *MsgRequestTransaction) GetSigners() []sdk.AccAddress     { return signersOf(m) }
func (m *MsgRequestSwapTransaction) GetSigners() []sdk.AccAddress { return signersOf(m) }

func signersOf(m Message) []sdk.AccAddress {
	return []sdk.AccAddress{sdk.MustAccAddressFromBech32(m.GetCreator())}
}
