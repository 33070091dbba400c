//! Python.

use crate::check::runner::Positional::{Ignored, Selector};
use crate::check::runner::{Runner, runner};
use crate::check::summary::Family;
use crate::check::types::Kind::{Build, Format, Lint, Test, Typecheck};

const PY: &[&str] = &["python"];
const PYTEST_VALUES: &[&str] = &[
    "-c",
    "--rootdir",
    "--confcutdir",
    "-p",
    "-o",
    "--override-ini",
    "--cov",
    "--cov-report",
    "--cov-config",
    "-n",
    "--numprocesses",
    "--maxfail",
    "--tb",
    "--durations",
    "--timeout",
    "--junitxml",
    "--junit-xml",
    "-W",
    "--log-level",
    "--log-cli-level",
    "--ignore",
    "--ignore-glob",
    "--dist",
    "--color",
    "--html",
    "-r",
    "--basetemp",
    "--import-mode",
    "--reruns",
    "--capture",
    "--ds",
    "--settings",
    "--env",
    "--browser",
    "--seed",
];

pub(super) const RUNNERS: &[Runner] = &[
    runner("pytest", &["pytest", "py.test", "pytest-3"], &[], Test)
        .languages(PY)
        .prints(&[Family::Pytest])
        .refuses(&[
            "--collect-only",
            "--co",
            "--fixtures",
            "--markers",
            "--setup-plan",
            "--setup-only",
            "--cache-show",
            "--trace-config",
        ])
        .valued(PYTEST_VALUES)
        .selects(&["-k", "-m", "--deselect", "--lf", "--last-failed", "--ff"])
        .whole(&["."]),
    runner("unittest", &["unittest"], &[], Test)
        .languages(PY)
        .prints(&[Family::Unittest])
        .valued(&[
            "-s",
            "--start-directory",
            "-p",
            "--pattern",
            "-t",
            "--top-level-directory",
        ])
        .selects(&["-k"])
        .whole(&["discover"]),
    runner(
        "django-test",
        &["manage.py", "django-admin", "runtests.py"],
        &["test"],
        Test,
    )
    .languages(PY)
    .prints(&[Family::Unittest, Family::Pytest])
    .valued(&[
        "--settings",
        "--parallel",
        "-v",
        "--verbosity",
        "--pythonpath",
    ])
    .selects(&["-k", "--tag"])
    .takes(Selector),
    runner("django-check", &["manage.py"], &["check"], Lint)
        .languages(PY)
        .takes(Ignored),
    runner(
        "nose",
        &[
            "nose2",
            "nosetests",
            "ward",
            "trial",
            "green",
            "stestr",
            "behave",
            "robot",
        ],
        &[],
        Test,
    )
    .languages(PY),
    runner("tox", &["tox"], &[], Test)
        .languages(PY)
        .prints(&[Family::Tox, Family::Pytest, Family::Unittest])
        .refuses(&[
            "-l",
            "--listenvs",
            "-a",
            "config",
            "list",
            "--notest",
            "devenv",
        ])
        .selects(&["-e"])
        .takes(Ignored),
    runner("nox", &["nox"], &[], Test)
        .languages(PY)
        .prints(&[Family::Nox, Family::Pytest, Family::Unittest])
        .refuses(&["-l", "--install-only"])
        .selects(&["-s", "--session", "--sessions", "-e", "-k", "-t"])
        .takes(Ignored),
    runner("hatch-test", &["hatch"], &["test"], Test)
        .languages(PY)
        .prints(&[Family::Pytest]),
    runner("hatch-fmt", &["hatch"], &["fmt"], Lint)
        .languages(PY)
        .prints(&[Family::Ruff])
        .needs(&["--check", "-l", "--linter"]),
    runner("py_compile", &["py_compile", "compileall"], &[], Build)
        .languages(PY)
        .prints(&[Family::PythonCompile])
        .valued(&["-j", "-x", "-i"])
        .silent()
        .whole(&["."]),
    runner("ruff-format", &["ruff"], &["format"], Format)
        .languages(PY)
        .prints(&[Family::Ruff])
        .needs(&["--check", "--diff"])
        .valued(&["--config"])
        .whole(&["."]),
    runner("ruff", &["ruff"], &["check", "lint"], Lint)
        .languages(PY)
        .prints(&[Family::Ruff])
        .valued(&[
            "--config",
            "--output-format",
            "--line-length",
            "--target-version",
            "--extend-select",
            "--ignore",
        ])
        .selects(&["--select"])
        .never_fails(&["--exit-zero", "-e"])
        .refuses(&["--show-files", "--show-settings", "--statistics-only"])
        .whole(&["."]),
    runner("mypy", &["mypy", "dmypy"], &[], Typecheck)
        .languages(PY)
        .prints(&[Family::Mypy])
        .refuses(&["stop", "status", "--install-types"])
        .valued(&[
            "--config-file",
            "--python-version",
            "-p",
            "-m",
            "--exclude",
            "--cache-dir",
        ])
        .whole(&[".", "run", "check"]),
    runner("pyright", &["pyright", "basedpyright"], &[], Typecheck)
        .languages(PY)
        .prints(&[Family::Pyright])
        .valued(&[
            "-p",
            "--project",
            "--pythonversion",
            "--level",
            "--pythonpath",
        ])
        .watches(&["--watch", "-w"])
        .whole(&["."]),
    runner("ty", &["ty", "pyrefly", "pyre", "pytype"], &[], Typecheck)
        .languages(PY)
        .whole(&[".", "check"]),
    runner(
        "flake8",
        &["flake8", "pyflakes", "pycodestyle", "pydocstyle"],
        &[],
        Lint,
    )
    .languages(PY)
    .prints(&[Family::Flake8])
    .never_fails(&["--exit-zero"])
    .valued(&[
        "--config",
        "--max-line-length",
        "--select",
        "--ignore",
        "--exclude",
        "--extend-ignore",
    ])
    .never_fails(&["--exit-zero"])
    .silent()
    .whole(&["."]),
    runner("pylint", &["pylint"], &[], Lint)
        .languages(PY)
        .prints(&[Family::Pylint])
        .valued(&["--rcfile", "--disable", "--enable", "-j", "-d", "-e"])
        .never_fails(&["--exit-zero"])
        .whole(&["."]),
    runner("black", &["black"], &[], Format)
        .languages(PY)
        .prints(&[Family::Black])
        .needs(&["--check", "--diff"])
        .valued(&["-l", "--line-length", "--config", "-t"])
        .whole(&["."]),
    runner("isort", &["isort"], &[], Format)
        .languages(PY)
        .prints(&[Family::Black])
        .needs(&["--check", "--check-only", "-c", "--diff"])
        .whole(&["."]),
    runner("bandit", &["bandit"], &[], Lint)
        .languages(PY)
        .valued(&["-r", "-c"])
        .whole(&["."]),
];
