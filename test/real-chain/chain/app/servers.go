package app

import (
	"context"

	errorsmod "cosmossdk.io/errors"
	"github.com/cosmos/gogoproto/proto"

	sdk "github.com/cosmos/cosmos-sdk/types"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"

	"realchain/swap"
	"realchain/transaction"
)

type transactionServer struct{ Requests }

func (s transactionServer) RequestTransaction(goCtx context.Context, m *transaction.MsgRequestTransaction) (*transaction.MsgRequestTransactionResponse, error) {
	answer, err := s.take(sdk.UnwrapSDKContext(goCtx), m, kind{
		module: "transaction", event: "transaction_requested", prefix: transferPrefix,
		amounts: []sdk.Attribute{sdk.NewAttribute("amount", m.Amount), sdk.NewAttribute("fee", m.Fee)},
		record: func(index, hash string) proto.Message {
			return transaction.NewData(m, index, hash)
		},
	})
	if err != nil {
		return nil, err
	}
	return &transaction.MsgRequestTransactionResponse{Code: answer.code, Msg: answer.msg, TxId: answer.txID}, nil
}

func (s transactionServer) SetWhitelisted(goCtx context.Context, m *transaction.MsgSetWhitelisted) (*transaction.MsgSetWhitelistedResponse, error) {
	if m.Authority != s.Authority {
		return nil, errorsmod.Wrapf(sdkerrors.ErrUnauthorized, "%s is not the authority", m.Authority)
	}
	key := join(whitelistPrefix, []byte(m.Address))
	kv := s.Open(sdk.UnwrapSDKContext(goCtx))
	if m.Whitelisted {
		kv.Set(key, []byte{1})
	} else {
		kv.Delete(key)
	}
	return &transaction.MsgSetWhitelistedResponse{}, nil
}

func (s transactionServer) TransactionData(goCtx context.Context, q *transaction.QueryTransactionDataRequest) (*transaction.QueryTransactionDataResponse, error) {
	var data transaction.TransactionData
	now, err := s.read(sdk.UnwrapSDKContext(goCtx), transferPrefix, q.Index, &data)
	if err != nil {
		return nil, err
	}
	data.Status, data.TssPullHash, data.TssReleaseHash = now.status, now.pullHash, now.releaseHash
	return &transaction.QueryTransactionDataResponse{TransactionData: &data}, nil
}

type swapServer struct{ Requests }

func (s swapServer) RequestSwapTransaction(goCtx context.Context, m *swap.MsgRequestSwapTransaction) (*swap.MsgRequestSwapTransactionResponse, error) {
	answer, err := s.take(sdk.UnwrapSDKContext(goCtx), m, kind{
		module: "swap", event: "swap_transaction_requested", prefix: swapPrefix,
		amounts: []sdk.Attribute{
			sdk.NewAttribute("amountIn", m.AmountIn), sdk.NewAttribute("amountOut", m.AmountOut), sdk.NewAttribute("fee", m.Fee),
		},
		record: func(index, hash string) proto.Message {
			return swap.NewData(m, index, hash)
		},
	})
	if err != nil {
		return nil, err
	}
	return &swap.MsgRequestSwapTransactionResponse{Code: answer.code, Msg: answer.msg, TxId: answer.txID}, nil
}

func (s swapServer) SwapData(goCtx context.Context, q *swap.QuerySwapDataRequest) (*swap.QuerySwapDataResponse, error) {
	var data swap.SwapData
	now, err := s.read(sdk.UnwrapSDKContext(goCtx), swapPrefix, q.Index, &data)
	if err != nil {
		return nil, err
	}
	data.Status, data.TssPullHash, data.TssReleaseHash = now.status, now.pullHash, now.releaseHash
	return &swap.QuerySwapDataResponse{SwapData: &data}, nil
}
