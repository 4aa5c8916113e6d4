(while :; do :; done) &
wait
