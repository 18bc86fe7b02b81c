package main

import (
	"context"

	"github.com/compose-spec/compose-go/v2/cli"
)

// compose merges files as `docker compose config` does: later files override earlier ones. It validates the schema and
// resolves every reference.
func compose(paths []string) (any, error) {
	options, err := cli.NewProjectOptions(paths, cli.WithName("service"))
	if err != nil {
		return nil, err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return nil, err
	}
	return project, nil
}
