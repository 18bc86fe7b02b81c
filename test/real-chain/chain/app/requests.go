package app

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	errorsmod "cosmossdk.io/errors"
	"github.com/cosmos/gogoproto/proto"

	sdk "github.com/cosmos/cosmos-sdk/types"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"

	"realchain/request"
)

// Target addresses that make a request fail.
const (
	refusedByEvent = "0x00000000000000000000000000000000000000f6"
	failedMessage  = "0x00000000000000000000000000000000000000f7"
	failedInBlock  = "0x00000000000000000000000000000000000000f9" // passes every simulation
)

// The modules' errors by codespace. The SDK requires that each is registered once.
var (
	errFailedMessage = map[string]*errorsmod.Error{
		"transaction": errorsmod.Register("transaction", 1100, "the target address makes the message fail"),
		"swap":        errorsmod.Register("swap", 1100, "the target address makes the message fail"),
	}
	errFailedInBlock = map[string]*errorsmod.Error{
		"transaction": errorsmod.Register("transaction", 1101, "the target address makes the message fail in a block"),
		"swap":        errorsmod.Register("swap", 1101, "the target address makes the message fail in a block"),
	}
)

var (
	lastIDKey       = []byte("last")
	transferPrefix  = []byte("transfer/")
	swapPrefix      = []byte("swap/")
	heightPrefix    = []byte("height/")
	whitelistPrefix = []byte("whitelist/")
)

// Store is the interface that the stores of all SDK versions share.
type Store interface {
	Get(key []byte) []byte
	Set(key, value []byte)
	Delete(key []byte)
}

// Requests is the chain's own module. It accepts transfers and swaps from whitelisted wallets and assigns sequential
// ids.
type Requests struct {
	// Authority is the address that may change the whitelist.
	Authority string
	Open      func(sdk.Context) Store
	// Each calls visit for every entry with a prefix, in key order.
	Each func(ctx sdk.Context, prefix []byte, visit func(key, value []byte))
}

func (r Requests) lastID(ctx sdk.Context) uint64 {
	value := r.Open(ctx).Get(lastIDKey)
	if value == nil {
		return 0
	}
	return binary.BigEndian.Uint64(value)
}

// kind describes how one of the request messages differs from the other.
type kind struct {
	module, event string
	amounts       []sdk.Attribute
	prefix        []byte
	record        func(index, txHash string) proto.Message
}

type response struct {
	code, msg string
	txID      uint64
}

// take executes a request. An error fails the transaction; an "error" event rejects only the request and keeps code 0.
func (r Requests) take(ctx sdk.Context, m request.Message, k kind) (response, error) {
	kv := r.Open(ctx)
	if kv.Get(join(whitelistPrefix, []byte(m.GetCreator()))) == nil {
		return response{}, errorsmod.Wrapf(sdkerrors.ErrUnauthorized, "creator %s is not whitelisted", m.GetCreator())
	}
	target := strings.ToLower(m.GetTargetAddress())
	if target == failedMessage {
		return response{}, errFailedMessage[k.module]
	}
	if target == failedInBlock && !ctx.IsCheckTx() {
		return response{}, errFailedInBlock[k.module]
	}
	if refusal := refusalOf(m.GetOptions(), target); refusal != "" {
		ctx.EventManager().EmitEvent(sdk.NewEvent("error",
			sdk.NewAttribute("code", "400"), sdk.NewAttribute("content", refusal)))
		return response{code: "400", msg: refusal}, nil
	}
	id := r.lastID(ctx) + 1
	index := strconv.FormatUint(id, 10)
	kv.Set(lastIDKey, bytesOf(id))
	record, err := proto.Marshal(k.record(index, txHash(ctx.TxBytes())))
	if err != nil {
		return response{}, err
	}
	kv.Set(join(k.prefix, bytesOf(id)), record)
	kv.Set(join(heightPrefix, bytesOf(id)), bytesOf(uint64(ctx.BlockHeight())))
	attributes := append([]sdk.Attribute{
		sdk.NewAttribute("txId", index),
		sdk.NewAttribute("creator", m.GetCreator()),
		sdk.NewAttribute("originChain", m.GetOriginChain()),
		sdk.NewAttribute("originAddress", m.GetOriginAddress()),
		sdk.NewAttribute("originSymbol", m.GetOriginSymbol()),
		sdk.NewAttribute("targetChain", m.GetTargetChain()),
		sdk.NewAttribute("targetAddress", m.GetTargetAddress()),
		sdk.NewAttribute("targetSymbol", m.GetTargetSymbol()),
	}, k.amounts...)
	ctx.EventManager().EmitEvent(sdk.NewEvent(k.event, attributes...))
	return response{code: "200", msg: "transaction requested", txID: id}, nil
}

func refusalOf(options, target string) string {
	var parsed struct {
		FeeID string `json:"feeId"`
	}
	if err := json.Unmarshal([]byte(options), &parsed); err != nil || parsed.FeeID == "" {
		return "options must be a JSON object with a feeId"
	}
	if target == refusedByEvent {
		return "the target address is refused"
	}
	return ""
}

// states are the states of a record; it advances by one per block.
var states = []string{"Available", "Pull_Confirmed", "Pulled", "Paid", "Completed"}

// progress contains the fields of a record that depend on its age.
type progress struct{ status, pullHash, releaseHash string }

// read decodes the record of an id into `record` and returns its progress at the height of the context.
func (r Requests) read(ctx sdk.Context, prefix []byte, id uint64, record proto.Message) (progress, error) {
	kv := r.Open(ctx)
	value := kv.Get(join(prefix, bytesOf(id)))
	if value == nil {
		return progress{}, errorsmod.Wrapf(sdkerrors.ErrKeyNotFound, "transaction %d", id)
	}
	if err := proto.Unmarshal(value, record); err != nil {
		return progress{}, err
	}
	created := binary.BigEndian.Uint64(kv.Get(join(heightPrefix, bytesOf(id))))
	step := min(uint64(ctx.BlockHeight())-created, uint64(len(states)-1))
	now := progress{status: states[step]}
	if step >= 2 {
		now.pullHash = txHash([]byte(fmt.Sprintf("pull %d", id)))
	}
	if step >= 3 {
		now.releaseHash = txHash([]byte(fmt.Sprintf("release %d", id)))
	}
	return now, nil
}
