//! Secrets go, everything else stays.

use proptest::prelude::*;
use receipt_core::redact::{Redacted, Rule, policy, redact};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::time::Instant;

fn text(redacted: &Redacted<'_>) -> String {
    String::from_utf8(redacted.bytes.to_vec()).unwrap()
}

/// `body` filled up to `len` with letters and digits that no test text holds.
fn filled(prefix: &str, len: usize) -> String {
    let body: String = "q7Zk2Xw9Lm4Tn8Rb5Vc3Hd6Jf1Gs0Py"
        .chars()
        .cycle()
        .take(len)
        .collect();
    format!("{prefix}{body}")
}

fn hex(prefix: &str, len: usize) -> String {
    let body: String = "4f9a0c7be1d82365".chars().cycle().take(len).collect();
    format!("{prefix}{body}")
}

fn pem() -> String {
    let line = filled("", 64);
    format!(
        "-----BEGIN RSA PRIVATE KEY-----\n{line}\n{line}\nq7Zk2Xw9==\n-----END RSA PRIVATE KEY-----"
    )
}

/// A text with a secret, the secret, and the rule that must find it.
fn secrets() -> Vec<(String, String, Rule)> {
    let shapes = [
        ("AKIAQ7ZK2XW9LM4TN8RB".to_owned(), Rule::AwsKeyId),
        ("ASIAQ7ZK2XW9LM4TN8RB".to_owned(), Rule::AwsKeyId),
        (filled("ghp_", 36), Rule::GitHub),
        (filled("gho_", 36), Rule::GitHub),
        (filled("ghs_", 36), Rule::GitHub),
        (filled("github_pat_11AAAAAAA0_", 59), Rule::GitHub),
        (filled("glpat-", 20), Rule::GitLab),
        (filled("xoxb-123456789012-", 24), Rule::Slack),
        (filled("sk_live_", 24), Rule::Stripe),
        (filled("rk_live_", 24), Rule::Stripe),
        (filled("sk-ant-api03-", 90), Rule::Anthropic),
        (filled("sk-proj-", 60), Rule::OpenAi),
        (filled("sk-", 48), Rule::OpenAi),
        (filled("AIza", 35), Rule::Google),
        (filled("npm_", 36), Rule::Npm),
        (filled("pypi-AgEIcHlwaS5vcmc", 60), Rule::PyPi),
        (filled("hf_", 34), Rule::HuggingFace),
        (
            format!("{}.{}", filled("SG.", 22), filled("", 43)),
            Rule::SendGrid,
        ),
        (hex("SK", 32), Rule::Twilio),
        (
            format!(
                "{}.{}.{}",
                filled("eyJhbGciOi", 20),
                filled("eyJzdWIiOi", 30),
                filled("", 43)
            ),
            Rule::Jwt,
        ),
        (hex("dop_v1_", 64), Rule::DigitalOcean),
        (
            format!("AGE-SECRET-KEY-1{}", filled("", 58).to_uppercase()),
            Rule::AgeKey,
        ),
        (pem(), Rule::PrivateKey),
    ];
    let mut all: Vec<_> = shapes
        .into_iter()
        .map(|(s, rule)| (s.clone(), s, rule))
        .collect();
    let inside = |before: &str, secret: String, after: &str, rule| {
        (format!("{before}{secret}{after}"), secret, rule)
    };
    let long = || filled("", 40);
    let pass = || "hunter2-Q7z".to_owned();
    all.extend([
        inside(
            "https://hooks.slack.com/services/",
            "T0Q7ZK2XW/B9LM4TN8R/q7Zk2Xw9Lm4Tn8Rb5Vc3Hd6J".into(),
            "",
            Rule::SlackWebhook,
        ),
        inside(
            "psql postgres://app:",
            pass(),
            "@db.internal:5432/app",
            Rule::UrlPassword,
        ),
        inside(
            "curl -H 'Authorization: Bearer ",
            long(),
            "' https://x",
            Rule::Authorization,
        ),
        inside(
            "curl -H \"authorization: Basic ",
            "dXNlcjpodW50ZXIy".into(),
            "\" https://x",
            Rule::Authorization,
        ),
        inside(
            "Proxy-Authorization: Basic ",
            "dXNlcjpodW50ZXIy".into(),
            "\r\nHost: x",
            Rule::Authorization,
        ),
        inside(
            "{\"Authorization\": \"token ",
            long(),
            "\"}",
            Rule::Authorization,
        ),
        inside(
            "{\"headers\":{\"Authorization\":\"",
            long(),
            "\"}}",
            Rule::Authorization,
        ),
        inside("curl -H 'x-api-key: ", long(), "'", Rule::Authorization),
        inside(
            "aws_secret_access_key = ",
            long(),
            "\nregion = eu",
            Rule::AwsSecretKey,
        ),
        inside(
            "export AWS_SECRET_ACCESS_KEY=\"",
            long(),
            "\"",
            Rule::AwsSecretKey,
        ),
        inside("A=1\nDB_PASSWORD=", pass(), "\nB=2", Rule::Assignment),
        inside("SECRET_KEY='", pass(), "'", Rule::Assignment),
        inside("docker run -e API_KEY=", pass(), " image", Rule::Assignment),
        inside("deploy --token=", pass(), " --dry-run", Rule::Assignment),
        inside("{\"clientSecret\": \"", pass(), "\"}", Rule::Assignment),
        inside(
            "{\"password\":\"",
            pass(),
            "\",\"user\":\"a\"}",
            Rule::Assignment,
        ),
        inside("api_key = \"", long(), "\"", Rule::Assignment),
        inside("apiKey: '", long(), "',", Rule::Assignment),
        inside("credentials: ", long(), "\n", Rule::Assignment),
    ]);
    all
}

