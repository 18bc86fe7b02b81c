// Command generate compiles proto/*.proto for a brand and writes the Go code for the messages to their packages.
// It needs only this module: the imported .proto files come from the modules that own them, and the plugin is built from
// go.mod.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/linker"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

// modules are the protobuf packages, without the brand's prefix. Each has one file in proto/.
var modules = []string{"transaction", "swap"}

// Folders of imported .proto files, by module.
var imports = map[string]string{
	"github.com/cosmos/cosmos-sdk": "proto",
	"github.com/cosmos/gogoproto":  "",
}

// The protobuf plugin and its options. `M…` maps an imported file to the Go package that contains gogoproto's code for
// it.
const (
	plugin  = "github.com/cosmos/gogoproto/protoc-gen-gocosmos"
	options = "plugins=grpc,Mgoogle/protobuf/any.proto=github.com/cosmos/gogoproto/types/any"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: generate BRAND")
		os.Exit(2)
	}
	if err := generate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(brand string) error {
	// A file name must begin with the package name.
	sources := make(map[string]string)
	for _, module := range modules {
		text, err := os.ReadFile(filepath.Join("proto", module+".proto"))
		if err != nil {
			return err
		}
		name := fmt.Sprintf("%sblockchain/%s/%s.proto", brand, module, module)
		sources[name] = strings.ReplaceAll(string(text), "BRAND", brand)
	}
	files, err := compile(sources)
	if err != nil {
		return err
	}
	for name := range sources {
		request := &pluginpb.CodeGeneratorRequest{
			FileToGenerate: []string{name},
			Parameter:      proto.String(options),
			ProtoFile:      files,
		}
		if err := run(request); err != nil {
			return fmt.Errorf("%s: %w", plugin, err)
		}
	}
	return nil
}

// compile returns the sources and everything that they import, with imports first.
func compile(sources map[string]string) ([]*descriptorpb.FileDescriptorProto, error) {
	paths, err := importPaths()
	if err != nil {
		return nil, err
	}
	compiler := protocompile.Compiler{Resolver: protocompile.WithStandardImports(protocompile.CompositeResolver{
		&protocompile.SourceResolver{Accessor: protocompile.SourceAccessorFromMap(sources)},
		&protocompile.SourceResolver{ImportPaths: paths},
	})}
	compiled, err := compiler.Compile(context.Background(), slices.Sorted(maps.Keys(sources))...)
	if err != nil {
		return nil, err
	}
	return inOrder(compiled), nil
}

func importPaths() ([]string, error) {
	var paths []string
	for module, folder := range imports {
		output, err := exec.Command("go", "mod", "download", "-json", module).Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", module, err)
		}
		var downloaded struct{ Dir string }
		if err := json.Unmarshal(output, &downloaded); err != nil {
			return nil, fmt.Errorf("%s: %w", module, err)
		}
		paths = append(paths, filepath.Join(downloaded.Dir, folder))
	}
	return paths, nil
}

func inOrder(roots linker.Files) []*descriptorpb.FileDescriptorProto {
	var files []*descriptorpb.FileDescriptorProto
	seen := make(map[string]bool)
	var add func(file protoreflect.FileDescriptor)
	add = func(file protoreflect.FileDescriptor) {
		if seen[file.Path()] {
			return
		}
		seen[file.Path()] = true
		for i := range file.Imports().Len() {
			add(file.Imports().Get(i).FileDescriptor)
		}
		files = append(files, protodesc.ToFileDescriptorProto(file))
	}
	for _, root := range roots {
		add(root)
	}
	return files
}

func run(request *pluginpb.CodeGeneratorRequest) error {
	input, err := proto.Marshal(request)
	if err != nil {
		return err
	}
	command := exec.Command("go", "run", plugin)
	command.Stdin = bytes.NewReader(input)
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return err
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(output, &response); err != nil {
		return err
	}
	if response.Error != nil {
		return fmt.Errorf("%s", *response.Error)
	}
	for _, file := range response.File {
		path := strings.TrimPrefix(file.GetName(), "realchain/")
		if err := os.WriteFile(path, []byte(file.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
