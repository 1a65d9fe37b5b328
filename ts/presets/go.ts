/** What people type in a project of Go. */
import type { Preset } from './preset.js';

export const GO: Preset = {
  packages: 'go',
  groups: [
    {
      about: 'go: build, test, run, vet, format, modules',
      programs: 'go gofmt',
      uses: ['go generate', 'go tool'],
    },
    { about: 'What `go run` built, in the cache of the project', places: 'go-build/**' },
    {
      about: 'Linters, formatters, test runners and the debugger',
      programs: 'goimports gofumpt golangci-lint staticcheck gopls gotestsum govulncheck dlv',
    },
  ],
  caches: { GOCACHE: 'go-build', GOMODCACHE: 'go-mod', GOLANGCI_LINT_CACHE: 'golangci-lint' },
  inherit: 'GOTOOLCHAIN GOFLAGS GOOS GOARCH CGO_ENABLED',
};
