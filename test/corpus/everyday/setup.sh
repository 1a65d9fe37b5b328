# Makes a copy of a fixture a working project: packages, a build, a history. $1: the kind; $2: node_modules of Handrail.
set -euo pipefail
printf 'step 1 of 3\nwarning: unused thing\nstep 2 of 3\nerror: missing thing\nstep 3 of 3\n' >build.log
mv gitignore .gitignore
case $1 in
node)
  mv husky .husky
  cp env.sample .env
  mkdir -p node_modules/.bin node_modules/@types node_modules/biome
  cp -R "$2/typescript" "$2/@typescript" "$2/undici-types" node_modules
  cp -R "$2/@types/node" node_modules/@types
  mv stubs/biome.mjs node_modules/biome
  printf '{"name":"biome","version":"1.0.0","bin":"biome.mjs"}\n' >node_modules/biome/package.json
  chmod 755 node_modules/biome/biome.mjs
  ln -s ../typescript/bin/tsc node_modules/.bin/tsc
  ln -s ../biome/biome.mjs node_modules/.bin/biome
  npm run -s build
  ;;
python)
  python3 -m venv --without-pip .venv
  site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  for name in pytest ruff pip; do
    cp "stubs/$name.py" "$site"
    printf '#!%s/.venv/bin/python\nimport runpy\nrunpy.run_module("%s", run_name="__main__")\n' "$PWD" "$name" >".venv/bin/$name"
    chmod 755 ".venv/bin/$name"
  done
  ;;
rust)
  cargo build --offline -q
  cargo test --offline -q
  cargo clippy --offline -q || true
  ;;
go)
  go vet ./...
  go test ./...
  go build -o bin/shop ./cmd/shop
  go build -o bin/server ./cmd/server
  ;;
esac
rm -rf stubs

# A history of four commits, a tag, a branch, a remote beside the project, and work that is not committed yet.
commit() { git -c core.hooksPath=/dev/null commit -q -m "$1"; }
git init -q -b main
git add README.md .gitignore && commit "Start"
for folder in src cmd cart format; do if [ -d "$folder" ]; then git add "$folder"; fi; done
commit "Add the shop"
git add -A && commit "Add data, notes and scripts"
git tag v0.1.0
git checkout -q -b feature/discount
printf -- '- Discounts come later.\n' >>docs/notes.md
git add -A && commit "Note on discounts"
git checkout -q main
printf -- '- Counts are whole numbers.\n' >>README.md
git add -A && commit "Say what counts are"
git clone -q --bare . ../origin.git
git remote add origin ../origin.git
git fetch -q origin
git branch -q --set-upstream-to=origin/main main
printf 'Not committed yet.\n' >>README.md
printf 'a note\n' >scratch.txt
if [ -d .husky ]; then git config core.hooksPath .husky; fi
