//! JavaScript and TypeScript.

use crate::check::runner::Positional::{Ignored, Selector, Targets};
use crate::check::runner::{Runner, runner};
use crate::check::summary::Family;
use crate::check::types::Kind::{Build, Format, Lint, Test, Typecheck};

const JS: &[&str] = &["javascript"];
const VALUES: &[&str] = &[
    "-c",
    "--config",
    "--reporter",
    "--reporters",
    "--project",
    "--projects",
    "--root",
    "--dir",
    "--testTimeout",
    "--timeout",
    "--maxWorkers",
    "-w",
    "--workers",
    "--retries",
    "--browser",
    "--coverageReporters",
    "--coverage-reporter",
    "--require",
    "-r",
    "--pool",
    "--environment",
    "--shard",
    "--setupFilesAfterEach",
    "--preload",
    "--import",
    "--loader",
    "--max-warnings",
    "--ext",
    "-f",
    "--format",
    "--cache-location",
    "--ignore-pattern",
    "--ignore-path",
    "--plugin-search-dir",
    "--parser",
    "--config-path",
    "--log-level",
    "--max-diagnostics",
    "--diagnostic-level",
    "--spec-reporter",
];
const PICKS: &[&str] = &[
    "-t",
    "--testNamePattern",
    "--test-name-pattern",
    "--grep",
    "-g",
    "-G",
    "--testPathPattern",
    "--testPathPatterns",
    "--filter",
    "--match",
    "-m",
    "--onlyChanged",
    "-o",
    "--onlyFailures",
    "--findRelatedTests",
    "--changed",
    "--fgrep",
    "--spec",
    "-s",
    "--last-failed",
    "--related",
];

