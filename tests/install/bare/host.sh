# What a chroot takes over from this machine so that apt, pip and npm reach their servers. Sourced by run.sh.

HOST_VARIABLES='^([a-z]+_proxy|[A-Z]+_PROXY|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|NODE_EXTRA_CA_CERTS|GIT_SSL_CAINFO|PIP_.*|npm_config_.*|NPM_CONFIG_.*)='

# The variables of this machine's environment that the commands inside get, as NAME=VALUE in the array carried.
carried_variables() {
  local line
  carried=()
  while IFS= read -r -d '' line; do
    [[ $line =~ $HOST_VARIABLES ]] && carried+=("$line")
  done < <(env -0)
  return 0
}

# into ROOT PATH...: copies what is there to the same place under ROOT.
into() {
  local root=$1 path
  shift
  for path in "$@"; do
    [ -e "$path" ] || continue
    mkdir -p "$root${path%/*}"
    if [ -d "$path" ]; then cp -a "$path/." "$root$path/"; else cp -L "$path" "$root$path"; fi
  done
}

# host_configuration ROOT HOME...: the name server, certificates, and the settings of apt, pip and npm; those of this
# user go to every HOME.
host_configuration() {
  local root=$1 own=${HOME:-/root} home path
  shift
  into "$root" /etc/resolv.conf /etc/hosts /etc/ssl/certs /usr/share/ca-certificates /usr/local/share/ca-certificates
  into "$root" /etc/apt/keyrings /etc/apt/trusted.gpg.d /etc/apt/auth.conf /etc/apt/auth.conf.d
  # Only the settings of downloads: the others may call programs that are not there.
  apt-config dump 2>/dev/null | grep '^Acquire::' >"$root/etc/apt/apt.conf.d/00host"
  if [ "$RELEASE" = "$HOST_RELEASE" ]; then
    rm -f "$root/etc/apt/sources.list"
    into "$root" /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/preferences /etc/apt/preferences.d
    into "$root" /usr/share/keyrings
  fi
  into "$root" /etc/pip.conf /etc/npmrc
  for home in "$@"; do
    mkdir -p "$root$home/.config/pip"
    for path in .config/pip/pip.conf .pip/pip.conf .npmrc; do
      [ -f "$own/$path" ] && mkdir -p "$root$home/${path%/*}" && cp -L "$own/$path" "$root$home/$path"
    done
  done
  # Certificates and the like that these settings name.
  while IFS= read -r path; do
    [ -f "$path" ] && [ ! -e "$root$path" ] && into "$root" "$path"
  done < <({
    printf '%s\n' "${carried[@]-}"
    cat "$root"/etc/{pip.conf,npmrc} "$root"/etc/apt/apt.conf.d/00host "$root${1-}"/{.config/pip/pip.conf,.pip/pip.conf,.npmrc}
  } 2>/dev/null | grep -oE '(^|[="[:space:]])/[^"[:space:]]+' | sed 's/^[^/]*//' | sort -u)
  return 0
}
