//! Programs that run another program: `env`, `timeout 60`, `uv run`, `docker compose exec app`.

use super::segment::Word;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// One wrapper and how to find the program behind it.
struct Wrapper {
    program: &'static str,
    /// Words that must follow the program (after its own options), one of each inner list.
    sub: &'static [&'static [&'static str]],
    /// Options that take the next word as their value.
    valued: &'static [&'static str],
    /// Words between the options and the program.
    positional: usize,
    /// What it does beyond running the program.
    effect: Effect,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    None,
    /// Its own exit status is not the program's.
    LosesExit,
    /// It runs the program again and again.
    Watches,
    /// `NAME=value` words may stand before the program.
    Assigns,
    /// The program follows `--` if there is one.
    Dashes,
    /// It runs tools of an ecosystem by name; a word that is no tool is one of its scripts.
    Tools,
}

const fn plain(program: &'static str, valued: &'static [&'static str]) -> Wrapper {
    Wrapper {
        program,
        sub: &[],
        valued,
        positional: 0,
        effect: Effect::None,
    }
}

const fn sub(
    program: &'static str,
    sub: &'static [&'static [&'static str]],
    valued: &'static [&'static str],
) -> Wrapper {
    Wrapper {
        program,
        sub,
        valued,
        positional: 0,
        effect: Effect::None,
    }
}

impl Wrapper {
    const fn skip(mut self, words: usize) -> Self {
        self.positional = words;
        self
    }

    const fn effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }
}

const UV: &[&str] = &[
    "--with",
    "--with-requirements",
    "--with-editable",
    "--python",
    "-p",
    "--extra",
    "--group",
    "--project",
    "--directory",
    "--package",
    "--env-file",
    "--index-url",
    "--index",
    "--from",
    "-C",
    "--no-group",
    "--only-group",
    "--color",
    "--cache-dir",
];
const CONTAINER: &[&str] = &[
    "-e",
    "--env",
    "-u",
    "--user",
    "-w",
    "--workdir",
    "-v",
    "--volume",
    "--name",
    "-p",
    "--publish",
    "--entrypoint",
    "--network",
    "--mount",
    "--env-file",
    "--index",
    "-f",
    "--file",
    "--profile",
    "--project-name",
    "--platform",
    "-m",
    "--memory",
    "--cpus",
    "-l",
    "--label",
    "--project-directory",
    "--user",
    "-n",
    "--namespace",
    "-c",
    "--container",
    "--context",
    "-H",
    "--host",
];
const PACKAGE: &[&str] = &[
    "-p",
    "--package",
    "-C",
    "--dir",
    "--filter",
    "-F",
    "--cwd",
    "--prefix",
    "-w",
    "--workspace",
];
const CONDA: &[&str] = &[
    "-n",
    "--name",
    "-p",
    "--prefix",
    "-e",
    "--environment",
    "--manifest-path",
    "--cwd",
];

