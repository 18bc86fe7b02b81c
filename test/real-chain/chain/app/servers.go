package app

import (
	"context"

	sdk "github.com/cosmos/cosmos-sdk/types"

	"realchain/swap"
	"realchain/transaction"
)

type transactionServer struct{ Requests }

func (s transactionServer) RequestTransaction(goCtx context.Context, m *transaction.MsgRequestTransaction) (*transaction.MsgRequestTransactionResponse, error) {
	answer, err := s.take(sdk.UnwrapSDKContext(goCtx), m, kind{
		module: "transaction", event: "transaction_requested",
		amounts: []sdk.Attribute{sdk.NewAttribute("amount", m.Amount), sdk.NewAttribute("fee", m.Fee)},
	})
	if err != nil {
		return nil, err
	}
	return &transaction.MsgRequestTransactionResponse{Code: answer.code, Msg: answer.msg, TxId: answer.txID}, nil
}

type swapServer struct{ Requests }

func (s swapServer) RequestSwapTransaction(goCtx context.Context, m *swap.MsgRequestSwapTransaction) (*swap.MsgRequestSwapTransactionResponse, error) {
	answer, err := s.take(sdk.UnwrapSDKContext(goCtx), m, kind{
		module: "swap", event: "swap_transaction_requested",
		amounts: []sdk.Attribute{
			sdk.NewAttribute("amountIn", m.AmountIn), sdk.NewAttribute("amountOut", m.AmountOut), sdk.NewAttribute("fee", m.Fee),
		},
	})
	if err != nil {
		return nil, err
	}
	return &swap.MsgRequestSwapTransactionResponse{Code: answer.code, Msg: answer.msg, TxId: answer.txID}, nil
}
