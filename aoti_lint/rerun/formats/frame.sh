OUT=${OUT:-rerun-$(date +%Y%m%d-%H%M%S)}
LIMIT=${LIMIT:-600}
mkdir -p "$OUT" || exit 2
OUT=$(cd "$OUT" && pwd)
# Code compiled here is kept apart from yours. Without PYTHONUNBUFFERED a crash takes the last lines with it.
export TORCHINDUCTOR_CACHE_DIR="$OUT/cache/inductor" TRITON_CACHE_DIR="$OUT/cache/triton"
folder=$OUT kernel="" guard="" package="" program="" launcher=""

say() { printf '%s\n' "$*" | tee -a "$OUT/rerun.log" >&2; }
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
trap restore EXIT
trap 'exit 130' INT TERM

# One process: its output goes to the terminal and to a log, and a number says how it ended.
count=0
run() {
  local code log
  count=$((count + 1))
  log=$folder/$count.log
  say "   \$ $*"
  if command -v timeout >/dev/null; then
    timeout -s ABRT -k 10 "$LIMIT" "$@" 2>&1 | tee "$log"
  else
    "$@" 2>&1 | tee "$log"
  fi
  code=${PIPESTATUS[0]}
  case $code in
    0) say "   it ended well; log: $log" ;;
    124 | 137) say "   it was stopped after $LIMIT seconds; log: $log" ;;
    132 | 134 | 135 | 136 | 139) say "   it crashed with signal $((code - 128)); log: $log" ;;
    *) say "   it ended with code $code; log: $log" ;;
  esac
  if [ -d tmp ]; then
    find tmp -name 'aoti_torch*_launch_*.pt' -newer "$folder/started" -exec mv -- {} "$folder/" \;
  fi
  return 0
}
build() { run "$@"; }
tool() { run "$@"; }
inside() { (cd "$folder" && run "$@"); }

# What earlier runs left behind.
logs() { find "$OUT" -name '[0-9]*.log' -newer "$OUT/started" -exec ls -tr {} + 2>/dev/null; }
find_kernel() {
  local log
  [ -n "$kernel" ] && return 0
  while read -r log; do
    kernel=$(sed -n 's/^\[ before_launch: \(.*\) \]$/\1/p' "$log" | tail -n 1)
  done < <(logs | xargs grep -l 'before_launch: ' 2>/dev/null)
  [ -n "$kernel" ] || { say "   left out: no run has named a kernel; ./rerun.sh $name:KERNEL asks about one"; return 1; }
}
find_guard() {
  local log
  while read -r log; do
    guard=$(sed -n 's/.*TORCHDYNAMO_EXTENDED_DEBUG_GUARD_ADDED="\([^"]*\)".*/\1/p' "$log" | head -n 1)
  done < <(logs | xargs grep -l 'EXTENDED_DEBUG_GUARD_ADDED=' 2>/dev/null)
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
    case " ${STAGES[*]} " in
      *" $name "*) ;;
      *) say "there is no stage $name; there are: ${STAGES[*]}"; exit 2 ;;
    esac
    folder=$OUT/$name
    mkdir -p "$folder" && touch "$folder/started"
    protect
    "stage_${name//-/_}"
    restore
  done
  say "" "All logs are in $OUT. Next: aoti-lint triage $OUT/STAGE/N.log"
}
