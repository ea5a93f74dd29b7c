// Command systems checks that the packages and tests of the module in this folder compile on the systems that its arguments
// name. It checks types and compiles nothing, so it doesn't fill a cache with the standard library of each system.
package main

import (
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	failed := 0
	for _, system := range os.Args[1:] {
		all, err := packages.Load(&packages.Config{
			Mode:  packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo,
			Env:   append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
			Tests: true,
		}, "./...")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("%s: %d packages\n", system, len(all))
		failed += packages.PrintErrors(all)
	}
	if failed > 0 {
		os.Exit(1)
	}
}
