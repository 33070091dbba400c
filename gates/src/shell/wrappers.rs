//! The programs that run another program, as data.

/// One wrapper and how to find the program behind it.
#[derive(Debug)]
pub(super) struct Wrapper {
    pub(super) program: &'static str,
    /// Words that must follow the program (after its own options), one of each inner list.
    pub(super) sub: &'static [&'static [&'static str]],
    /// Options that take the next word as their value.
    pub(super) valued: &'static [&'static str],
    /// Words between the options and the program.
    pub(super) positional: usize,
    /// What it does beyond running the program.
    pub(super) effect: Effect,
    /// Options with which it does not wait for the program: nothing is known of it then.
    pub(super) leaves: &'static [&'static str],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
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
        leaves: &[],
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
        leaves: &[],
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

    const fn leaves(mut self, options: &'static [&'static str]) -> Self {
        self.leaves = options;
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
pub(super) const CONTAINER: &[&str] = &[
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
/// How containers are left running.
const DETACHED: &[&str] = &["-d", "--detach"];
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
pub(super) const WRAPPERS: &[Wrapper] = &[
    plain("env", &["-u", "--unset", "-C", "--chdir", "-S"]).effect(Effect::Assigns),
    plain(
        "sudo",
        &[
            "-u", "-g", "-p", "-C", "-h", "-D", "-R", "-T", "-U", "-r", "-t", "--user", "--group",
        ],
    )
    .effect(Effect::Assigns)
    .leaves(&["-b", "--background"]),
    plain("doas", &["-u", "-C"]),
    plain("time", &["-f", "--format", "-o", "--output"]),
    plain("gtime", &["-f", "-o"]),
    plain("timeout", &["-k", "--kill-after", "-s", "--signal"]).skip(1),
    plain("gtimeout", &["-k", "--kill-after", "-s", "--signal"]).skip(1),
    plain("nice", &["-n", "--adjustment"]),
    plain("ionice", &["-c", "-n", "-p", "--class", "--classdata"]),
    plain("nohup", &[]),
    plain("setsid", &[]).leaves(&["-f", "--fork"]),
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
    sub("docker", &[&["compose"], &["exec", "run"]], CONTAINER)
        .skip(1)
        .leaves(DETACHED),
    sub("docker", &[&["container"], &["exec", "run"]], CONTAINER)
        .skip(1)
        .leaves(DETACHED),
    sub("docker", &[&["exec", "run"]], CONTAINER)
        .skip(1)
        .leaves(DETACHED),
    sub("docker-compose", &[&["exec", "run"]], CONTAINER)
        .skip(1)
        .leaves(DETACHED),
    sub("podman", &[&["compose"], &["exec", "run"]], CONTAINER)
        .skip(1)
        .leaves(DETACHED),
    sub("podman", &[&["exec", "run"]], CONTAINER)
        .skip(1)
        .leaves(DETACHED),
    sub("kubectl", &[&["exec"]], CONTAINER)
        .skip(1)
        .effect(Effect::Dashes),
    sub("ddev", &[&["exec"]], &["-s", "-d"]),
    sub("lando", &[&["exec"]], &[])
        .skip(1)
        .effect(Effect::Dashes),
    sub("sail", &[&["exec"]], &[]).skip(1),
];
