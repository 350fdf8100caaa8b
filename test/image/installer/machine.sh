#!/bin/bash
# Runs a script on a copy of this machine that is thrown away: every change goes into a folder in memory.
#
#   machine.sh FOLDER COMMAND...    FOLDER is empty; its folder "changes" has what changed, as long as COMMAND runs
set -euo pipefail
folder=$1
shift
mount -t tmpfs -o size=3g memory "$folder"
mkdir "$folder"/{changes,work,root}
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/changes,workdir=$folder/work" "$folder/root"
mount -t proc proc "$folder/root/proc"
mount --rbind /dev "$folder/root/dev"
mount -t tmpfs run "$folder/root/run"
mkdir -p "$folder/root/run/systemd/system"
mount --bind "$PWD" "$folder/root/mnt"
# A stick from which nothing can be run, with a name that needs quotes.
stick=$folder/root/mnt2/-"Моя 'папка' \"x\" & co"
mkdir -p "$stick"
mount --bind "$PWD" "$stick"
mount -o remount,bind,ro,noexec "$stick"
mkdir -p "$folder/root/usr/local/sbin"
cp test/image/installer/systemctl "$folder/root/usr/local/sbin/systemctl"
exec chroot "$folder/root" env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
