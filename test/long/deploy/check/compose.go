package main

import (
	"context"

	"github.com/compose-spec/compose-go/v2/cli"
)

// Reads files, the later ones over the earlier, as `docker compose config` does: by its schema, and with each name that it refers to.
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
