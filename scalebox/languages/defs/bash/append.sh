@program@
@close@
# Functions, aliases and traps of the program must not stand for what the tests are made of. In POSIX mode special
# builtins win over functions; leaving it does not undo that command substitutions inherit `set -e`.
scalebox_options=:$BASHOPTS:
POSIXLY_CORRECT=1
\unset -f unset set trap builtin read printf unalias shopt readonly declare || \exit 1
\set +o posix
\builtin unalias -a
\builtin shopt -u expand_aliases extdebug
[[ $scalebox_options = *:inherit_errexit:* ]] || \builtin shopt -u inherit_errexit
# What is read-only could not be replaced by what the tests call so.
[[ -z $(\builtin declare -Fr) ]] || \exit 1
\trap - EXIT ERR DEBUG RETURN
@tests@

\builtin read -r -u 3 scalebox_token || \builtin :
\builtin printf '%s\n' "$scalebox_token" >&4
