// Command chain is the chain on SDK 0.47 and CometBFT 0.37.
package main

import (
	"io"

	dbm "github.com/cometbft/cometbft-db"
	abci "github.com/cometbft/cometbft/abci/types"
	"github.com/cometbft/cometbft/libs/log"

	"github.com/cosmos/cosmos-sdk/baseapp"
	"github.com/cosmos/cosmos-sdk/client"
	"github.com/cosmos/cosmos-sdk/client/grpc/node"
	"github.com/cosmos/cosmos-sdk/client/grpc/tmservice"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	"github.com/cosmos/cosmos-sdk/server"
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

func newCodecs() app.Codecs { return app.NewCodecs(codectypes.NewInterfaceRegistry()) }

type chain struct{ *app.App }

func create(logger log.Logger, db dbm.DB, trace io.Writer, options types.AppOptions) types.Application {
	a := chain{&app.App{Codecs: newCodecs()}}
	a.BaseApp = baseapp.NewBaseApp("chain", logger, db, a.TxConfig.TxDecoder(), server.DefaultBaseappOptions(options)...)
	a.SetCommitMultiStoreTracer(trace)

	keys := sdk.NewKVStoreKeys(app.StoreKeys...)
	authority := app.Authority()
	consensus := consensuskeeper.NewKeeper(a.Codec, keys[app.ConsensusStoreKey], authority)
	a.SetParamStore(&consensus)
	a.Accounts = authkeeper.NewAccountKeeper(
		a.Codec, keys[authtypes.StoreKey], authtypes.ProtoBaseAccount, app.ModulePermissions, app.Brand, authority)
	a.Bank = bankkeeper.NewBaseKeeper(a.Codec, keys[banktypes.StoreKey], a.Accounts, nil, authority)
	a.Requests.Open = func(ctx sdk.Context) app.Store { return ctx.KVStore(keys[app.RequestsStoreKey]) }
	a.Register(a.Accounts)

	a.SetInitChainer(func(ctx sdk.Context, request abci.RequestInitChain) abci.ResponseInitChain {
		if err := a.InitGenesis(ctx, request.AppStateBytes); err != nil {
			panic(err)
		}
		return abci.ResponseInitChain{Validators: request.Validators}
	})
	a.MountKVStores(keys)
	if err := a.LoadLatestVersion(); err != nil {
		panic(err)
	}
	return a
}

func (a chain) RegisterTendermintService(ctx client.Context) {
	tmservice.RegisterTendermintService(ctx, a.GRPCQueryRouter(), a.Registry, a.Query)
}

func (a chain) RegisterNodeService(ctx client.Context) {
	node.RegisterNodeService(ctx, a.GRPCQueryRouter())
}
