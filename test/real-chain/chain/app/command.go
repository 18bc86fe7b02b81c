package app

import (
	"os"
	"path/filepath"

	cmtcfg "github.com/cometbft/cometbft/config"
	"github.com/spf13/cobra"

	"github.com/cosmos/cosmos-sdk/client"
	"github.com/cosmos/cosmos-sdk/server"
	svrcmd "github.com/cosmos/cosmos-sdk/server/cmd"
	"github.com/cosmos/cosmos-sdk/server/config"
	"github.com/cosmos/cosmos-sdk/server/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
)

// Brand is used in addresses, protobuf packages and REST paths. The linker sets it to the brand for which the code was
// generated.
var Brand = "service"

// Run executes the command line. It provides the SDK's server commands, including "start".
func Run(codecs func() Codecs, create types.AppCreator) {
	sdk.GetConfig().SetBech32PrefixForAccount(Brand, Brand+"pub")
	home := filepath.Join(os.TempDir(), Brand+"-chain")
	root := &cobra.Command{
		Use:          "chain",
		SilenceUsage: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			c := codecs()
			ctx := client.Context{}.WithCodec(c.Codec).WithInterfaceRegistry(c.Registry).WithTxConfig(c.TxConfig).WithHomeDir(home)
			if err := client.SetCmdClientContextHandler(ctx, cmd); err != nil {
				return err
			}
			return server.InterceptConfigsPreRunHandler(cmd, config.DefaultConfigTemplate, *config.DefaultConfig(), cmtcfg.DefaultConfig())
		},
	}
	server.AddCommands(root, home, create, nil, func(*cobra.Command) {})
	if err := svrcmd.Execute(root, "CHAIN", home); err != nil {
		os.Exit(1)
	}
}
