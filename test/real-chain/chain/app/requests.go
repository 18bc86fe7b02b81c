package app

import (
	"context"
	"strconv"
	"strings"

	errorsmod "cosmossdk.io/errors"
	"github.com/cosmos/gogoproto/proto"

	sdk "github.com/cosmos/cosmos-sdk/types"

	"realchain/request"
)

// Target addresses that make a request fail.
const (
	refusedByEvent = "0x00000000000000000000000000000000000000f6"
	failedMessage  = "0x00000000000000000000000000000000000000f7"
)

// The modules' error by codespace. The SDK requires that each is registered once.
var errFailedMessage = map[string]*errorsmod.Error{
	"transaction": errorsmod.Register("transaction", 1100, "the target address makes the message fail"),
	"swap":        errorsmod.Register("swap", 1100, "the target address makes the message fail"),
}

var lastIDKey = []byte("last")

// Store is the interface that the stores of all SDK versions share.
type Store interface {
	Get(key []byte) []byte
	Set(key, value []byte)
}

// Requests is the chain's own module. It accepts transfers and swaps and assigns sequential ids.
type Requests struct {
	Open func(sdk.Context) Store
}

type response struct {
	code, msg string
	txID      uint64
}

func (r Requests) RequestTransaction(ctx context.Context, m *request.MsgRequestTransaction) (*request.MsgRequestTransactionResponse, error) {
	answer, err := r.take(ctx, m, "transaction", "transaction_requested",
		sdk.NewAttribute("amount", m.Amount), sdk.NewAttribute("fee", m.Fee))
	return &request.MsgRequestTransactionResponse{Code: answer.code, Msg: answer.msg, TxId: answer.txID}, err
}

func (r Requests) RequestSwapTransaction(ctx context.Context, m *request.MsgRequestSwapTransaction) (*request.MsgRequestSwapTransactionResponse, error) {
	answer, err := r.take(ctx, m, "swap", "swap_transaction_requested",
		sdk.NewAttribute("amountIn", m.AmountIn), sdk.NewAttribute("amountOut", m.AmountOut), sdk.NewAttribute("fee", m.Fee))
	return &request.MsgRequestSwapTransactionResponse{Code: answer.code, Msg: answer.msg, TxId: answer.txID}, err
}

// take executes a request. An error fails the transaction; an "error" event rejects only the request and keeps code 0.
func (r Requests) take(goCtx context.Context, m request.Message, module, event string, amounts ...sdk.Attribute) (response, error) {
	ctx := sdk.UnwrapSDKContext(goCtx)
	kv := r.Open(ctx)
	switch strings.ToLower(m.GetTargetAddress()) {
	case failedMessage:
		return response{}, errFailedMessage[module]
	case refusedByEvent:
		refusal := "the target address is refused"
		ctx.EventManager().EmitEvent(sdk.NewEvent("error",
			sdk.NewAttribute("code", "400"), sdk.NewAttribute("content", refusal)))
		return response{code: "400", msg: refusal}, nil
	}
	// Without a request, there is no last id.
	last, _ := strconv.ParseUint(string(kv.Get(lastIDKey)), 10, 64)
	id := last + 1
	index := strconv.FormatUint(id, 10)
	kv.Set(lastIDKey, []byte(index))
	record, err := proto.Marshal(m)
	if err != nil {
		return response{}, err
	}
	kv.Set([]byte(module+"/"+index), record)
	attributes := append([]sdk.Attribute{
		sdk.NewAttribute("txId", index),
		sdk.NewAttribute("creator", m.GetCreator()),
		sdk.NewAttribute("originChain", m.GetOriginChain()),
		sdk.NewAttribute("originAddress", m.GetOriginAddress()),
		sdk.NewAttribute("originSymbol", m.GetOriginSymbol()),
		sdk.NewAttribute("targetChain", m.GetTargetChain()),
		sdk.NewAttribute("targetAddress", m.GetTargetAddress()),
		sdk.NewAttribute("targetSymbol", m.GetTargetSymbol()),
	}, amounts...)
	ctx.EventManager().EmitEvent(sdk.NewEvent(event, attributes...))
	return response{code: "200", msg: "transaction requested", txID: id}, nil
}
