# Compile a program, with the harness of its test code where it has one. Arguments: the folder of the compiled standard library; what to make; the program.
standard=$1 made=$2 program=$3
folder=${TMPDIR:-$PWD}
export GOCACHE="$folder/go-cache" GOPATH="$folder/go"
entry=$(sed -n '3s/^import \(scaleBox[0-9a-f]*\) .*/\1/p' "$program")

# The harness is a package of its own, so that it is initialised first. What the test code means by true, len or string is Go's own: a program
# that declares one of those that it uses does not compile beside an import of that name.
if [ -n "$entry" ]; then
  mkdir -p "$GOPATH/src/scalebox/$entry" "$GOPATH/src/scalebox/names" || exit
  cp scalebox_append.go.txt "$GOPATH/src/scalebox/$entry/append.go" || exit
  echo 'package names; const Own = 0' > "$GOPATH/src/scalebox/names/names.go"
  guarded=$(sed -n "s|^//$entry ||p" "$program")
  echo 'package main' > guards.go
  for name in $guarded; do echo "import $name \"scalebox/names\"" >> guards.go; done
  for name in $guarded; do echo "const _ = $name.Own" >> guards.go; done
fi

if ! [ -f "$standard/importcfg" ]; then
  [ -z "$entry" ] || exec go build -ldflags "-s -w" -o "$made" "$program" guards.go
  exec go build -ldflags "-s -w" -o "$made" "$program"
fi
if [ -z "$entry" ]; then
  go tool compile -p main -complete -trimpath "$PWD" -importcfg "$standard/importcfg" -pack -o main.a "$program" || exit
  exec go tool link -importcfg "$standard/importcfg" -s -w -o "$made" main.a
fi
cp "$standard/importcfg" importcfg || exit
for package in names "$entry"; do
  go tool compile -p "scalebox/$package" -complete -importcfg importcfg -pack -o "$package.a" "$GOPATH/src/scalebox/$package"/*.go || exit
  echo "packagefile scalebox/$package=$package.a" >> importcfg
done
go tool compile -p main -complete -trimpath "$PWD" -importcfg importcfg -pack -o main.a "$program" guards.go || exit
exec go tool link -importcfg importcfg -s -w -o "$made" main.a
