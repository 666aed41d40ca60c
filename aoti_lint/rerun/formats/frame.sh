OUT=${OUT:-rerun-$(date +%Y%m%d-%H%M%S)}
LIMIT=${LIMIT:-600}
INPUT=${INPUT:-/dev/null}
[ -r "$INPUT" ] || { echo "INPUT: cannot read $INPUT" >&2; exit 2; }
for word in "$@"; do
  case " ${STAGES[*]} " in
    *" ${word%%:*} "*) ;;
    *) printf 'there is no stage %q; there are: %s\n' "${word%%:*}" "${STAGES[*]}" >&2; exit 2 ;;
  esac
done
mkdir -p "$OUT" || exit 2
OUT=$(cd "$OUT" && pwd)
ulimit -c 0
# Neither the compilers that torch calls nor LD_PRELOAD take a path with a blank: there $OUT has another name as well.
link="" plain=$OUT
case $OUT in
  *[[:space:]]*)
    link=$(mktemp -d) || exit 2
    plain=$link/rerun
    ln -s "$OUT" "$plain" || exit 2
    ;;
esac
# Code compiled here is kept apart from yours. Without PYTHONUNBUFFERED a crash takes the last lines with it.
export TORCHINDUCTOR_CACHE_DIR="$plain/cache/inductor" TRITON_CACHE_DIR="$plain/cache/triton"
folder=$OUT kernel="" guard="" package="" program="" launcher=""

# What a CI service would take for a command of its own is told apart by a backslash.
say() { printf '%s\n' "${*//[#]#/#\\#}" | tee -a "$OUT/rerun.log" >&2; }
# Words as they are typed. In UTF-8 bash leaves in what turns text or is not seen: such words are said by their bytes.
typed() {
  local said
  said=$(printf ' %q' "$@")
  local LC_ALL=C
  case $said in
    *$'\xe2\x80'* | *$'\xe2\x81'* | *$'\xef\xbb\xbf'* | *$'\xf3\xa0'* | *$'\xd8\x9c'*) said=$(printf ' %q' "$@") ;;
  esac
  printf '%s' "$said"
}
title() { say "" "== $name: $1"; }

has() {
  local word
  for word in "$@"; do
    command -v "$word" >/dev/null || { say "   left out: there is no $word"; return 1; }
  done
}

need() {
  local word
  for word in "$@"; do
    if [ "$word" = cuda ]; then
      if ! nvidia-smi >/dev/null 2>&1; then say "   left out: there is no GPU"; return 1; fi
    else
      has "$word" || return 1
    fi
  done
}

# What the program is about to write over is kept, and put back when the stage ends.
kept() { printf '%s/before/%s' "$folder" "${1//\//%}"; }
protect() {
  local file
  for file in ${PACKAGES[@]+"${PACKAGES[@]}"}; do
    if [ -e "$file" ] && [ ! -e "$(kept "$file")" ]; then
      mkdir -p "$folder/before"
      cp -p -- "$file" "$(kept "$file")" || { say "cannot keep $file: nothing is run"; exit 2; }
    fi
  done
}
restore() {
  local file
  for file in ${PACKAGES[@]+"${PACKAGES[@]}"}; do
    if [ -e "$file" ] && [ -e "$folder/started" ] && ! cmp -s -- "$file" "$(kept "$file")"; then
      if [ -e "$(kept "$file")" ] || [ "$file" -nt "$folder/started" ]; then
        mkdir -p "$folder/made" && mv -- "$file" "$folder/made/"
      fi
    fi
    if [ ! -e "$file" ] && [ -e "$(kept "$file")" ]; then cp -p -- "$(kept "$file")" "$file"; fi
  done
}
# Ctrl-C ends the process that runs, and pressed again this script.
stop() {
  trap - INT TERM HUP
  say "   stopped"
  kill "$(cat "$folder/pid" 2>/dev/null)" 2>/dev/null && wait
  exit 130
}
leave() {
  restore
  [ -z "$link" ] || rm -rf -- "$link"
}
trap leave EXIT
trap stop INT TERM HUP

