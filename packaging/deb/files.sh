# shellcheck shell=bash
# Part of install.sh: files that are not in the package, such as Prometheus's configuration. Each is recorded with its
# checksum, so that changes by a person are detected.

sum() { sha256sum "$1" | cut -d ' ' -f 1; }

recorded_sum() { [[ ! -f $RECORD/files ]] || awk -v path="$1" '$2 == path { sum = $1 } END { print sum }' "$RECORD/files"; }

# Succeeds for an unmodified file from a Debian package.
is_packaged() {
  local wanted
  wanted=$(dpkg-query --show --showformat='${Conffiles}\n' 2>/dev/null | awk -v path="$1" '$1 == path { print $2 }')
  [[ -n $wanted && $wanted == "$(md5sum "$1" | cut -d ' ' -f 1)" ]]
}

make_record() { install -d -m 700 "$RECORD"; }

# Creates a folder and records it.
make_folder() {
  local folder=$1
  make_record
  while [[ ! -d $folder ]]; do
    printf '%s\n' "$folder" >>"$RECORD/folders"
    folder=$(dirname "$folder")
  done
  mkdir -p "$1"
}

record() {
  [[ $(recorded_sum "$2") != "$1" ]] || return 0
  make_record
  { [[ ! -f $RECORD/files ]] || awk -v path="$2" '$2 != path' "$RECORD/files"; printf '%s %s\n' "$1" "$2"; } >"$RECORD/files.new"
  mv "$RECORD/files.new" "$RECORD/files"
}

# Forgets a file.
forget() { awk -v path="$1" '$2 != path' "$RECORD/files" >"$RECORD/files.new" && mv "$RECORD/files.new" "$RECORD/files"; }

# outdate PATH: forgets that services were started with this file (see restart). Called before the file changes, in case this script is
# killed.
outdate() { { grep -lsF "  $1" "$RECORD"/running/* || true; } | xargs -r rm; }

# would_write PATH: says in a preview that a file would be written.
would_write() {
  say "  would write $1"
  changed+=("$1")
}

# put FILE PATH [MODE OWNER]: installs a copy of a file unless it exists unchanged.
put() {
  local file=$work/copy path=$2 mode=${3:-644} owner=${4:-root:root} before=
  if $dry; then
    if cmp -s "$1" "$path" && [[ $(stat -c '%a %U:%G' "$path") == "$mode $owner" ]]; then return; fi
    before=$(recorded_sum "$path")
    if [[ -r $path && $(sum "$path") != "$before" ]] && ! cmp -s "$1" "$path" && ! is_packaged "$path"; then
      say "  would ask before it replaces $path, which was changed by hand"
    else
      would_write "$path"
    fi
    return
  fi
  (umask 077 && cat "$1" >"$file")
  if [[ -f $path ]]; then
    before=$(recorded_sum "$path")
    if cmp -s "$file" "$path"; then
      [[ -n $before ]] || keep_original "$path"
    elif [[ $(sum "$path") != "$before" ]]; then
      if is_packaged "$path"; then
        keep_original "$path"
      elif is_better "$path" || { ! $overwrite && ! confirm "$path was changed by hand. Overwrite it? A copy is kept."; }; then
        say "$path was changed by hand and is kept. The new version is in $path.hoster-new."
        is_better "$path" || say 'With --yes it is replaced, and a copy is kept.'
        install -m "$mode" -o "${owner%:*}" -g "${owner#*:}" "$file" "$path.hoster-new"
        record "$(sum "$path.hoster-new")" "$path.hoster-new"
        kept+=("$path")
        return
      else
        cp -p "$path" "$path.before-hoster-$(date +%Y%m%d-%H%M%S)"
        [[ -n $before ]] || keep_original "$path"
      fi
    fi
  fi
  make_folder "$(dirname "$path")"
  if ! cmp -s "$file" "$path" || [[ $(stat -c '%a %U:%G' "$path") != "$mode $owner" ]]; then
    # Before the file exists, in case this script is killed.
    [[ -n $before ]] || record "$(sum "$file")" "$path"
    outdate "$path"
    # Atomically, so that nobody reads half of it.
    install -m "$mode" -o "${owner%:*}" -g "${owner#*:}" "$file" "$path.hoster-part"
    mv "$path.hoster-part" "$path"
  fi
  record "$(sum "$path")" "$path"
}

# Succeeds if a person's own routes send something although the answers say that nothing is to be sent.
is_better() { [[ $1 == /etc/prometheus/alertmanager.yml && $channel == none ]] && grep -q '_configs:' "$1"; }

keep_original() {
  mkdir -p "$RECORD/before$(dirname "$1")"
  cp -p "$1" "$RECORD/before$1.part"
  mv "$RECORD/before$1.part" "$RECORD/before$1"
}

# Keeps originals that a package installed after a file was written.
keep_packaged() {
  local file
  for file in /etc/default/prometheus /etc/default/prometheus-alertmanager; do
    [[ -f $file.dpkg-dist && -n $(recorded_sum $file) ]] || continue
    mkdir -p "$RECORD/before/etc/default"
    mv $file.dpkg-dist "$RECORD/before$file"
    echo $file >>"$RECORD/brought"
  done
}
