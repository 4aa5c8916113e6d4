# A class-data archive of what javac loads: made once, mapped read-only by every compilation.
set -eu
mkdir -p try
cp right.java try/Right.java
javac -J-XX:+UseSerialGC -J-XX:-UsePerfData -J-XX:TieredStopAtLevel=1 -J-XX:ArchiveClassesAtExit="$PWD/javac.new" -J-Xlog:disable -J-Xmx768m -J-Xss64m \
  -encoding UTF-8 -proc:none -nowarn -Xlint:none -d try/classes try/Right.java
mv javac.new javac.jsa
rm -r try
