//! Everything else.

use crate::check::runner::Positional::{Ignored, Paths, Targets};
use crate::check::runner::{Runner, runner};
use crate::check::summary::Family;
use crate::check::types::Kind::{Build, Format, Lint, Test};

const EX: &[&str] = &["elixir", "erlang"];
const DART: &[&str] = &["dart"];
const SH: &[&str] = &["shell"];

pub(super) const RUNNERS: &[Runner] = &[
    runner("mix-test", &["mix"], &["test", "coveralls"], Test)
        .languages(EX)
        .prints(&[Family::Mix])
        .selects(&["--only", "--exclude", "--include", "--failed", "--stale"]),
    runner("mix-compile", &["mix"], &["compile"], Build)
        .languages(EX)
        .prints(&[Family::Mix])
        .takes(Ignored),
    runner("mix-lint", &["mix"], &["credo", "dialyzer"], Lint)
        .languages(EX)
        .takes(Ignored),
    runner("mix-format", &["mix"], &["format"], Format)
        .languages(EX)
        .needs(&["--check-formatted"]),
    runner("rebar3", &["rebar3"], &["eunit", "ct", "proper"], Test)
        .languages(EX)
        .takes(Ignored),
    runner(
        "rebar3-compile",
        &["rebar3"],
        &["compile", "dialyzer"],
        Build,
    )
    .languages(EX)
    .takes(Ignored),
    runner("gleam", &["gleam"], &["test"], Test)
        .languages(&[])
        .takes(Ignored),
    runner("dart-test", &["dart", "flutter"], &["test"], Test)
        .languages(DART)
        .prints(&[Family::Dart])
        .selects(&["-n", "--name", "--plain-name", "-t", "--tags"])
        .valued(&["-r", "--reporter", "-j"]),
    runner("dart-analyze", &["dart", "flutter"], &["analyze"], Lint)
        .languages(DART)
        .prints(&[Family::Dart]),
    runner(
        "flutter-build",
        &["dart", "flutter"],
        &["build", "compile"],
        Build,
    )
    .languages(DART)
    .takes(Ignored),
    runner("dune-test", &["dune"], &["test", "runtest"], Test)
        .languages(&["ocaml"])
        .takes(Ignored),
    runner("dune-build", &["dune"], &["build"], Build)
        .languages(&["ocaml"])
        .takes(Ignored),
    runner("cabal-test", &["cabal", "stack"], &["test"], Test)
        .languages(&["haskell"])
        .takes(Ignored),
    runner("cabal-build", &["cabal", "stack"], &["build"], Build)
        .languages(&["haskell"])
        .takes(Ignored),
    runner("busted", &["busted", "luacheck"], &[], Test).languages(&["lua"]),
    runner("prove", &["prove"], &[], Test).languages(&["perl"]),
    runner("nimble", &["nimble"], &["test", "build"], Test)
        .languages(&["nim"])
        .takes(Ignored),
    runner("bats", &["bats", "shellspec", "shunit2"], &[], Test)
        .languages(SH)
        .prints(&[Family::Tap, Family::Script])
        .selects(&["-f", "--filter"]),
    runner("shellcheck", &["shellcheck"], &[], Lint)
        .languages(SH)
        .prints(&[Family::Shellcheck])
        .valued(&[
            "-s",
            "-e",
            "-f",
            "-S",
            "--shell",
            "--exclude",
            "--severity",
            "--format",
        ]),
    runner("shfmt", &["shfmt"], &[], Format)
        .languages(SH)
        .needs(&["-d", "-l", "--diff", "--list"]),
    runner("bash-n", &["bash", "sh", "zsh", "dash", "ksh"], &[], Build)
        .languages(SH)
        .needs(&["-n"])
        .silent(),
    runner(
        "actionlint",
        &[
            "actionlint",
            "yamllint",
            "hadolint",
            "markdownlint",
            "markdownlint-cli2",
            "vale",
            "sqlfluff",
            "ansible-lint",
            "cfn-lint",
            "tflint",
            "checkov",
            "ajv",
            "codespell",
            "typos",
            "semgrep",
            "spectral",
            "redocly",
            "selene",
            "slither",
            "vint",
            "protolint",
            "kubeconform",
            "kubeval",
        ],
        &[],
        Lint,
    )
    .languages(&["config"])
    .takes(Paths),
    runner(
        "terraform",
        &["terraform", "tofu", "terragrunt"],
        &["validate"],
        Build,
    )
    .languages(&["terraform"])
    .prints(&[Family::Terraform])
    .refuses(&["-help"])
    .takes(Ignored),
    runner("terraform-fmt", &["terraform", "tofu"], &["fmt"], Format)
        .languages(&["terraform"])
        .needs(&["-check"])
        .takes(Ignored),
    runner("helm", &["helm"], &["lint", "unittest"], Lint).languages(&["config"]),
    runner("pre-commit", &["pre-commit", "prek"], &["run"], Lint)
        .prints(&[Family::PreCommit])
        .valued(&["--hook-stage", "--from-ref", "--to-ref", "-c"])
        .selects(&["--files"])
        .takes(Ignored),
    runner("lefthook", &["lefthook"], &["run"], Lint)
        .prints(&[Family::Hooks])
        .takes(Ignored),
    runner(
        "invoke",
        &["invoke", "inv", "poe", "doit", "duty", "taskipy", "please"],
        &[],
        Build,
    )
    .takes(Targets),
    runner("nix-check", &["nix"], &["flake"], Build)
        .needs(&["check"])
        .takes(Ignored),
    runner("nix-build", &["nix"], &["build"], Build).takes(Ignored),
    runner("earthly", &["earthly", "dagger"], &[], Build).takes(Targets),
    runner("docker-build", &["docker", "podman"], &["build"], Build)
        .languages(&["container"])
        .valued(&[
            "-t",
            "--tag",
            "-f",
            "--file",
            "--build-arg",
            "--target",
            "--platform",
        ])
        .takes(Ignored),
];
