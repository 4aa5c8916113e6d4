# npm leaves a script for Node.js that starts the program of this machine; the program takes its place, which saves 70 ms of CPU a compilation.
set -eu
ln -f node_modules/@esbuild/*/bin/esbuild node_modules/esbuild/bin/esbuild
