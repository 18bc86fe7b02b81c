// Checks deployment manifests with the code of Docker Compose and Kubernetes, and prints them as JSON:
//
//	check compose FILE...    a list of their services, with all settings
//	check kubernetes FOLDER  the objects of the folder's kustomization
//
// Exit code 1, with one line for each problem, when a manifest is wrong.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(words []string) error {
	if len(words) < 2 {
		return fmt.Errorf("usage: check compose FILE... | check kubernetes FOLDER")
	}
	var found any
	var err error
	switch words[0] {
	case "compose":
		found, err = compose(words[1:])
	case "kubernetes":
		found, err = kubernetes(words[1])
	default:
		err = fmt.Errorf("unknown: %s", words[0])
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(found)
}
