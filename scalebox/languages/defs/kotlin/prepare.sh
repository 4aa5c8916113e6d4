# Class-data archives of what the compiler and programs load: made once, mapped read-only by every compilation and run.
set -eu
lib=$PWD/node_modules/kotlin-compiler/lib
cp right.kt Main.kt
java -XX:+UseSerialGC -XX:-UsePerfData -Xlog:disable -XX:TieredStopAtLevel=1 -XX:ArchiveClassesAtExit="$PWD/kotlinc.new" -Xmx1g -Xss32m \
  -cp "$lib/kotlin-compiler.jar" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -kotlin-home "${lib%/lib}" -no-reflect -nowarn -d main.jar Main.kt
# Programs differ, so theirs is made of a list of classes: those that a program of ours loads and that are not its own.
echo 2 3 | java -XX:+UseSerialGC -XX:-UsePerfData -Xlog:disable -XX:DumpLoadedClassList=classes -cp "$lib/kotlin-stdlib.jar:main.jar" MainKt > /dev/null
java -Xshare:dump -Xlog:disable -XX:SharedClassListFile=classes -XX:SharedArchiveFile="$PWD/run.new" -cp "$lib/kotlin-stdlib.jar"
mv kotlinc.new kotlinc.jsa
mv run.new run.jsa
rm -f main.jar Main.kt classes
