# A shell that waits for its server, as package runners do; both are one tree.
# A job in the background has no standard input of its own.
exec 3<&0
"$@" <&3 &
child=$!
trap 'exit 5' TERM
wait "$child"
exit "$?"
