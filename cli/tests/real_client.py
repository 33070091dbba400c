#!/usr/bin/env python3
"""Looks into what a session of the real client left; part of real-client.sh.

    real_client.py refused  OUT RECEIPT WORD   the Stop was refused: facts, record numbers
    real_client.py quiet    OUT RECEIPT        the agent was left alone, and saw nothing
    real_client.py session  OUT                print the session's id
    real_client.py recorded OUTS RECEIPT       every payload of all sessions is one record
"""
import json
import pathlib
import re
import subprocess
import sys

# What a tool's result, a snapshot or a prompt can be named by in a refusal.
NAMED = {"tool-succeeded", "tool-failed", "tool-denied", "snapshot"}


def lines(path):
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [json.loads(line) for line in text.split("\n") if line.startswith("{")]


def responses(out):
    """Every hook's answer as the client saw it, in order."""
    streams = [entry for path in sorted(out.glob("stream-*.jsonl")) for entry in lines(path)]
    return [e for e in streams if e.get("subtype") == "hook_response"]


def records(receipt):
    done = subprocess.run([receipt, "log", "--format", "json"], capture_output=True, text=True, check=True)
    return {r["seq"]: r for r in map(json.loads, filter(None, done.stdout.split("\n")))}


def common(out):
    """What holds for every session."""
    seen = responses(out)
    outcome = json.loads((out / "outcome.json").read_text()) if (out / "outcome.json").exists() else {}
    if not outcome:
        yield "the session left no outcome"
    if any(run["timed_out"] or run.get("exit") for run in outcome.get("runs", [])):
        yield f"the client did not end well: {outcome['runs']}"
    if not any(r["hook_event"] == "Stop" for r in seen):
        yield "the client reported no Stop hook"
    for r in seen:
        if r.get("exit_code") != 0 or r.get("stderr") or r.get("outcome") != "success":
            yield f"a hook failed: {r}"
        if r["hook_event"] != "Stop" and r.get("stdout"):
            yield f"{r['hook_event']} printed: {r['stdout']}"


def quiet(out, _receipt, _word):
    yield from common(out)
    for r in responses(out):
        if r.get("stdout"):
            yield f"{r['hook_event']} printed: {r['stdout']}"
    for what in json.loads((out / "outcome.json").read_text()).get("unexpected", []):
        yield f"the session went differently: {what}"


def refused(out, receipt, word):
    yield from common(out)
    stops = [json.loads(r["stdout"]) for r in responses(out) if r["hook_event"] == "Stop" and r.get("stdout")]
    if not stops or stops[0].get("decision") != "block":
        yield f"the first Stop was not refused: {stops}"
        return
    reason = stops[0]["reason"]
    if word not in reason:
        yield f"`{word}` is not in the reason: {reason}"
    log = records(receipt)
    numbers = [int(n) for n in re.findall(r"#(\d+)", reason)]
    if not numbers:
        yield f"the reason names no record: {reason}"
    for number in numbers:
        if log.get(number, {}).get("kind") not in NAMED:
            yield f"#{number} is no record of what the agent did: {log.get(number)}"
    told = json.dumps([r.get("tail") for r in lines(out / "requests.jsonl")], ensure_ascii=False)
    if json.dumps(reason, ensure_ascii=False)[1:-1] not in told and reason not in told:
        if reason.splitlines()[1] not in told.replace("\\n", "\n"):
            yield f"the model was not told: {reason}"
    if any(s.get("decision") == "block" for s in stops[-1:]) and len(stops) > 2:
        yield f"the agent was never allowed to stop: {stops}"


def recorded(outs, receipt, _word):
    payloads = sum(len(list(out.glob("payloads/*.json"))) for out in outs.iterdir() if out.is_dir())
    log = records(receipt)
    events = sum(r["client_us"] > 0 for r in log.values())
    if payloads == 0 or events != payloads:
        yield f"{payloads} payloads, {events} event records"
    if sorted(log) != list(range(len(log))):
        yield "the log has a hole"
    for kind in ("gap", "duplicate", "stop-unanswered"):
        found = [r["seq"] for r in log.values() if r["kind"] == kind and not service_killed(r)]
        if found:
            yield f"{kind} at {found}"


def service_killed(record):
    """The harness ends the service with the session's processes: that is told, and right."""
    gap = record["body"].get("facts", {}).get("gap", {})
    return record["kind"] == "gap" and isinstance(gap, dict) and gap.get("reason") == "service"


def session(out, *_):
    for entry in lines(out / "stream-1.jsonl"):
        if entry.get("session_id"):
            print(entry["session_id"])
            return
    yield "no session id in the stream"


def main():
    what, out, *rest = sys.argv[1:] + ["", ""]
    checks = {"refused": refused, "quiet": quiet, "recorded": recorded, "session": session}
    faults = list(checks[what](pathlib.Path(out), *(rest[:2])))
    for fault in faults:
        print("  " + fault, file=sys.stderr)
    return 1 if faults else 0


sys.exit(main())
