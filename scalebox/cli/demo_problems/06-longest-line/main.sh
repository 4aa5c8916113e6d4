longest=
while IFS= read -r line; do
  [ "${#line}" -gt "${#longest}" ] && longest=$line
done
echo "$longest"