/// Every wrapper. Longer forms stand before shorter ones of the same program.
const WRAPPERS: &[Wrapper] = &[
    plain("env", &["-u", "--unset", "-C", "--chdir", "-S"]).effect(Effect::Assigns),
    plain(
        "sudo",
        &[
            "-u", "-g", "-p", "-C", "-h", "-D", "-R", "-T", "-U", "-r", "-t", "--user", "--group",
        ],
    )
    .effect(Effect::Assigns),
    plain("doas", &["-u", "-C"]),
    plain("time", &["-f", "--format", "-o", "--output"]),
    plain("gtime", &["-f", "-o"]),
    plain("timeout", &["-k", "--kill-after", "-s", "--signal"]).skip(1),
    plain("gtimeout", &["-k", "--kill-after", "-s", "--signal"]).skip(1),
    plain("nice", &["-n", "--adjustment"]),
    plain("ionice", &["-c", "-n", "-p", "--class", "--classdata"]),
    plain("nohup", &[]),
    plain("setsid", &[]),
    plain(
        "stdbuf",
        &["-o", "-e", "-i", "--output", "--error", "--input"],
    ),
    plain("unbuffer", &[]),
    plain(
        "xargs",
        &[
            "-n",
            "-P",
            "-I",
            "-L",
            "-d",
            "-a",
            "-s",
            "-E",
            "--max-args",
            "--max-procs",
            "--delimiter",
        ],
    ),
    plain("command", &[]),
    plain("builtin", &[]),
    plain("exec", &["-a"]),
    plain("flock", &["-w", "--timeout", "-E"]).skip(1),
    plain("taskset", &[]).skip(1),
    plain("caffeinate", &["-t", "-w"]),
    plain("arch", &[]),
    plain("faketime", &["-f"]).skip(1),
    plain(
        "xvfb-run",
        &[
            "-s",
            "-n",
            "-e",
            "-f",
            "-w",
            "--server-args",
            "--server-num",
        ],
    ),
    plain("dbus-run-session", &[]).effect(Effect::Dashes),
    plain("watch", &["-n", "--interval", "-d"]).effect(Effect::Watches),
    plain("watchexec", &["-e", "-w", "-i"]).effect(Effect::Watches),
    sub("rtk", &[&["test", "err", "proxy", "summary"]], &[]).effect(Effect::LosesExit),
    plain("rtk", &[]).effect(Effect::LosesExit),
    plain("cross-env", &[]).effect(Effect::Assigns),
    plain("dotenv", &["-e", "-f", "-v", "-c"]).effect(Effect::Dashes),
    sub("dotenvx", &[&["run"]], &["-f", "-e"]).effect(Effect::Dashes),
    sub("doppler", &[&["run"]], &["-p", "-c"]).effect(Effect::Dashes),
    sub("op", &[&["run"]], &["--env-file"]).effect(Effect::Dashes),
    sub("infisical", &[&["run"]], &["--env"]).effect(Effect::Dashes),
    sub("aws-vault", &[&["exec"]], &["-d"])
        .effect(Effect::Dashes)
        .skip(1),
    sub("direnv", &[&["exec"]], &[]).skip(1),
    sub("uv", &[&["tool"], &["run"]], UV),
    sub("uv", &[&["run"]], UV),
    plain("uvx", UV),
    sub("pipx", &[&["run"]], &["--spec", "--python"]),
    sub(
        "poetry",
        &[&["run"]],
        &["-C", "--directory", "-P", "--project"],
    ),
    sub("pipenv", &[&["run"]], &[]),
    sub("pdm", &[&["run"]], &["-p", "--project", "--venv"]).effect(Effect::Tools),
    sub("hatch", &[&["run"]], &["-e", "--env"]).effect(Effect::Tools),
    sub("rye", &[&["run"]], &[]).effect(Effect::Tools),
    sub("pixi", &[&["run"]], CONDA).effect(Effect::Tools),
    sub("conda", &[&["run"]], CONDA),
    sub("mamba", &[&["run"]], CONDA),
    sub("micromamba", &[&["run"]], CONDA),
    sub(
        "coverage",
        &[&["run"]],
        &[
            "--source",
            "--rcfile",
            "--omit",
            "--include",
            "--data-file",
            "--context",
        ],
    ),
    plain(
        "npx",
        &[
            "-p",
            "--package",
            "-w",
            "--workspace",
            "--prefix",
            "--node-options",
        ],
    ),
    plain("pnpx", PACKAGE),
    plain("bunx", PACKAGE),
    sub("bun", &[&["x"]], PACKAGE),
    sub("pnpm", &[&["exec", "dlx"]], PACKAGE),
    sub("yarn", &[&["exec", "dlx"]], PACKAGE),
    sub("yarn", &[&["workspace"]], PACKAGE)
        .skip(1)
        .effect(Effect::Tools),
    sub("npm", &[&["exec", "x"]], PACKAGE).effect(Effect::Dashes),
    plain(
        "c8",
        &[
            "-r",
            "--reporter",
            "-x",
            "--exclude",
            "-n",
            "--include",
            "--reports-dir",
        ],
    ),
    plain(
        "nyc",
        &[
            "-r",
            "--reporter",
            "-x",
            "--exclude",
            "-n",
            "--include",
            "--report-dir",
        ],
    ),
    sub("bundle", &[&["exec"]], &["--gemfile"]),
    sub("rbenv", &[&["exec"]], &[]),
    sub("pyenv", &[&["exec"]], &[]),
    sub("asdf", &[&["exec"]], &[]),
    plain("spring", &[]),
    sub(
        "mise",
        &[&["exec", "x"]],
        &["-C", "--cd", "-j", "--jobs", "-E"],
    )
    .effect(Effect::Dashes),
    sub("devbox", &[&["run"]], &["-c", "-e"]).effect(Effect::Dashes),
    sub("docker", &[&["compose"], &["exec", "run"]], CONTAINER).skip(1),
    sub("docker", &[&["container"], &["exec", "run"]], CONTAINER).skip(1),
    sub("docker", &[&["exec", "run"]], CONTAINER).skip(1),
    sub("docker-compose", &[&["exec", "run"]], CONTAINER).skip(1),
    sub("podman", &[&["compose"], &["exec", "run"]], CONTAINER).skip(1),
    sub("podman", &[&["exec", "run"]], CONTAINER).skip(1),
    sub("kubectl", &[&["exec"]], CONTAINER)
        .skip(1)
        .effect(Effect::Dashes),
    sub("ddev", &[&["exec"]], &["-s", "-d"]),
    sub("lando", &[&["exec"]], &[])
        .skip(1)
        .effect(Effect::Dashes),
    sub("sail", &[&["exec"]], &[]).skip(1),
];

