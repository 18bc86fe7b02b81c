// Command generate compiles proto/*.proto for a brand and writes the Go code for the messages to their package.
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
	brand := os.Args[1]
	// A file name must begin with the package name.
	sources := make(map[string]string)
	for _, module := range modules {
		text := must(os.ReadFile(filepath.Join("proto", module+".proto")))
		name := fmt.Sprintf("%sblockchain/%s/%s.proto", brand, module, module)
		sources[name] = strings.ReplaceAll(string(text), "BRAND", brand)
	}
	names := slices.Sorted(maps.Keys(sources))
	run(&pluginpb.CodeGeneratorRequest{
		FileToGenerate: names,
		Parameter:      proto.String(options),
		ProtoFile:      compile(names, sources),
	})
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// compile returns the sources and everything that they import, with imports first.
func compile(names []string, sources map[string]string) []*descriptorpb.FileDescriptorProto {
	var paths []string
	for module, folder := range imports {
		output := must(exec.Command("go", "mod", "download", "-json", module).Output())
		var downloaded struct{ Dir string }
		if err := json.Unmarshal(output, &downloaded); err != nil {
			panic(err)
		}
		paths = append(paths, filepath.Join(downloaded.Dir, folder))
	}
	compiler := protocompile.Compiler{Resolver: protocompile.WithStandardImports(protocompile.CompositeResolver{
		&protocompile.SourceResolver{Accessor: protocompile.SourceAccessorFromMap(sources)},
		&protocompile.SourceResolver{ImportPaths: paths},
	})}
	return inOrder(must(compiler.Compile(context.Background(), names...)))
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

func run(request *pluginpb.CodeGeneratorRequest) {
	command := exec.Command("go", "run", plugin)
	command.Stdin = bytes.NewReader(must(proto.Marshal(request)))
	command.Stderr = os.Stderr
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(must(command.Output()), &response); err != nil {
		panic(err)
	}
	if response.Error != nil {
		panic(*response.Error)
	}
	for _, file := range response.File {
		path := strings.TrimPrefix(file.GetName(), "realchain/")
		if err := os.WriteFile(path, []byte(file.GetContent()), 0o644); err != nil {
			panic(err)
		}
	}
}