pub(super) const RUNNERS: &[Runner] = &[
    runner("jest", &["jest", "react-scripts-test"], &[], Test)
        .languages(JS)
        .prints(&[Family::Jest])
        .refuses(&["--listTests", "--showConfig", "--init", "--clearCache"])
        .valued(VALUES)
        .selects(PICKS),
    runner(
        "jest",
        &["react-scripts", "craco", "ng", "vue-cli-service", "cdk"],
        &["test", "test:unit"],
        Test,
    )
    .languages(JS)
    .prints(&[Family::Jest, Family::Vitest, Family::Mocha])
    .valued(VALUES)
    .selects(PICKS),
    runner("vitest", &["vitest"], &[], Test)
        .languages(JS)
        .prints(&[Family::Vitest])
        .refuses(&["list", "init"])
        .valued(VALUES)
        .selects(PICKS)
        .watches(&["--watch", "-w", "watch", "dev", "--ui"])
        .whole(&["run", "bench", "related"]),
    runner(
        "mocha",
        &["mocha", "_mocha", "electron-mocha", "mochapack"],
        &[],
        Test,
    )
    .languages(JS)
    .prints(&[Family::Mocha, Family::Tap])
    .valued(VALUES)
    .selects(PICKS)
    .watches(&["--watch", "-w"]),
    runner("playwright", &["playwright"], &["test"], Test)
        .languages(JS)
        .prints(&[Family::Playwright])
        .refuses(&["--ui", "--list"])
        .valued(VALUES)
        .selects(PICKS),
    runner("cypress", &["cypress"], &["run"], Test)
        .languages(JS)
        .prints(&[Family::Cypress, Family::Mocha])
        .valued(VALUES)
        .selects(PICKS),
    runner("ava", &["ava"], &[], Test)
        .languages(JS)
        .prints(&[Family::Ava, Family::Tap])
        .selects(PICKS),
    runner(
        "tap",
        &["tap", "tape", "uvu", "zora", "japa", "borp"],
        &[],
        Test,
    )
    .languages(JS)
    .prints(&[Family::Tap])
    .selects(PICKS),
    runner(
        "wtr",
        &[
            "wtr",
            "web-test-runner",
            "karma",
            "wdio",
            "testcafe",
            "nightwatch",
            "jasmine",
        ],
        &[],
        Test,
    )
    .languages(JS)
    .takes(Ignored),
    runner("node-test", &["node", "tsx", "ts-node"], &[], Test)
        .languages(JS)
        .prints(&[Family::Tap])
        .needs(&["--test"])
        .refuses(&["-e", "--eval", "-p", "--print"])
        .valued(&[
            "--import",
            "--loader",
            "-r",
            "--require",
            "--test-reporter",
            "--test-concurrency",
        ])
        .selects(&["--test-name-pattern", "--test-only", "--test-skip-pattern"]),
    runner("node-check", &["node"], &[], Build)
        .languages(JS)
        .needs(&["--check", "-c"])
        .refuses(&["-e", "--eval", "-p", "--print"])
        .prints(&[Family::PythonCompile])
        .silent(),
    runner("bun-test", &["bun"], &["test"], Test)
        .languages(JS)
        .prints(&[Family::Bun])
        .valued(VALUES)
        .selects(PICKS),
    runner("bun-build", &["bun"], &["build"], Build)
        .languages(JS)
        .prints(&[Family::Bundler]),
    runner("deno-test", &["deno"], &["test"], Test)
        .languages(JS)
        .prints(&[Family::Deno])
        .refuses(&["--no-run"])
        .valued(&["--config", "--import-map", "-c"])
        .selects(&["--filter"]),
    runner("deno-check", &["deno"], &["check"], Typecheck)
        .languages(JS)
        .prints(&[Family::Deno, Family::Tsc]),
    runner("deno-lint", &["deno"], &["lint"], Lint)
        .languages(JS)
        .prints(&[Family::Deno]),
    runner("deno-fmt", &["deno"], &["fmt"], Format)
        .languages(JS)
        .needs(&["--check"]),
    runner("deno-task", &["deno"], &["task"], Test)
        .languages(JS)
        .takes(Targets),
    runner("tsc", &["tsc", "tsgo", "vue-tsc"], &[], Typecheck)
        .languages(JS)
        .prints(&[Family::Tsc])
        .refuses(&[
            "--init",
            "--noCheck",
            "--showConfig",
            "--listFiles",
            "--listFilesOnly",
            "-v",
        ])
        .valued(&[
            "-p",
            "--project",
            "--target",
            "--module",
            "--outDir",
            "--lib",
            "--moduleResolution",
            "--jsx",
            "--outFile",
        ])
        .watches(&["--watch", "-w"])
        .silent(),
    runner(
        "svelte-check",
        &["svelte-check", "astro-check"],
        &[],
        Typecheck,
    )
    .languages(JS)
    .prints(&[Family::Tsc])
    .takes(Ignored),
    runner("astro-check", &["astro"], &["check"], Typecheck)
        .languages(JS)
        .prints(&[Family::Tsc])
        .takes(Ignored),
    runner(
        "nuxt-typecheck",
        &["nuxi", "nuxt"],
        &["typecheck"],
        Typecheck,
    )
    .languages(JS)
    .prints(&[Family::Tsc]),
    runner(
        "eslint",
        &[
            "eslint",
            "eslint_d",
            "oxlint",
            "stylelint",
            "standard",
            "xo",
            "tslint",
            "semistandard",
        ],
        &[],
        Lint,
    )
    .languages(JS)
    .prints(&[Family::Eslint])
    .refuses(&[
        "--print-config",
        "--init",
        "--inspect-config",
        "--env-info",
        "-v",
    ])
    .valued(VALUES)
    .selects(&["--rule", "--rulesdir"])
    .silent()
    .whole(&[".", "./"]),
    runner("next-lint", &["next"], &["lint"], Lint)
        .languages(JS)
        .prints(&[Family::Eslint])
        .takes(Ignored),
    runner("ng-lint", &["ng"], &["lint"], Lint)
        .languages(JS)
        .prints(&[Family::Eslint])
        .takes(Ignored),
    runner("biome", &["biome"], &["check", "lint", "ci"], Lint)
        .languages(JS)
        .prints(&[Family::Biome])
        .valued(VALUES)
        .whole(&[".", "./"]),
    runner("biome-format", &["biome"], &["format"], Format)
        .languages(JS)
        .prints(&[Family::Biome])
        .valued(VALUES)
        .refuses(&["--write", "--fix"])
        .whole(&[".", "./"]),
    runner("prettier", &["prettier"], &[], Format)
        .languages(JS)
        .prints(&[Family::Prettier])
        .needs(&["--check", "-c", "--list-different", "-l"])
        .refuses(&["--write", "-w", "--find-config-path", "--support-info"])
        .valued(&[
            "--config",
            "--ignore-path",
            "--plugin",
            "--parser",
            "--log-level",
        ])
        .whole(&[".", "./"]),
    runner(
        "bundler",
        &[
            "webpack", "rollup", "esbuild", "tsup", "tsdown", "parcel", "swc", "ncc", "unbuild",
            "rspack",
        ],
        &[],
        Build,
    )
    .languages(JS)
    .prints(&[Family::Bundler, Family::Tsc])
    .refuses(&["serve", "--serve", "dev", "--servedir"])
    .watches(&["--watch", "-w", "watch"])
    .takes(Ignored),
    runner(
        "bundler",
        &[
            "vite",
            "next",
            "nuxt",
            "nuxi",
            "astro",
            "ng",
            "react-scripts",
            "remix",
            "svelte-kit",
            "rslib",
            "expo",
            "gatsby",
            "storybook",
            "vue-cli-service",
        ],
        &["build", "export"],
        Build,
    )
    .languages(JS)
    .prints(&[Family::Bundler, Family::Tsc])
    .watches(&["--watch", "-w"])
    .takes(Ignored),
    runner("lint-staged", &["lint-staged"], &[], Lint)
        .languages(JS)
        .prints(&[Family::Hooks])
        .takes(Ignored),
    runner(
        "lint-staged",
        &["knip", "depcheck", "publint", "attw", "madge", "dpdm"],
        &[],
        Lint,
    )
    .languages(JS)
    .takes(Ignored),
    runner("turbo", &["turbo"], &[], Test)
        .prints(&[])
        .takes(Targets)
        .selects(&["--filter", "-F", "--affected"]),
    runner("nx", &["nx", "lerna", "moon", "rush", "wireit"], &[], Test)
        .refuses(&["graph", "show", "list", "reset", "serve", "generate", "g"])
        .takes(Targets)
        .selects(&["-p", "--projects", "--scope"]),
    runner(
        "hardhat",
        &["hardhat", "forge", "anchor", "truffle"],
        &["test"],
        Test,
    )
    .takes(Selector),
    runner(
        "forge",
        &["hardhat", "forge", "anchor", "truffle"],
        &["build", "compile"],
        Build,
    )
    .takes(Ignored),
];
