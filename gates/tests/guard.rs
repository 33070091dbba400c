//! What `ledger-guard` takes for a call that touches the ledger, and what not.

use receipt_core::agent;
use receipt_core::event::{Agent, EventKind};
use receipt_gates::guard::{Protected, guarded};
use serde_json::{Value, json};

const HOME: &str = "/home/dev/.local/share/receipt";

const WIRED: &str = "/home/dev/.claude/settings.json";

/// What a call of that tool would do, as `what how`.
fn call(tool: &str, input: Value, cwd: &str) -> String {
    let payload = json!({"hook_event_name": "PreToolUse", "tool_name": tool,
        "tool_input": input, "tool_use_id": "t", "cwd": cwd});
    let event = agent::event(Agent::ClaudeCode, payload.to_string().as_bytes());
    let EventKind::ToolRequested { call } = event.kind else {
        panic!("{event:?}");
    };
    let wired = [(WIRED.to_string(), 17)];
    let protected = Protected {
        home: Some(HOME),
        user: Some("/home/dev"),
        wired: &wired,
    };
    let found = guarded(&call, cwd, &protected);
    found.map_or_else(String::new, |g| format!("{} {}", g.what, g.how))
}

fn shell(command: &str) -> String {
    call("Bash", json!({"command": command}), "/home/dev/project")
}

