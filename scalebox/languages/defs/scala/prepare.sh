# Keep the compiler of all that came with it, and make class-data archives of what it and programs load: once, mapped
# read-only by every compilation and run.
set -eu
mkdir -p jars
for name in compiler library reflect; do
  if [ -d pyspark ]; then mv pyspark/jars/scala-$name-2.*.jar jars/scala-$name.jar; fi
done
rm -rf pyspark pyspark-* bin share
jars=$PWD/jars
cp right.scala Main.scala
java -XX:+UseSerialGC -XX:-UsePerfData -Xlog:disable -XX:TieredStopAtLevel=1 -XX:ArchiveClassesAtExit="$PWD/scalac.new" -Xmx1g -Xss32m \
  -cp "$jars/scala-compiler.jar:$jars/scala-library.jar:$jars/scala-reflect.jar" scala.tools.nsc.Main -usejavacp -nowarn -d main.jar Main.scala
# Programs differ, so theirs is made of a list of classes: those that a program of ours loads and that are not its own.
echo 2 3 | java -XX:+UseSerialGC -XX:-UsePerfData -Xlog:disable -XX:DumpLoadedClassList=classes -cp "$jars/scala-library.jar:main.jar" Main > /dev/null
java -Xshare:dump -Xlog:disable -XX:SharedClassListFile=classes -XX:SharedArchiveFile="$PWD/run.new" -cp "$jars/scala-library.jar"
mv scalac.new scalac.jsa
mv run.new run.jsa
rm -f main.jar Main.scala classes
