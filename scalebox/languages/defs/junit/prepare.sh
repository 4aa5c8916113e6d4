# The harness, compiled once, and a class-data archive of what a run of JUnit loads. Jars come in the order of the definition.
set -eu
jars=
for name in junit-jupiter-api junit-jupiter-engine junit-jupiter-params junit-platform-commons junit-platform-engine junit-platform-launcher \
  junit-vintage-engine junit4 hamcrest-all opentest4j apiguardian-api univocity-parsers; do
  jars="$jars:/usr/share/java/$name.jar"
done
rm -rf classes
mkdir classes
javac -encoding UTF-8 -proc:none -nowarn -cp "$jars" -d classes ScaleBoxUnit.java ScaleBoxTrial.java
jar --create --file unit.new -C classes .
mv unit.new unit.jar
echo ScaleBoxTrial > trial
java -XX:+UseSerialGC -XX:-UsePerfData -XX:TieredStopAtLevel=1 -XX:ArchiveClassesAtExit="$PWD/run.new" -Xlog:disable -cp "$PWD/unit.jar$jars" ScaleBoxUnit trial > /dev/null
mv run.new run.jsa
rm -rf classes trial
