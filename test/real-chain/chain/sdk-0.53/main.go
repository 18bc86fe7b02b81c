// Command chain is the chain on SDK 0.53 and CometBFT 0.38, with unordered transactions.
package main

import (
	"io"

	"cosmossdk.io/log"
	storetypes "cosmossdk.io/store/types"
	"cosmossdk.io/x/tx/signing"
	abci "github.com/cometbft/cometbft/abci/types"
	dbm "github.com/cosmos/cosmos-db"
	"github.com/cosmos/gogoproto/proto"

	"github.com/cosmos/cosmos-sdk/baseapp"
	"github.com/cosmos/cosmos-sdk/client"
	"github.com/cosmos/cosmos-sdk/client/grpc/cmtservice"
	"github.com/cosmos/cosmos-sdk/client/grpc/node"
	"github.com/cosmos/cosmos-sdk/codec/address"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	"github.com/cosmos/cosmos-sdk/runtime"
	"github.com/cosmos/cosmos-sdk/server"
	"github.com/cosmos/cosmos-sdk/server/config"
	"github.com/cosmos/cosmos-sdk/server/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	authkeeper "github.com/cosmos/cosmos-sdk/x/auth/keeper"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	bankkeeper "github.com/cosmos/cosmos-sdk/x/bank/keeper"
	banktypes "github.com/cosmos/cosmos-sdk/x/bank/types"
	consensuskeeper "github.com/cosmos/cosmos-sdk/x/consensus/keeper"

	"realchain/app"
)

func main() { app.Run(newCodecs, create) }

func newCodecs() app.Codecs {
	addresses := address.NewBech32Codec(app.Brand)
	registry, err := codectypes.NewInterfaceRegistryWithOptions(codectypes.InterfaceRegistryOptions{
		ProtoFiles:     proto.HybridResolver,
		SigningOptions: signing.Options{AddressCodec: addresses, ValidatorAddressCodec: addresses},
	})
	if err != nil {
		panic(err)
	}
	return app.NewCodecs(registry)
}

type chain struct{ *app.App }

func create(logger log.Logger, db dbm.DB, trace io.Writer, options types.AppOptions) types.Application {
	a := chain{&app.App{Codecs: newCodecs()}}
	a.BaseApp = baseapp.NewBaseApp("chain", logger, db, a.TxConfig.TxDecoder(), server.DefaultBaseappOptions(options)...)
	a.SetCommitMultiStoreTracer(trace)

	keys := storetypes.NewKVStoreKeys(app.StoreKeys...)
	authority := app.Authority()
	consensus := consensuskeeper.NewKeeper(a.Codec, runtime.NewKVStoreService(keys[app.ConsensusStoreKey]), authority, runtime.EventService{})
	a.SetParamStore(consensus.ParamsStore)
	a.Accounts = authkeeper.NewAccountKeeper(
		a.Codec, runtime.NewKVStoreService(keys[authtypes.StoreKey]), authtypes.ProtoBaseAccount, app.ModulePermissions,
		address.NewBech32Codec(app.Brand), app.Brand, authority, authkeeper.WithUnorderedTransactions(true))
	a.Bank = bankkeeper.NewBaseKeeper(
		a.Codec, runtime.NewKVStoreService(keys[banktypes.StoreKey]), a.Accounts, nil, authority, logger)
	a.Requests.Open = func(ctx sdk.Context) app.Store { return ctx.KVStore(keys[app.RequestsStoreKey]) }
	a.Register(authkeeper.NewQueryServer(a.Accounts))

	a.SetInitChainer(func(ctx sdk.Context, request *abci.RequestInitChain) (*abci.ResponseInitChain, error) {
		return &abci.ResponseInitChain{Validators: request.Validators}, a.InitGenesis(ctx, request.AppStateBytes)
	})
	a.SetPreBlocker(func(ctx sdk.Context, _ *abci.RequestFinalizeBlock) (*sdk.ResponsePreBlock, error) {
		return &sdk.ResponsePreBlock{}, a.Accounts.RemoveExpiredUnorderedNonces(ctx)
	})
	a.MountKVStores(keys)
	if err := a.LoadLatestVersion(); err != nil {
		panic(err)
	}
	return a
}

func (a chain) RegisterTendermintService(ctx client.Context) {
	cmtservice.RegisterTendermintService(ctx, a.GRPCQueryRouter(), a.Registry, a.Query)
}

func (a chain) RegisterNodeService(ctx client.Context, cfg config.Config) {
	node.RegisterNodeService(ctx, a.GRPCQueryRouter(), cfg)
}
