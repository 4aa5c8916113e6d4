sort -n | uniq | tr '\n' ' '
echo
