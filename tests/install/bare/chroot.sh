# A minimal Debian in a chroot: made once, unpacked for every step, entered in a namespace of its own. Sourced by run.sh.

# ${PRIVATE[@]} COMMAND...: runs a command in its own namespace of mounts and processes; both end with it.
PRIVATE=(unshare --mount --pid --fork --kill-child=KILL)

# The first server of this machine that has the release; empty: debootstrap's own choice.
mirror() {
  apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    sed -n "s/^$RELEASE //p" | head -n 1
}

# Makes the archive of the bare system, or keeps one that is younger than a month.
base_archive() {
  local folder=$WORK/base
  [ -z "$(find "$ARCHIVE" -mtime -30 2>/dev/null)" ] || return 0
  "${PRIVATE[@]}" debootstrap --variant=minbase ${PACKAGES:+"--include=$PACKAGES"} "$RELEASE" "$folder" "$(mirror)" >"$LOGS/debootstrap" ||
    { tail -n 20 "$LOGS/debootstrap"; return 1; }
  chroot "$folder" /usr/sbin/useradd --create-home --shell /bin/bash "$TESTER"
  rm -rf "$folder"/var/cache/apt/archives/*.deb
  tar -C "$folder" --exclude='./dev/*' -cf "$ARCHIVE.new" .
  mv "$ARCHIVE.new" "$ARCHIVE"
  remove "$folder"
}

# remove FOLDER: deletes it, unless something is mounted there.
remove() {
  if grep -q " $1[/ ]" /proc/self/mountinfo; then
    echo "$NAME: something is mounted in $1, so it is not removed" >&2
    return 1
  fi
  rm -rf --one-file-system "$1"
}

# fresh [PACKAGE...]: a new bare system in $root with $CONTENT in the folder project of root and of the tester.
fresh() {
  local home
  root=$WORK/root
  remove "$root"
  mkdir "$root"
  tar -C "$root" -xpf "$ARCHIVE"
  host_configuration "$root" /root "/home/$TESTER"
  for home in /root "/home/$TESTER"; do
    mkdir "$root$home/project"
    tar -C "$root$home/project" -xf "$CONTENT"
  done
  chroot "$root" chown -R "$TESTER:$TESTER" "/home/$TESTER"
  [ $# -eq 0 ] || install "$@"
}

# install PACKAGE...: the system's packages, as its administrator would.
install() {
  as root "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $* >/dev/null"
}

# as USER COMMAND: runs a shell command there, in the user's home folder.
as() {
  echo "--- $1: $2" >&2
  "${PRIVATE[@]}" bash "$HERE/bare/enter.sh" "$root" "$1" "$2" "${carried[@]}"
}