# One process: its output goes to the terminal and to a log, and a number says how it ended. It is in the background, as
# bash looks at no signal before a command in the foreground has ended.
count=0 where=.
run() {
  local code log part new=()
  count=$((count + 1))
  log=$folder/$count.log
  say "   \$$(typed "$@")"
  for part in tmp/aoti_torch tmp/jit_inductor tmp; do [ -e "$part" ] || new+=("$part"); done
  if command -v timeout >/dev/null; then set -- timeout -s ABRT -k 10 "$LIMIT" "$@"; fi
  {
    # shellcheck disable=SC2094
    (exec <"$INPUT" && cd "$where" && exec "$@" 2>&1) &
    echo $! >"$folder/pid"
    wait $!
    echo $? >"$folder/code"
  } | tee "$log" &
  wait $!
  code=$(cat "$folder/code")
  rm -f "$folder/pid" "$folder/code"
  case $code in
    0) say "   it ended well; log: $log" ;;
    124 | 137) say "   it was stopped after $LIMIT seconds; log: $log" ;;
    132 | 134 | 135 | 136 | 139) say "   it crashed with signal $((code - 128)); log: $log" ;;
    *) say "   it ended with code $code; log: $log" ;;
  esac
  collect "$log"
  for part in ${new[@]+"${new[@]}"}; do rmdir "$part" 2>/dev/null; done
  return 0
}
build() { run "$@"; }
tool() { run "$@"; }
inside() {
  where=$folder
  run "$@"
  where=.
}

# Tensors that the debug printer has saved: in tmp/ here, or where the log says.
collect() {
  local file
  {
    if [ -d tmp ]; then
      find tmp -type f \( -name '*before_launch_*.pt' -o -name '*after_launch_*.pt' \) -newer "$folder/started"
    fi
    sed -n 's/^aoti_torch_save_tensor_handle: Saved tensor to //p' "$1"
  } | while IFS= read -r file; do
    if [ -e "$file" ]; then mv -- "$file" "$folder/"; fi
  done
}

# What earlier runs left behind.
logs() { find "$OUT" -name '[0-9]*.log' -newer "$OUT/started" -exec ls -tr {} + 2>/dev/null; }
find_kernel() {
  local log found
  [ -n "$kernel" ] && return 0
  while IFS= read -r log; do
    found=$(sed -n 's/^\[ before_launch: \(.*\) \]$/\1/p' "$log" | tail -n 1)
    kernel=${found:-$kernel}
  done < <(logs)
  [ -n "$kernel" ] || { say "   left out: no run has named a kernel; ./rerun.sh $name:KERNEL asks about one"; return 1; }
}
find_guard() {
  local log
  while [ -z "$guard" ] && IFS= read -r log; do
    guard=$(sed -n 's/.*TORCHDYNAMO_EXTENDED_DEBUG_GUARD_ADDED="\([^"]*\)".*/\1/p' "$log" | head -n 1)
  done < <(logs)
  [ -n "$guard" ] || { say "   no guard was added: nothing to look into"; return 1; }
}
find_program() {
  program=$(find "$folder" -path '*minifier*' -name 'exported_program.pt2' | tail -n 1)
  [ -n "$program" ] || { say "   left out: the exported program was not kept"; return 1; }
}
find_launcher() {
  launcher=$(find "$folder" -name 'minifier_launcher.py' | tail -n 1)
  [ -n "$launcher" ] || { say "   nothing failed there: there is no minifier_launcher.py"; return 1; }
}
find_package() {
  local file
  for file in ${PACKAGES[@]+"${PACKAGES[@]}"}; do [ -e "$file" ] && package=$file; done
  [ -n "$package" ] || { say "   left out: it is not known where the package lies"; return 1; }
}

main() {
  local word
  touch "$OUT/started"
  [ $# -gt 0 ] || set -- "${STAGES[@]}"
  for word in "$@"; do
    name=${word%%:*} kernel="" count=0
    [ "$name" = "$word" ] || kernel=${word#*:}
    folder=$OUT/$name
    mkdir -p "$folder" && touch "$folder/started"
    protect
    "stage_${name//-/_}"
    restore
  done
  say "" "All logs are in $OUT. Next: aoti-lint triage $(printf %q "$OUT")/STAGE/N.log"
}
