declare -A count
while read -r word; do
  count[$word]=$((${count[$word]:-0} + 1))
done
echo "${count[b]} ${count[a]}"
