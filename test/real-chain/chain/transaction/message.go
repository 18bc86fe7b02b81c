// Package transaction is the chain's module for transfers. The rest of its code is generated from
// proto/transaction.proto.
package transaction

import (
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/cosmos/cosmos-sdk/types/msgservice"

	"realchain/request"
)

func RegisterInterfaces(registry codectypes.InterfaceRegistry) {
	registry.RegisterImplementations((*sdk.Msg)(nil), &MsgRequestTransaction{})
	msgservice.RegisterMsgServiceDesc(registry, &_Msg_serviceDesc)
}

func (m *MsgRequestTransaction) ValidateBasic() error {
	return request.Validate(m, "amount", m.Amount)
}

// GetSigners returns the required signers. SDK 0.47 calls it; newer versions read the message's signer option.
func (m *MsgRequestTransaction) GetSigners() []sdk.AccAddress {
	return []sdk.AccAddress{sdk.MustAccAddressFromBech32(m.Creator)}
}