#[test]
fn every_rule_finds_its_secret_and_says_so() {
    for (input, secret, rule) in secrets() {
        let redacted = redact(input.as_bytes());
        let out = text(&redacted);
        assert!(!out.contains(&secret), "{input}\n{out}");
        assert!(
            out.contains(&format!("[redacted:{}]", rule.name())),
            "{input}\n{out}"
        );
        assert_eq!(redacted.counts, [(rule, 1)], "{input}\n{out}");
    }
    let found: Vec<Rule> = secrets().into_iter().map(|(_, _, rule)| rule).collect();
    for rule in Rule::ALL {
        assert!(found.contains(rule), "{rule:?} is not tried");
        assert!(
            policy().contains(&format!("\n{} ", rule.name())),
            "{rule:?} is not in the policy"
        );
    }
}

#[test]
fn the_rest_of_the_text_stays() {
    let out = |input: &str| text(&redact(input.as_bytes()));
    assert_eq!(
        out("curl -H 'Authorization: Bearer q7Zk2Xw9Lm4T' https://x/y | jq ."),
        "curl -H 'Authorization: Bearer [redacted:authorization]' https://x/y | jq ."
    );
    assert_eq!(
        out("git clone https://me:s3cr3t@github.com/a/b.git && make"),
        "git clone https://me:[redacted:url-password]@github.com/a/b.git && make"
    );
    assert_eq!(
        out(r#"{"a":"X=1\nAPI_TOKEN=abc123\nY=2"}"#),
        r#"{"a":"X=1\nAPI_TOKEN=[redacted:assignment]\nY=2"}"#
    );
}

/// What looks like a secret only to the careless.
const ORDINARY: &[&str] = &[
    "token = parse_token(x)",
    "let token = lexer.next_token2().unwrap();",
    "def login(user: str, password: str, token2: Optional[str] = None):",
    "TOKEN_LIMIT = 5",
    "TOKEN_LIMIT=5",
    "MAX_TOKENS=128000",
    r#""max_tokens": 128000, "input_tokens":1234, "total_tokens": 99"#,
    r#"{"tool_use_id":"toolu_01GLf2VY6xKGypDbMstB9Tas","session_id":"c28cfa2a-bf10-45ad-925f-5113f3f7a8e8"}"#,
    r#"{"api_key_source":"none","apiKeySource":"ANTHROPIC_API_KEY","token_type":"bearer"}"#,
    "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
    r#""integrity": "sha512-q7Zk2Xw9Lm4Tn8Rb5Vc3Hd6Jf1Gs0Pyq7Zk2Xw9Lm4Tn8Rb5Vc3Hd6Jf1Gs0Py==","#,
    "checksum = \"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"",
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "password = os.environ[\"DB_PASSWORD\"]",
    "password = getpass.getpass()",
    "API_KEY=$API_KEY ./run",
    "API_KEY=\"${API_KEY}\" ./run",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer ${TOKEN}",
    "headers = {\"Authorization\": f\"Bearer {token}\"}",
    "headers: { Authorization: `Bearer ${token}` }",
    "authorization: req.headers.authorization,",
    "interface A { authorization: string; accessToken: string }",
    "if token == expected_token_1234567890abc { return }",
    "if (token != undefined && token2 >= 5) {}",
    "const tokenizer = new Tokenizer2(sourceText1234567);",
    "if line.startswith(\"-----BEGIN PRIVATE KEY-----\"):\n    raise ValueError(\"private keys are not allowed here\")",
    "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ7ZkXw9Lm4Tn8Rb5Vc3Hd6Jf1Gs0PyAKBggqhkjOPQQD\n-----END CERTIFICATE-----",
    "http://localhost:8080/a@b",
    "git@github.com:owner/repo.git",
    "postgres://user:${DB_PASSWORD}@host/db",
    "see https://example.com/a:b@c for more",
    "class=\"sk-circle sk-circle-fade-dot sk-child\"",
    "npm_config_user_agent=npm/10.2.3",
    "hf_hub_download(repo_id, filename)",
    "SKIP_TESTS=1 SKELETON=aabbccddeeff00112233445566778899",
    "xoxb-token-goes-here",
    "secret = \"/run/secrets/db_1_password_2\"",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    "password=password",
    "assert token.kind == TokenKind::Ident",
    "DialogToken: DOT11_DIALOG_TOKEN_2,",
    "self.tokens[i].token = Token::new(1, 22);",
];

#[test]
fn ordinary_text_is_not_touched() {
    for input in ORDINARY {
        for input in [(*input).to_owned(), json!({"content": input}).to_string()] {
            let redacted = redact(input.as_bytes());
            assert_eq!(text(&redacted), input);
            assert!(matches!(redacted.bytes, Cow::Borrowed(_)));
            assert!(redacted.counts.is_empty());
        }
    }
}

#[test]
fn a_key_that_is_cut_off_goes_too() {
    let line = filled("", 64);
    let key = format!("-----BEGIN PRIVATE KEY-----\n{line}\n{line}\nq7Zk2X");
    for cut in [
        key.clone(),
        format!("$ cat key\n{key}"),
        key.replace('\n', "\r\n"),
    ] {
        for input in [cut.clone(), json!({"stdout": cut, "b": 1}).to_string()] {
            let redacted = redact(input.as_bytes());
            assert_eq!(redacted.counts, [(Rule::PrivateKey, 1)]);
            let out = text(&redacted);
            assert!(!out.contains("q7Zk2X"), "{out}");
        }
    }
}

#[test]
fn keys_in_code_diffs_and_listings_go() {
    let key = pem();
    let in_code = format!("const KEY = \"{}\\n\";", key.replace('\n', "\\n\" +\n  \""));
    let in_diff = key.replace('\n', "\n+");
    let listed: String = key
        .lines()
        .enumerate()
        .map(|(at, line)| format!("{}\t{line}\n", at + 1))
        .collect();
    for input in [in_code, in_diff, listed] {
        let input = json!({"a": input}).to_string();
        let out = text(&redact(input.as_bytes()));
        assert!(!out.contains("q7Zk2X"), "{out}");
    }
}

#[test]
fn secrets_in_json_within_json_go() {
    for (input, secret, _) in secrets() {
        let mut nested = format!("first\n{input}\nlast");
        let needle = secret.lines().nth(1).unwrap_or(&secret).to_owned();
        for _ in 0..3 {
            nested = json!({"a": nested}).to_string();
            let out = text(&redact(nested.as_bytes()));
            assert!(!out.contains(&needle), "{nested}\n{out}");
            serde_json::from_str::<Value>(&out).unwrap();
        }
    }
}

#[test]
fn hostile_inputs_are_read_in_linear_time() {
    let size = 1_000_000;
    let key = filled("", 40);
    let hostile = [
        "-----BEGIN PRIVATE KEY-----".to_owned(),
        format!("-----BEGIN PRIVATE KEY-----\\n{key}\\n"),
        "token=".to_owned(),
        "A_TOKEN='".to_owned(),
        "password: ".to_owned(),
        "\"token\":\"".to_owned(),
        "a://b:".to_owned(),
        "://".to_owned(),
        "\\".to_owned(),
        "\\\"".to_owned(),
        "eyJ".to_owned(),
        "eyJaaaaaaaaaaaa.".to_owned(),
        "sk-ant-".to_owned(),
        "a".to_owned(),
        "xoxb-".to_owned(),
        "authorization:".to_owned(),
        "AKIA".to_owned(),
        "hooks.slack.com/services/".to_owned(),
        "A_TOKEN=(".to_owned(),
        "A_TOKEN=$".to_owned(),
        "token: \\\"".to_owned(),
        "authorization=".to_owned(),
        "authorization: bearer ".to_owned(),
        "eyJ-".to_owned(),
        "{\"a\":\"b\"},".to_owned(),
    ];
    for part in hostile {
        let input = part.repeat(size / part.len());
        let start = Instant::now();
        let _ = redact(input.as_bytes());
        assert!(
            start.elapsed().as_secs() < 8,
            "{part}: {:?}",
            start.elapsed()
        );
    }
}

/// Text around a secret: anything but what would glue letters to it.
fn around() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-z \"'\\\\{}\\[\\]:=\n\t,]{0,30}",
        Just("$ cat \"C:\\new\\table\"\n".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_planted_secret_survives(at in 0..secrets().len(), before in around(), after in around(), depth in 1..4_u8) {
        let (input, secret, _) = secrets().swap_remove(at);
        let needle = secret.lines().nth(1).unwrap_or(&secret).to_owned();
        let mut payload = format!("{before}\n{input}\n{after}");
        for _ in 0..depth {
            payload = json!({"tool_input": {"command": payload}, "n": [1, true]}).to_string();
        }
        let out = text(&redact(payload.as_bytes()));
        prop_assert!(!out.contains(&needle), "{}\n{}", payload, out);
        prop_assert!(serde_json::from_str::<Value>(&out).is_ok(), "{}\n{}", payload, out);
        prop_assert_eq!(text(&redact(out.as_bytes())), out);
    }

    #[test]
    fn json_stays_json(parts in proptest::collection::vec((any::<String>(), 0..60_usize), 1..6)) {
        let all = secrets();
        let members: Vec<Value> = parts
            .into_iter()
            .map(|(text, at)| match all.get(at) {
                Some((input, _, _)) => json!({(text.clone()): format!("{input}{text}"), "password": text}),
                None => json!({"token": text, "text": [text]}),
            })
            .collect();
        let payload = Value::from(members).to_string();
        let redacted = redact(payload.as_bytes());
        let out = text(&redacted);
        prop_assert!(serde_json::from_str::<Value>(&out).is_ok(), "{}\n{}", payload, out);
        prop_assert_eq!(&redact(out.as_bytes()).bytes[..], out.as_bytes());
    }

    #[test]
    fn any_bytes_are_read_twice_alike(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let once = redact(&bytes).bytes.into_owned();
        prop_assert_eq!(&redact(&once).bytes[..], &once[..]);
    }
}