const TOUCHES: &[(&str, &str)] = &[
    ("rm -rf ~/.local/share/receipt", "ledger write"),
    (
        "rm -rf \"$HOME/.local/share/receipt/ledger\"",
        "ledger write",
    ),
    ("rm -rf ${HOME}/.local/share/rec*", "ledger write"),
    ("rm -rf ~/.local/share/{receipt,other}", "ledger write"),
    ("rm -fr /home/dev/.local", "ledger write"),
    ("sudo rm -r /home/dev", "ledger write"),
    ("cd ~/.local/share/receipt && rm -rf ledger", "ledger write"),
    ("cd ~/.local && cd share && rm -r receipt", "ledger write"),
    ("rm -rf ../.local/share/receipt", "ledger write"),
    ("D=~/.local/share/receipt; rm -rf $D/ledger", "ledger write"),
    (
        "export D=/home/dev/.local/share; rm -rf \"$D/receipt\"",
        "ledger write",
    ),
    ("rm -rf $RECEIPT_HOME", "ledger write"),
    (
        "rm -rf ${XDG_DATA_HOME:-$HOME/.local/share}/receipt",
        "ledger write",
    ),
    ("bash -c 'rm -rf ~/.local/share/receipt'", "ledger write"),
    (
        "echo x > ~/.local/share/receipt/receipt.toml",
        "ledger write",
    ),
    (
        "echo '[gates]' | tee ~/.local/share/receipt/receipt.toml",
        "ledger write",
    ),
    (
        "cat > /home/dev/.local/share/receipt/receipt.toml <<E\nchurn = 900\nE",
        "ledger write",
    ),
    (
        "sed -i 's/15/900/' ~/.local/share/receipt/receipt.toml",
        "ledger write",
    ),
    ("mv ~/.local/share/receipt /tmp/x", "ledger write"),
    ("mv ~/.local/share /tmp/x", "ledger write"),
    (
        "cp /tmp/evil.toml ~/.local/share/receipt/receipt.toml",
        "ledger write",
    ),
    (
        "ln -sf /tmp/x ~/.local/share/receipt/ledger/head",
        "ledger write",
    ),
    ("ln -s ~/.local/share/receipt /tmp/alias", "ledger write"),
    (
        "dd if=/dev/zero of=/home/dev/.local/share/receipt/ledger/db/db",
        "ledger write",
    ),
    (
        "truncate -s 0 ~/.local/share/receipt/ledger/head",
        "ledger write",
    ),
    ("chmod -R 000 ~/.local/share", "ledger write"),
    (
        "chmod 777 ~/.local/share/receipt/keys/verdict.pem",
        "keys write",
    ),
    (
        "find ~/.local/share/receipt -name '*.seg' -delete",
        "ledger write",
    ),
    ("find ~/.local -type f -exec rm {} +", "ledger write"),
    ("cat ~/.local/share/receipt/keys/identity.pem", "keys read"),
    ("cat ~/.local/share/receipt/*/*.pem", "keys read"),
    (
        "base64 < /dev/null; openssl pkey -in ~/.local/share/receipt/keys/verdict.pem",
        "keys write",
    ),
    ("cp -r ~/.local/share/receipt /tmp/copy", "keys read"),
    ("tar czf /tmp/all.tgz ~/.local/share/receipt", "keys read"),
    ("nc -U ~/.local/share/receipt/run/a.sock", "ledger write"),
    (
        "python3 -c \"import shutil; shutil.rmtree('/home/dev/.local/share/receipt')\"",
        "ledger write",
    ),
    (
        "node -e 'fs.rmSync(os.homedir() + \"/.local/share/receipt\")'",
        "ledger write",
    ),
    (
        "python3 - <<'E'\nopen('/home/dev/.local/share/receipt/receipt.toml','w')\nE",
        "ledger write",
    ),
    ("echo '{}' | receipt hook claude-code", "command run"),
    (
        "/usr/local/bin/receipt hook claude-code < /tmp/forged.json",
        "command run",
    ),
    ("receipt uninstall --user", "command run"),
    ("receipt prune --older-than 0s", "command run"),
    ("receipt recover --accept-loss 3", "command run"),
    ("receipt key rotate", "command run"),
    ("receipt key export --openssh --private", "command run"),
    ("pkill -f 'receipt service'", "service run"),
    ("killall receipt", "service run"),
    ("kill $(pgrep receipt)", "service run"),
    ("pgrep -f receipt | xargs kill -9", "service run"),
    ("systemctl stop receipt", "service run"),
    ("rm ~/.claude/settings.json", "wiring write"),
    ("rm -rf ~/.claude", "wiring write"),
    (
        "sed -i '/receipt/d' ~/.claude/settings.json",
        "wiring write",
    ),
    (
        "jq 'del(.hooks)' ~/.claude/settings.json > /tmp/s && mv /tmp/s ~/.claude/settings.json",
        "wiring write",
    ),
    ("echo '{}' > ~/.claude/settings.json", "wiring write"),
    ("cp backup.json ~/.claude/settings.json", "wiring write"),
    (
        "{ echo a; echo b; } > ~/.local/share/receipt/receipt.toml",
        "ledger write",
    ),
    (
        "(cd /tmp; date) >> ~/.local/share/receipt/ledger/head",
        "ledger write",
    ),
    (
        "if true; then echo; fi > ~/.local/share/receipt/x",
        "ledger write",
    ),
    (
        "echo ~/.local/share/receipt/ledger | xargs rm -rf",
        "ledger write",
    ),
    (
        "find ~/.local/share/receipt -type f | xargs rm",
        "ledger write",
    ),
    (
        "base64 < ~/.local/share/receipt/keys/record.pem",
        "keys read",
    ),
    ("echo x | sudo tee /etc/receipt/system", "ledger write"),
    (
        "RECEIPT_HOME=~/.local/share/receipt receipt key rotate",
        "command run",
    ),
    (
        "receipt prune --home /home/dev/.local/share/receipt",
        "command run",
    ),
    ("pkill receipt", "service run"),
];

