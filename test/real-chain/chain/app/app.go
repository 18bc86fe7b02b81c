// Package app is a small Cosmos SDK chain with the public modules auth, bank and consensus, and its own requests
// module. The folders sdk-0.47 and sdk-0.53 build the chain on these SDK versions.
package app

import (
	"encoding/json"
	"errors"

	"github.com/cosmos/cosmos-sdk/baseapp"
	"github.com/cosmos/cosmos-sdk/client"
	"github.com/cosmos/cosmos-sdk/codec"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	"github.com/cosmos/cosmos-sdk/server/api"
	"github.com/cosmos/cosmos-sdk/server/config"
	"github.com/cosmos/cosmos-sdk/std"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/cosmos/cosmos-sdk/x/auth/ante"
	authkeeper "github.com/cosmos/cosmos-sdk/x/auth/keeper"
	authtx "github.com/cosmos/cosmos-sdk/x/auth/tx"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	bankkeeper "github.com/cosmos/cosmos-sdk/x/bank/keeper"
	banktypes "github.com/cosmos/cosmos-sdk/x/bank/types"

	"realchain/request"
)

var StoreKeys = []string{authtypes.StoreKey, banktypes.StoreKey, ConsensusStoreKey, RequestsStoreKey}

// Store names for which some SDK versions have no constant.
const (
	ConsensusStoreKey = "consensus"
	RequestsStoreKey  = "requests"
)

// Authority is the address that may change the chain's parameters. Nobody has its key.
func Authority() string { return authtypes.NewModuleAddress("authority").String() }

// ModulePermissions are the permissions of the module accounts. The fee collector keeps the fees and needs none.
var ModulePermissions = map[string][]string{authtypes.FeeCollectorName: nil}

type Codecs struct {
	Codec    codec.Codec
	Registry codectypes.InterfaceRegistry
	TxConfig client.TxConfig
}

func NewCodecs(registry codectypes.InterfaceRegistry) Codecs {
	std.RegisterInterfaces(registry)
	authtypes.RegisterInterfaces(registry)
	banktypes.RegisterInterfaces(registry)
	request.RegisterInterfaces(registry)
	protoCodec := codec.NewProtoCodec(registry)
	return Codecs{protoCodec, registry, authtx.NewTxConfig(protoCodec, authtx.DefaultSignModes)}
}

// App is the part of the chain that all SDK versions share. The sdk-… folders contain the differences.
type App struct {
	*baseapp.BaseApp
	Codecs
	Accounts authkeeper.AccountKeeper
	Bank     bankkeeper.BaseKeeper
	Requests Requests
}

// Register adds the messages, the queries and the checks of transactions.
func (a *App) Register(authQueries authtypes.QueryServer) {
	a.SetInterfaceRegistry(a.Registry)
	a.SetTxEncoder(a.TxConfig.TxEncoder())
	messages, queries := a.MsgServiceRouter(), a.GRPCQueryRouter()
	authtypes.RegisterQueryServer(queries, authQueries)
	banktypes.RegisterMsgServer(messages, bankkeeper.NewMsgServerImpl(a.Bank))
	banktypes.RegisterQueryServer(queries, a.Bank)
	request.RegisterTransactionMsgServer(messages, a.Requests)
	request.RegisterSwapMsgServer(messages, a.Requests)
	checks, err := ante.NewAnteHandler(ante.HandlerOptions{
		AccountKeeper:   a.Accounts,
		BankKeeper:      a.Bank,
		SignModeHandler: a.TxConfig.SignModeHandler(),
		SigGasConsumer:  ante.DefaultSigVerificationGasConsumer,
	})
	if err != nil {
		panic(err)
	}
	a.SetAnteHandler(checks)
}

type appState struct {
	Auth json.RawMessage `json:"auth"`
	Bank json.RawMessage `json:"bank"`
}

func (a *App) InitGenesis(ctx sdk.Context, raw json.RawMessage) error {
	var state appState
	var auth authtypes.GenesisState
	var bank banktypes.GenesisState
	if err := errors.Join(
		json.Unmarshal(raw, &state),
		a.Codec.UnmarshalJSON(state.Auth, &auth),
		a.Codec.UnmarshalJSON(state.Bank, &bank),
	); err != nil {
		return err
	}
	a.Accounts.InitGenesis(ctx, auth)
	a.Bank.InitGenesis(ctx, &bank)
	return nil
}

// RegisterAPIRoutes registers nothing: the tests use no REST API.
func (a *App) RegisterAPIRoutes(*api.Server, config.APIConfig) {}

// RegisterTxService registers the transaction queries, including Simulate.
func (a *App) RegisterTxService(ctx client.Context) {
	authtx.RegisterTxService(a.GRPCQueryRouter(), ctx, a.Simulate, a.Registry)
}