/// Wrappers nested deeper than this are not followed.
const MAX_LAYERS: usize = 12;

/// The program behind the wrappers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stripped<'a> {
    /// Program and arguments.
    pub(crate) words: &'a [Word],
    /// Whether a wrapper swallows the exit status.
    pub(crate) loses_exit: bool,
    /// Whether it is run again and again.
    pub(crate) watches: bool,
    /// `-m` was given to a wrapper that runs Python modules (`uv run -m pytest`).
    pub(crate) module: bool,
    /// The wrapper's own name, if an unknown word behind it is one of its scripts.
    pub(crate) tool: Option<&'static str>,
}

/// Takes every wrapper off the front of `words`.
pub(crate) fn strip(words: &[Word]) -> Stripped<'_> {
    let mut stripped = Stripped {
        words,
        ..Stripped::default()
    };
    for _ in 0..MAX_LAYERS {
        let Some(program) = stripped.words.first().map(|word| base_name(&word.text)) else {
            break;
        };
        if is_lookup(program, stripped.words) {
            break;
        }
        let found = WRAPPERS
            .iter()
            .filter(|wrapper| wrapper.program == program)
            .find_map(|wrapper| Some((wrapper, behind(wrapper, stripped.words)?)));
        let Some((wrapper, (rest, module))) = found else {
            break;
        };
        stripped.words = rest;
        stripped.module = module;
        stripped.loses_exit |= wrapper.effect == Effect::LosesExit;
        stripped.watches |= wrapper.effect == Effect::Watches;
        stripped.tool = (wrapper.effect == Effect::Tools).then_some(wrapper.program);
    }
    stripped
}

/// The last component of a program's path, without a Windows ending.
pub(crate) fn base_name(program: &str) -> &str {
    let name = program.rsplit('/').next().unwrap_or(program);
    let cut = [".exe", ".cmd"]
        .iter()
        .find_map(|ending| name.strip_suffix(ending));
    cut.unwrap_or(name)
}

/// `command -v x` only looks.
fn is_lookup(program: &str, words: &[Word]) -> bool {
    let first = words.get(1).map_or("", |word| word.text.as_str());
    program == "command" && matches!(first, "-v" | "-V")
}

/// The words behind a wrapper, if it is one here.
fn behind<'a>(wrapper: &Wrapper, words: &'a [Word]) -> Option<(&'a [Word], bool)> {
    let mut rest = words.get(1..)?;
    let mut module = false;
    for accepted in wrapper.sub {
        (rest, _) = skip_options(wrapper, rest);
        let word = rest.first()?;
        if !accepted.contains(&word.text.as_str()) {
            return None;
        }
        rest = rest.get(1..)?;
    }
    if wrapper.effect == Effect::Dashes
        && let Some(place) = rest.iter().position(|word| word.text == "--")
    {
        return non_empty(rest.get(place.saturating_add(1)..)?).map(|rest| (rest, false));
    }
    for left in (0..=wrapper.positional).rev() {
        let found;
        (rest, found) = skip_options(wrapper, rest);
        module |= found;
        if left > 0 {
            rest = rest.get(1..)?;
        }
    }
    if wrapper.effect == Effect::Assigns {
        while rest.first().is_some_and(|word| is_assignment(&word.text)) {
            rest = rest.get(1..)?;
        }
    }
    non_empty(rest).map(|rest| (rest, module))
}

