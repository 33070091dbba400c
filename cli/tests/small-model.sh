#!/bin/sh
# A real small model behind a server that speaks Ollama's protocol, asked by the
# real hooks. Neither is part of this repository:
#
#   RECEIPT_SHIM=/path/to/server.mjs RECEIPT_GGUF=/path/to/model.gguf cli/tests/small-model.sh
#
# The server is started as `node server.mjs MODEL PORT NAME`. RECEIPT_BIN takes a
# binary that is built already. Without node, server or model: SKIPPED, exit 0, or
# exit 1 where CI_REQUIRE_SMALL_MODEL=1. `eval` as first argument measures the
# claims of fixtures/claims as well, which takes minutes.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$here/../..

skip() {
  echo "SKIPPED: $1"
  [ "${CI_REQUIRE_SMALL_MODEL:-0}" = 1 ] && exit 1
  exit 0
}

fail() {
  echo "FAILED: $1"
  exit 1
}

command -v node >/dev/null || skip "node is not installed"
[ -f "${RECEIPT_SHIM:-}" ] || skip "RECEIPT_SHIM names no server"
[ -f "${RECEIPT_GGUF:-}" ] || skip "RECEIPT_GGUF names no model"
if [ -z "${RECEIPT_BIN:-}" ]; then
  (cd "$root" && cargo build --locked --quiet) || exit 1
  RECEIPT_BIN=$root/target/debug/receipt
fi

work=$(mktemp -d)
port=$((20000 + $$ % 20000))
node "$RECEIPT_SHIM" "$RECEIPT_GGUF" "$port" small:1 >"$work/server.log" 2>&1 &
server=$!
export RECEIPT_HOME="$work/home"
end() {
  "$RECEIPT_BIN" service stop >/dev/null 2>&1
  kill "$server" 2>/dev/null
  rm -rf "$work"
}
trap end EXIT
tries=0
until grep -q listening "$work/server.log"; do
  tries=$((tries + 1))
  [ "$tries" -gt 100 ] && fail "the server does not start: $(cat "$work/server.log")"
  sleep 0.2
done

"$RECEIPT_BIN" init --no-hooks >/dev/null || fail "init"
cat >"$RECEIPT_HOME/receipt.toml" <<TABLE
[judge]
mode = "advise"
url = "http://127.0.0.1:$port/api/generate"
model = "small:1"
timeout_s = 35
TABLE

# A model of this size is no judge: what is checked is that it is asked and heard.
"$RECEIPT_BIN" judge doctor
"$RECEIPT_BIN" judge doctor --format json | grep -q '"name":"model","sound":true' ||
  fail "the model is not there"

mkdir "$work/project" && cd "$work/project" && git init -q . || exit 1
hook() { printf '%s' "$1" | "$RECEIPT_BIN" hook claude-code; }
common='"session_id":"s","cwd":"'$PWD'"'
hook "{$common,\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"Fix it\"}"
call='"tool_name":"Write","tool_use_id":"w","tool_input":{"file_path":"'$PWD'/a.py","content":"x = 1"}'
hook "{$common,\"hook_event_name\":\"PreToolUse\",$call}"
echo 'x = 1' >a.py
hook "{$common,\"hook_event_name\":\"PostToolUse\",$call,\"tool_response\":{\"type\":\"create\",\"filePath\":\"$PWD/a.py\",\"content\":\"x = 1\",\"originalFile\":null,\"structuredPatch\":[]}}"
hook "{$common,\"hook_event_name\":\"Stop\",\"stop_hook_active\":false,\"last_assistant_message\":\"Fixed and verified, done.\"}"
echo
judgement=$("$RECEIPT_BIN" log --kind judgement --format json) || fail "log"
echo "$judgement"
echo "$judgement" | grep -Eq '"verdict":"(pass|fail)"' || fail "no judgement"
"$RECEIPT_BIN" audit || fail "audit"
if [ "${1:-}" = eval ]; then
  "$RECEIPT_BIN" judge eval "$root/fixtures/claims" || fail "eval"
fi
echo "passed"
