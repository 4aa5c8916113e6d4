# Precompile <bits/stdc++.h> for every standard, with the arguments that programs are compiled with: made once, mapped read-only
# by every compilation that includes it first.
set -eu
rm -rf include.new
mkdir -p include.new/bits/stdc++.h.gch
echo '#include_next <bits/stdc++.h>' > include.new/bits/stdc++.h
echo '#include <bits/stdc++.h>' > all.h
for std in gnu++11 gnu++14 gnu++17 gnu++20 gnu++23; do
  g++ -std=$std -O2 -pipe -w -ffp-contract=off -DONLINE_JUDGE -x c++-header -o include.new/bits/stdc++.h.gch/$std all.h
done
chmod -R a+rX include.new
rm -rf include all.h
mv include.new include