fn non_empty(words: &[Word]) -> Option<&[Word]> {
    (!words.is_empty()).then_some(words)
}

/// Steps over options and their values; tells whether `-m`, a flag here, was among them.
fn skip_options<'a>(wrapper: &Wrapper, mut words: &'a [Word]) -> (&'a [Word], bool) {
    let mut module = false;
    while let Some((word, rest)) = words.split_first() {
        let text = word.text.as_str();
        if text == "--" {
            return (rest, module);
        }
        let option = text.len() > 1 && text.starts_with('-');
        if !option {
            break;
        }
        module |= text == "-m" || text == "--module";
        let step = if wrapper.valued.contains(&text) { 1 } else { 0 };
        words = rest.get(step..).unwrap_or(&[]);
    }
    (words, module)
}

/// Whether a word has the form `NAME=value`.
pub(crate) fn is_assignment(text: &str) -> bool {
    match text.split_once('=') {
        Some((name, _)) => is_name(name.strip_suffix('+').unwrap_or(name)),
        None => false,
    }
}

fn is_name(name: &str) -> bool {
    let starts = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let head = name.split_once('[').map_or(name, |(head, _)| head);
    starts
        && head
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// A command line that a program hands to a shell of its own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Script {
    /// The command line.
    pub(crate) text: String,
    /// Whether it starts with `pipefail` on.
    pub(crate) pipefail: bool,
    /// Whether it starts with `-e` on.
    pub(crate) errexit: bool,
    /// Whether the outer program loses its exit status.
    pub(crate) loses_exit: bool,
}

/// The shells whose `-c` and standard input are command lines.
const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash", "ksh", "ash"];

/// The command line inside `bash -c '...'`, `eval "..."`, `nix-shell --run '...'` or
/// `bash <<E`; `input` is the text on standard input.
pub(crate) fn script(words: &[Word], input: Option<&str>) -> Option<Script> {
    let stripped = strip(words);
    let (program, arguments) = stripped.words.split_first()?;
    let name = base_name(&program.text);
    let mut script = Script {
        loses_exit: stripped.loses_exit,
        ..Script::default()
    };
    if SHELLS.contains(&name) {
        return shell_script(arguments, input, script);
    }
    script.text = match name {
        "eval" => arguments
            .iter()
            .map(|word| word.text.as_str())
            .collect::<Vec<_>>()
            .join(" "),
        "nix-shell" => after(arguments, &["--run", "--command"])?,
        "nix" => {
            let place = arguments
                .iter()
                .position(|word| matches!(word.text.as_str(), "-c" | "--command"))?;
            let rest = arguments.get(place.saturating_add(1)..)?;
            rest.iter().map(quoted_again).collect::<Vec<_>>().join(" ")
        }
        "script" => after(arguments, &["-c", "-qc", "-qec", "-eqc", "--command"])?,
        "su" | "runuser" => after(arguments, &["-c", "--command"])?,
        _ => return None,
    };
    Some(script)
}

fn after(arguments: &[Word], options: &[&str]) -> Option<String> {
    let place = arguments
        .iter()
        .position(|word| options.contains(&word.text.as_str()))?;
    arguments
        .get(place.saturating_add(1))
        .map(|word| word.text.clone())
}

fn quoted_again(word: &Word) -> String {
    if word.quoted {
        alloc::format!("'{}'", word.text.replace('\'', "'\\''"))
    } else {
        word.text.clone()
    }
}

fn shell_script(arguments: &[Word], input: Option<&str>, mut script: Script) -> Option<Script> {
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        let Some(flags) = text
            .strip_prefix('-')
            .filter(|flags| !flags.starts_with('-'))
        else {
            if text.starts_with("--") {
                continue;
            }
            return None;
        };
        script.errexit |= flags.contains('e');
        if flags.contains('o') {
            script.pipefail |= rest.next().is_some_and(|word| word.text == "pipefail");
        }
        if flags.contains('c') {
            script.text = rest.next()?.text.to_string();
            return Some(script);
        }
        if flags.contains('s') {
            break;
        }
    }
    script.text = input?.to_string();
    Some(script)
}