const INNOCENT: &[&str] = &[
    "ls -la ~/.local/share/receipt",
    "cat ~/.local/share/receipt/receipt.toml",
    "tail -20 ~/.local/share/receipt/service.log",
    "du -sh ~/.local/share/receipt/ledger",
    "receipt log --failed",
    "receipt log | tail -5",
    "receipt show 12",
    "receipt audit",
    "receipt doctor",
    "receipt export -o /tmp/turn.json",
    "receipt export > turn.json",
    "receipt verify turn.json --trust allowed_signers",
    "receipt explain --turn 3",
    "receipt prune --dry-run --older-than 90d",
    "receipt recover",
    "receipt hook --help",
    "receipt key show",
    "receipt key export --openssh",
    "receipt service status",
    "receipt service stop",
    "receipt init",
    "cargo run -p receipt-cli -- demo",
    "cargo test -p receipt-ledger",
    "rm -rf target",
    "rm -rf ./receipt",
    "rm -rf /home/dev/project/.local/share/receipt-test",
    "rm -rf ~/.cache/pip",
    "rm -rf ~/.local/share/receipts",
    "rm -rf ~/.local/share/Trash/*",
    "rm -rf $BUILD_DIR/receipt",
    "rm -rf \"$TMP\"",
    "rm -f *.log",
    "mv receipt.toml receipt.toml.bak",
    "echo 'churn = 9' > receipt.toml",
    "sed -i 's/a/b/' src/receipt.rs",
    "git commit -m 'rm -rf ~/.local/share/receipt'",
    "git add . && git commit -m 'Guard ~/.local/share/receipt/keys'",
    "echo 'never rm -rf ~/.local/share/receipt'",
    "grep -rn '.local/share/receipt' .",
    "cat > notes.md <<'E'\nrm -rf ~/.local/share/receipt\nE",
    "chmod -R u+w ~/project",
    "find . -name '*.pyc' -delete",
    "find ~/.local/share -maxdepth 1",
    "python3 -c 'print(1)'",
    "python3 build.py --out ~/.local/bin/tool",
    "jq . ~/.claude/settings.json",
    "cat ~/.claude/settings.json",
    "cp ~/.claude/settings.json /tmp/backup.json",
    "grep receipt ~/.claude/settings.json",
    "pkill -f vite",
    "kill 1234",
    "pgrep receipt",
    "systemctl status receipt",
    "docker run -v ~/.local/share:/data image ls",
    "cd ~/.local/share && ls",
    "cd /tmp && rm -rf receipt",
    "tar czf /tmp/p.tgz ~/project",
    "RECEIPT_HOME=/tmp/x receipt prune --older-than 0d",
    "export RECEIPT_HOME=/tmp/demo\nreceipt init\nreceipt key rotate",
    "receipt prune --home /tmp/x",
    "RECEIPT_HOME=$(mktemp -d) ./target/debug/receipt hook claude-code < fixtures/hooks/stop.json",
    "python3 -c 's=open(\"README.md\").read(); open(\"README.md\",\"w\").write(s.replace(\"~/.local/share/receipt\",\"~/.receipt\"))'",
    "python3 - <<'E'\nimport json\nprint(json.load(open(\"/home/dev/.local/share/receipt/x.json\")))\nE",
    "ls -la ~/.local/share/receipt/keys",
    "find ~ -name '__pycache__' -delete",
    "find ~/.local -name '*.pyc' -exec rm {} +",
    "mv ~/Downloads/a ~/.local/share/",
    "pkill -f receipt-server",
    "docker compose up -d receipt",
    "cat /etc/receipt/system",
    "cp -r assets ~/.local/share/app",
    "git clean -fdx",
    "rm -f ~/*.log",
    "{ echo a; } > out.txt",
];

