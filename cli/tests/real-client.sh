#!/bin/sh
# The real Claude Code client against a scripted model, with `receipt hook` on
# every event. The harness that drives it is not part of this repository:
#
#   RECEIPT_HARNESS=/path/to/harness CLAUDE_BIN=/path/to/claude cli/tests/real-client.sh
#
# RECEIPT_BIN takes a binary that is built already; REAL_CLIENT_OUT keeps what
# the client did. Without harness or client: SKIPPED, exit 0, or exit 1 where
# CI_REQUIRE_REAL_CLIENT=1. Ends with `N passed, N failed`.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
passed=0 failed=0

skip() {
  echo "SKIPPED: $1"
  [ "${CI_REQUIRE_REAL_CLIENT:-0}" = 1 ] && exit 1
  exit 0
}

# result NAME STATUS: counts one check; the check itself has printed its reasons.
result() {
  if [ "$2" = 0 ]; then
    passed=$((passed + 1))
    echo "ok       $1"
  else
    failed=$((failed + 1))
    echo "FAILED   $1"
  fi
}

build() {
  [ -n "${RECEIPT_BIN:-}" ] && return 0
  (cd "$here/.." && cargo build --release --locked --quiet) || exit 1
  target=$(cd "$here/.." && cargo metadata --no-deps --format-version 1 |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')
  RECEIPT_BIN=$target/release/receipt
}

# play SCENARIO KIND [WORD]: one session; KIND is `refused` or `quiet`.
play() {
  timeout 180 python3 "$RECEIPT_HARNESS/run_scenario.py" "$1" \
    "'$RECEIPT_BIN' hook claude-code --home '$RECEIPT_HOME'" --out "$out/$1" >"$out/$1.log" 2>&1 </dev/null
  code=$?
  # A refused Stop is one call more than the scenario expects: exit 1 is normal there.
  [ "$code" = 124 ] && echo "  the client had to be stopped"
  python3 "$here/real_client.py" "$2" "$out/$1" "$RECEIPT_BIN" "${3:-}"
  result "$1 is $2" $?
}

# The new verdicts since the last call, one word each: verdict/basis/action/codes.
seen=0
verdicts() {
  "$RECEIPT_BIN" log --kind verdict-stop --format json | python3 -c '
import json, sys
new = [json.loads(line) for line in sys.stdin][int(sys.argv[1]):]
for record in new:
    verdict = record["body"]["facts"]["verdict"]
    codes = "+".join(f["code"] for f in verdict["findings"] if f["severity"] in ("soft", "hard"))
    print("/".join([verdict["verdict"], verdict.get("basis") or "-", verdict["action"], codes or "-"]))
' "$seen"
}

# judged SCENARIO VERDICT...: one session or several, and the verdicts that they must get.
judged() {
  scenario=$1 name=$(basename "$1" .json)
  shift
  seen=$("$RECEIPT_BIN" log --kind verdict-stop --format json | wc -l)
  timeout 180 python3 "$RECEIPT_HARNESS/run_scenario.py" "$scenario" \
    "'$RECEIPT_BIN' hook claude-code --home '$RECEIPT_HOME'" --out "$out/$name" \
    >"$out/$name.log" 2>&1 </dev/null
  [ "$?" = 124 ] && echo "  the client had to be stopped"
  said=$(verdicts | tr '\n' ' ')
  [ "$said" = "$* " ] || { echo "  $said"; false; }
  result "$name is judged $*" $?
}

# Export and verification of the last verdict of a session, by a stranger: an
# empty folder, no home, no environment, nothing but the file and the public key.
verifies() {
  session=$(python3 "$here/real_client.py" session "$out/$1") || return 1
  stranger=$work/stranger
  mkdir "$stranger" &&
    "$RECEIPT_BIN" export --session "$session" -o "$stranger/turn.receipt" 2>/dev/null &&
    "$RECEIPT_BIN" key show --format allowed-signers >"$stranger/allowed_signers" || return 1
  said=$(cd "$stranger" && env -i "$RECEIPT_BIN" verify turn.receipt --trust allowed_signers 2>&1)
  code=$?
  [ "$code" = 0 ] && echo "$said" | grep -q VERIFIED && return 0
  echo "  exit $code: $said"
  return 1
}

# The harness ends a session's processes with its namespace; elsewhere the
# service is told to stop. Either way nothing of ours may run afterwards.
nothing_left() {
  "$RECEIPT_BIN" service stop >/dev/null || return 1
  for process in /proc/[0-9]*; do
    [ "${process#/proc/}" = "$$" ] && continue
    if tr '\0' '\n' 2>/dev/null <"$process/cmdline" | grep -qxF "$RECEIPT_BIN"; then
      echo "  still running: $(tr '\0' ' ' <"$process/cmdline")"
      return 1
    fi
  done
}

[ -n "${RECEIPT_HARNESS:-}" ] || skip "RECEIPT_HARNESS names no harness"
[ -f "$RECEIPT_HARNESS/run_scenario.py" ] || skip "no run_scenario.py in $RECEIPT_HARNESS"
[ -x "${CLAUDE_BIN:-}" ] || skip "CLAUDE_BIN names no client"
command -v python3 >/dev/null || skip "no python3"
build

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
out=${REAL_CLIENT_OUT:-$work/out}
mkdir -p "$out"
out=$(cd "$out" && pwd)
RECEIPT_HOME=$work/home
export CLAUDE_BIN RECEIPT_HOME
"$RECEIPT_BIN" init --no-hooks >/dev/null
result "init" $?

play fail refused 'exited 1'
play stub refused 'calc.py'
play unverified refused 'lines'
for scenario in pass docs-only fail-then-fix answer-only; do
  play "$scenario" quiet
done

judged hidden-failure block/-/blocked/check-failed block/-/yielded/check-failed
judged edit-after-test pass/small/allowed/-
judged background pass/small/allowed/-
judged parallel pass/small/allowed/-
judged large-edit block/-/blocked/no-check-passed block/-/yielded/no-check-passed
judged commit pass/checked/allowed/-
judged subagent pass/checked/allowed/-
judged subagent-background pass/open/allowed/- pass/checked/allowed/-
judged resume pass/small/allowed/- pass/no-code/allowed/-
judged clear pass/small/allowed/- pass/no-code/allowed/-
judged compact pass/small/allowed/- pass/no-code/allowed/-
judged deny pass/no-code/allowed/-
judged mcp pass/no-code/allowed/-

python3 "$here/real_client.py" recorded "$out" "$RECEIPT_BIN"
result "every payload is one record" $?
# An interrupt leaves a call without an outcome, which is told in a gap.
judged interrupt pass/small/allowed/-
judged "$here/scenarios/guard.json" pass/no-code/allowed/-
[ -d "$RECEIPT_HOME/ledger" ] && "$RECEIPT_BIN" log --format json | grep -q '"guarded":{"denied":true'
result "the ledger is not removed, and the attempt is on the record" $?
"$RECEIPT_BIN" audit >"$out/audit.txt" 2>&1 || { cat "$out/audit.txt"; false; }
result "the ledger passes audit" $?
verifies pass
result "the receipt of \`pass\` verifies on the public key alone" $?
nothing_left
result "nothing stays behind" $?

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
