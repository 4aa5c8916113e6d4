#!/usr/bin/env bash
# Prove the container recipe on a Debian machine without Docker: build the image from a debootstrap base, run it as docs/deployment.md says.
# Needs root, the network for apt and pip, and about 2 GB; leaves the packages debootstrap, podman and crun, and the image `scalebox`.
#
#   deploy/prove_container.sh             # everything
#   deploy/prove_container.sh --no-build  # with the image of an earlier run
#
# BUILD_OPTIONS are handed to `podman build`, as `--volume /etc/ssl/certs:/etc/ssl/certs:ro` where a proxy has its own certificates.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly SUITE=trixie MIRROR=http://deb.debian.org/debian
readonly BASE=docker.io/library/debian:$SUITE-slim IMAGE=localhost/scalebox
readonly PORT=18080 KEY=prove-$$
readonly REQUEST='{"source": "#include <iostream>\nint main() { long a, b; std::cin >> a >> b; std::cout << a + b; }", "language": "cpp",
  "problem": {"tests": [{"kind": "stdio", "input": "1 2\n", "answer": "3\n"}]}}'
# What docs/deployment.md gives a container, in podman's words.
readonly LOCKED=(--network host --read-only --read-only-tmpfs=false --cap-drop all --security-opt no-new-privileges
  --tmpfs /tmp:rw,exec,nosuid,nodev,size=1g)
readonly LARGE_SHM=(--tmpfs /dev/shm:rw,exec,nosuid,nodev,size=1g)
readonly NAMESPACES=(--security-opt seccomp=unconfined --security-opt unmask=ALL)
machine=() # what this machine's runtime needs

stage() { printf '\n=== %s (%d s so far)\n' "$1" "$SECONDS"; }
die() { echo "prove_container: $*" >&2; exit 1; }

install_tools() {
  command -v debootstrap podman crun >/dev/null && return
  apt-get -qq update
  DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends debootstrap podman crun >/dev/null
}

make_base() {
  podman image exists "$BASE" && return
  local root
  root=$(mktemp -d)
  debootstrap --variant=minbase --include=ca-certificates "$SUITE" "$root" "$MIRROR" >/dev/null
  tar -C "$root" -c . | podman import --quiet - "$BASE"
  rm -rf "$root"
}

# crun refuses machines where both versions of cgroups have controllers: hide the second from it. A root that may not raise limits keeps its own.
suit_the_machine() {
  if mountpoint -q /sys/fs/cgroup/unified && [ -z "${PROVE_INSIDE:-}" ]; then
    PROVE_INSIDE=1 exec unshare --mount --propagation private bash -c 'umount /sys/fs/cgroup/unified && exec "$0" "$@"' "$0" "$@"
  fi
  mountpoint -q /sys/fs/cgroup/systemd && machine+=(--cgroups=disabled)
  machine+=(--ulimit "nofile=$(ulimit -Hn):$(ulimit -Hn)" --ulimit nproc=16384:16384 --no-healthcheck)
}

# The image's own health check, a word a line.
health_check() {
  podman image inspect "$IMAGE" | python3 -c "
import json, sys
image = json.load(sys.stdin)[0]
print('\n'.join(image['Healthcheck']['Test'][1:]))"
}

run() { podman run --rm "${machine[@]}" "${LOCKED[@]}" "$@"; }

# $1: level that must be reached; the rest: options of the container.
prove() {
  local level=$1
  shift
  run "$@" "$IMAGE" doctor
  run "$@" "$IMAGE" doctor --json | python3 -c "import json, sys; sys.exit(json.load(sys.stdin)['isolation']['level'] != '$level')" ||
    die "the level is not $level"
  run "$@" "$IMAGE" selftest --language python --language c --language cpp --language bash
  serve_and_judge "$level" "$@"
}

serve_and_judge() {
  local level=$1 container reply health
  shift
  mapfile -t health < <(health_check)
  container=$(run --detach --env SCALEBOX_API_KEY="$KEY" --env SCALEBOX_PORT=$PORT "$@" "$IMAGE")
  for _ in $(seq 100); do
    podman exec "$container" "${health[@]}" 2>/dev/null && break
    sleep 0.2
  done
  podman exec "$container" "${health[@]}" || die "the health check fails: $(podman logs "$container")"
  reply=$(curl --silent --show-error --fail --header "Authorization: Bearer $KEY" --data "$REQUEST" "http://127.0.0.1:$PORT/v1/judge") ||
    die "no answer: $(podman logs "$container")"
  podman stop --time 20 "$container" >/dev/null
  echo "$reply"
  python3 -c "import json, sys; r = json.loads(sys.argv[1]); sys.exit((r['verdict'], r['isolation']['level']) != ('AC', '$level'))" "$reply" ||
    die "this should be AC at level $level"
}

[ "$(id -u)" = 0 ] || die "needs root"
suit_the_machine "$@"
if [ "${1:-}" != --no-build ]; then
  stage "tools"
  install_tools
  stage "a base image by debootstrap"
  make_base
  stage "the image"
  # shellcheck disable=SC2086 - several options
  podman build --isolation chroot --network host --ulimit "nofile=$(ulimit -Hn):$(ulimit -Hn)" --format docker --pull-never \
    ${BUILD_OPTIONS:-} --tag "$IMAGE" .
fi

stage "it says no without a key"
run "$IMAGE" && die "it served everybody"

stage "locked, with the 64 MB of shared memory that runtimes give"
prove standard

stage "locked, with enough shared memory"
prove standard "${LARGE_SHM[@]}"

stage "locked, with work folders on a disk"
disk=$(mktemp -d)
trap 'rm -rf "$disk"' EXIT
chown 10001 "$disk"
prove standard --env TMPDIR=/work --volume "$disk:/work"

stage "locked, and strict demanded: refused"
run "$IMAGE" doctor --isolation strict && die "strict was granted"

stage "locked but for namespaces: strict"
prove strict "${NAMESPACES[@]}"

stage "proved"