#[test]
fn calls_that_touch_the_ledger_are_told() {
    let found = TOUCHES
        .iter()
        .map(|(command, _)| (*command, shell(command)));
    let wanted = TOUCHES.iter().map(|(c, w)| (*c, (*w).to_string()));
    let wrong: Vec<_> = found.zip(wanted).filter(|(a, b)| a != b).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn calls_that_do_not_are_left_alone() {
    let told = INNOCENT.iter().map(|command| (*command, shell(command)));
    let wrong: Vec<_> = told.filter(|(_, found)| !found.is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn files_are_guarded_by_every_tool_that_names_one() {
    let file = |tool: &str, path: &str| {
        let input = json!({"file_path": path, "content": "x", "old_string": "a", "new_string": "b",
            "notebook_path": path});
        call(tool, input, "/home/dev/project")
    };
    let toml = "/home/dev/.local/share/receipt/receipt.toml";
    for tool in ["Write", "Edit", "MultiEdit", "NotebookEdit"] {
        assert_eq!(file(tool, toml), "ledger write", "{tool}");
        assert_eq!(
            file(tool, "~/.local/share/receipt/keys/a"),
            "keys write",
            "{tool}"
        );
        assert_eq!(
            file(tool, "../.local/share/receipt/x"),
            "ledger write",
            "{tool}"
        );
        assert_eq!(file(tool, "/home/dev/project/receipt.toml"), "", "{tool}");
        assert_eq!(file(tool, "fixtures/receipt/keys/a.pem"), "", "{tool}");
    }
    assert_eq!(file("Read", toml), "");
    assert_eq!(
        file("Read", "/home/dev/.local/share/receipt/keys/verdict.pem"),
        "keys read"
    );
    let server = |input: Value| call("mcp__files__write_file", input, "/home/dev/project");
    assert_eq!(
        server(json!({"path": toml, "content": "x"})),
        "ledger write"
    );
    assert_eq!(
        server(json!({"edits": [{"uri": format!("file://{toml}")}]})),
        "ledger write"
    );
    assert_eq!(
        server(json!({"path": "/home/dev/project/a", "content": toml})),
        "ledger write"
    );
    assert_eq!(
        server(json!({"path": "/home/dev/project/a", "content": "see receipt"})),
        ""
    );
}

#[test]
fn settings_may_change_but_for_our_hooks() {
    let edit = |path: &str, old: &str, new: &str| {
        let input = json!({"file_path": path, "old_string": old, "new_string": new});
        call("Edit", input, "/home/dev/project")
    };
    let write = |path: &str, text: &str| {
        call(
            "Write",
            json!({"file_path": path, "content": text}),
            "/home/dev/project",
        )
    };
    let line = "{\"command\": \"/usr/bin/receipt\", \"args\": [\"hook\", \"claude-code\"]}";
    assert_eq!(edit(WIRED, "\"model\": \"a\"", "\"model\": \"b\""), "");
    assert_eq!(edit(WIRED, line, line), "");
    assert_eq!(edit(WIRED, line, ""), "wiring write");
    assert_eq!(
        edit(WIRED, "/usr/bin/receipt", "/usr/bin/true"),
        "wiring write"
    );
    assert_eq!(
        edit(WIRED, "{", "{\"disableAllHooks\": true,"),
        "wiring write"
    );
    assert_eq!(
        edit(WIRED, "{", "{\"env\": {\"RECEIPT_HOME\": \"/tmp\"},"),
        "wiring write"
    );
    let project = "/home/dev/project/.claude/settings.local.json";
    assert_eq!(edit(project, "a", "b"), "");
    assert_eq!(edit(project, line, ""), "");
    assert_eq!(write(project, "{\"permissions\": {}}"), "");
    assert_eq!(
        write(project, "{\"disableAllHooks\": true}"),
        "wiring write"
    );
    assert_eq!(write(WIRED, "{}"), "wiring write");
    assert_eq!(write(WIRED, &format!("[{}]", [line; 17].join(","))), "");
    assert_eq!(
        write(WIRED, &format!("[{}]", [line; 16].join(","))),
        "wiring write"
    );
}

#[test]
fn without_a_home_nothing_is_guarded_but_commands() {
    let payload = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": "rm -rf ~ /"}, "tool_use_id": "t"});
    let event = agent::event(Agent::ClaudeCode, payload.to_string().as_bytes());
    let EventKind::ToolRequested { call } = event.kind else {
        panic!("{event:?}");
    };
    assert_eq!(guarded(&call, "/", &Protected::default()), None);
}
