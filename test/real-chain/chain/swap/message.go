// Package swap is the chain's module for swaps. The rest of its code is generated from proto/swap.proto.
package swap

import (
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/cosmos/cosmos-sdk/types/msgservice"

	"realchain/request"
)

func RegisterInterfaces(registry codectypes.InterfaceRegistry) {
	registry.RegisterImplementations((*sdk.Msg)(nil), &MsgRequestSwapTransaction{})
	msgservice.RegisterMsgServiceDesc(registry, &_Msg_serviceDesc)
}

func (m *MsgRequestSwapTransaction) ValidateBasic() error {
	return request.Validate(m, "amountIn", m.AmountIn)
}

// GetSigners returns the required signers. SDK 0.47 calls it; newer versions read the message's signer option.
func (m *MsgRequestSwapTransaction) GetSigners() []sdk.AccAddress {
	return []sdk.AccAddress{sdk.MustAccAddressFromBech32(m.Creator)}
}
