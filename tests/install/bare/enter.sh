#!/usr/bin/env bash
# enter.sh ROOT USER COMMAND NAME=VALUE...: runs a shell command in a chroot, in the home folder of a user. It is the first
# process of a namespace of processes and mounts of its own, so whatever it mounts and starts ends with it.
set -euo pipefail

root=$1 user=$2 command=$3
shift 3

mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys" 2>/dev/null || true
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
for number in 0:stdin 1:stdout 2:stderr; do
  ln -s "/proc/self/fd/${number%:*}" "$root/dev/${number#*:}"
done

IFS=: read -r _ _ uid gid _ home shell < <(grep "^$user:" "$root/etc/passwd")
path=/usr/local/bin:/usr/bin:/bin
[ "$uid" -eq 0 ] && path=/usr/local/sbin:/usr/sbin:/sbin:$path
# Not exec: the first process of a namespace ignores most signals, which no program under test expects.
chroot --userspec="$uid:$gid" --groups="$gid" "$root" /usr/bin/env -i HOME="$home" USER="$user" LOGNAME="$user" \
  SHELL="$shell" PATH="$path" LANG=C.UTF-8 TERM=dumb "$@" /bin/bash -c "cd && $command" </dev/null
