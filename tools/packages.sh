# The Debian packages Partita needs, and how they get installed. Sourced by ./run and ./test.

# One configuration serves ./run and ./test, so the two small header packages of the tests are here.
BUILD_PACKAGES=(g++ cmake ninja-build ccache mold librocksdb-dev libsimdjson-dev
  libdeflate-dev libssl-dev libcurl4-openssl-dev libxxhash-dev libgtest-dev nlohmann-json3-dev
  libtomlplusplus-dev)
TEST_PACKAGES=(libbenchmark-dev clang libclang-rt-14-dev valgrind python3 python3-boto3 awscli curl ca-certificates openssl)

# Installs those of its arguments that are missing; silent and without network when none is.
install_packages() {
  local missing=() package
  for package in "$@"; do
    if [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
      missing+=("$package")
    fi
  done
  if [ ${#missing[@]} -eq 0 ]; then return; fi

  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "These packages are missing and need root to install: ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "Installing ${missing[*]}" >&2
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get update -q &&
         "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
           apt-get install -y -q --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "apt-get could not install: ${missing[*]}" >&2
    return 1
  fi
  rm -f "$log"
}

# Node 18 or newer with npm, from wherever; Debian's when there is none.
install_node() {
  if command -v npm >/dev/null && node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)'
  then return; fi
  install_packages nodejs npm
}
