//! The rules that sort paths into classes, as data and one pass over the components.

use super::Class;
use super::language::{file_name, language};
use alloc::vec::Vec;

/// Folders of other people's code.
const VENDORED: &[&str] = &[
    "node_modules",
    "vendor",
    "third_party",
    "third-party",
    "thirdparty",
    "bower_components",
    "site-packages",
    "dist-packages",
    ".venv",
    "venv",
    "pods",
    "carthage",
    ".cargo",
    ".yarn",
    ".pnpm-store",
    ".bundle",
];

/// Folders that programs write.
const GENERATED: &[&str] = &[
    "dist",
    "target",
    "coverage",
    "htmlcov",
    "__pycache__",
    ".next",
    ".nuxt",
    ".output",
    ".svelte-kit",
    ".turbo",
    ".nx",
    ".cache",
    ".parcel-cache",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".tox",
    ".nox",
    ".gradle",
    ".dart_tool",
    ".terraform",
    "__snapshots__",
    "__generated__",
    "node-compile-cache",
    "deriveddata",
    "cmakefiles",
    ".git",
];

/// Folders of throw-away work, wherever they stand.
const SCRATCH: &[&str] = &["scratchpad", "scratch", ".scratch", "tmp", ".tmp", "temp"];

/// Places outside a project that hold throw-away files.
const SCRATCH_ROOTS: &[&str] = &[
    "/tmp/",
    "/private/tmp/",
    "/var/tmp/",
    "/var/folders/",
    "/private/var/folders/",
    "/dev/",
    "/proc/",
    "$TMPDIR",
    "${TMPDIR",
];

/// Folders of tests.
const TEST_FOLDERS: &[&str] = &[
    "test",
    "tests",
    "__tests__",
    "spec",
    "specs",
    "e2e",
    "testing",
    "testdata",
    "__mocks__",
    "cypress",
    "androidtest",
    "integration-tests",
    "integration_tests",
];

/// Endings of prose and pictures.
const DOCS: &[&str] = &[
    "md", "mdx", "markdown", "rst", "adoc", "asciidoc", "txt", "tex", "org", "pdf", "png", "jpg",
    "jpeg", "gif", "svg", "webp", "ico", "bmp", "mp4", "webm", "mp3", "wav", "drawio", "doc",
    "docx", "odt", "rtf", "po", "pot",
];

/// Endings of settings and data.
const CONFIG: &[&str] = &[
    "json",
    "jsonc",
    "json5",
    "yaml",
    "yml",
    "toml",
    "ini",
    "cfg",
    "conf",
    "config",
    "env",
    "xml",
    "properties",
    "plist",
    "editorconfig",
    "gitignore",
    "gitattributes",
    "dockerignore",
    "npmrc",
    "nvmrc",
    "csv",
    "tsv",
    "jsonl",
    "ndjson",
    "lock",
    "mk",
    "cmake",
    "gradle",
    "csproj",
    "sln",
    "service",
    "tfstate",
    "cue",
    "nix",
    "rc",
    "envrc",
];

/// Whole names of settings without a telling ending.
const CONFIG_NAMES: &[&str] = &[
    "makefile",
    "gnumakefile",
    "dockerfile",
    "containerfile",
    "justfile",
    "procfile",
    "brewfile",
    "codeowners",
    "cmakelists.txt",
    "requirements.txt",
    "constraints.txt",
    "robots.txt",
];

/// Whole names that programs write.
const GENERATED_NAMES: &[&str] = &[
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "bun.lockb",
    "cargo.lock",
    "poetry.lock",
    "uv.lock",
    "pdm.lock",
    "pipfile.lock",
    "composer.lock",
    "gemfile.lock",
    "go.sum",
    "mix.lock",
    "pubspec.lock",
    "podfile.lock",
    "flake.lock",
    "deno.lock",
];

/// Pieces of a name that say a program wrote it.
const GENERATED_PIECES: &[&str] = &[
    ".min.js",
    ".min.css",
    ".bundle.js",
    ".pb.go",
    "_pb2.py",
    "_pb2_grpc.py",
    "_pb2.pyi",
    ".pb.h",
    ".pb.cc",
    ".g.dart",
    ".freezed.dart",
    ".g.cs",
    ".designer.cs",
    ".generated.",
    ".gen.go",
    ".gen.ts",
    "_generated.",
    ".snap",
    ".map",
    ".tsbuildinfo",
];

pub(super) fn classify(path: &str, in_repository: bool) -> Class {
    if path.is_empty() {
        return Class::Other;
    }
    let lower = path.replace('\\', "/").to_ascii_lowercase();
    let name = file_name(&lower);
    let folders = folders(&lower);
    if !in_repository && outside(path) {
        return Class::Scratch;
    }
    by_folder(&folders, in_repository, lower.starts_with('/'))
        .or_else(|| generated_name(name))
        .unwrap_or_else(|| by_name(&lower, name, &folders))
}

fn folders(lower: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = lower.split('/').filter(|part| !part.is_empty()).collect();
    parts.pop();
    parts
}

fn outside(path: &str) -> bool {
    SCRATCH_ROOTS.iter().any(|root| path.starts_with(root))
}

/// What the folders alone decide. Of an absolute path only telling names count: its upper part
/// says where the project is, not what the file is.
fn by_folder(folders: &[&str], in_repository: bool, absolute: bool) -> Option<Class> {
    if folders.iter().any(|folder| VENDORED.contains(folder)) {
        return Some(Class::Vendored);
    }
    if folders
        .iter()
        .any(|folder| *folder == "scratchpad" || folder.starts_with("claude-"))
    {
        return (!in_repository || !absolute).then_some(Class::Scratch);
    }
    if absolute {
        return folders
            .iter()
            .any(|folder| ["__pycache__", ".git"].contains(folder))
            .then_some(Class::Generated);
    }
    if folders
        .first()
        .is_some_and(|folder| SCRATCH.contains(folder))
    {
        return Some(Class::Scratch);
    }
    folders
        .iter()
        .any(|folder| GENERATED.contains(folder))
        .then_some(Class::Generated)
}

fn generated_name(name: &str) -> Option<Class> {
    let generated = GENERATED_NAMES.contains(&name)
        || GENERATED_PIECES
            .iter()
            .any(|piece| match piece.ends_with('.') {
                true => name.contains(piece),
                false => name.ends_with(piece),
            });
    generated.then_some(Class::Generated)
}

fn by_name(lower: &str, name: &str, folders: &[&str]) -> Class {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    if CONFIG_NAMES.contains(&name) || name.starts_with("dockerfile.") || name.starts_with(".env") {
        return Class::Config;
    }
    if CONFIG.contains(&ending) {
        return Class::Config;
    }
    if DOCS.contains(&ending) {
        return Class::Docs;
    }
    let language = language(lower);
    match language {
        "" => without_language(name, ending, folders),
        "css" | "html" => Class::Other,
        "protobuf" | "graphql" => Class::Code,
        _ if is_test(name, folders) => Class::Test,
        _ => Class::Code,
    }
}

/// Files without an ending are prose by name, programs by folder, or nothing known.
fn without_language(name: &str, ending: &str, folders: &[&str]) -> Class {
    const PROSE: &[&str] = &[
        "readme",
        "license",
        "licence",
        "changelog",
        "notice",
        "authors",
        "contributing",
        "copying",
        "todo",
    ];
    const PROGRAMS: &[&str] = &["bin", "scripts", "script", "hooks", ".husky", ".githooks"];
    if PROSE.iter().any(|word| name.starts_with(word)) {
        return Class::Docs;
    }
    let program = ending.is_empty()
        && folders
            .last()
            .is_some_and(|folder| PROGRAMS.contains(folder));
    if program {
        Class::Code
    } else if name.starts_with('.') {
        Class::Config
    } else {
        Class::Other
    }
}

/// Whether a code file is a test, by its name or its folders.
fn is_test(name: &str, folders: &[&str]) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    let marked = [".test.", ".spec.", ".cy.", ".e2e."]
        .iter()
        .any(|piece| name.contains(piece));
    let named = stem.starts_with("test_")
        || ["_test", "_tests", "_spec", "-test"]
            .iter()
            .any(|end| stem.ends_with(end))
        || [
            "conftest",
            "test",
            "tests",
            "test_helper",
            "spec_helper",
            "rails_helper",
        ]
        .contains(&stem)
        || name.ends_with(".bats");
    marked
        || named
        || camel_test(name, stem)
        || folders.iter().any(|folder| TEST_FOLDERS.contains(folder))
}

/// `PaymentTest.java`, `PaymentTests.cs`, `PaymentSpec.scala`; the name is already lower case, so
/// only languages that name tests so are looked at.
fn camel_test(name: &str, stem: &str) -> bool {
    const LANGUAGES: &[&str] = &["jvm", "csharp", "swift", "php"];
    LANGUAGES.contains(&language(name))
        && ["test", "tests", "spec", "testcase"]
            .iter()
            .any(|end| camel_end(stem, end))
}

fn camel_end(stem: &str, end: &str) -> bool {
    stem.len() > end.len()
        && stem.ends_with(end)
        && !stem.ends_with("latest")
        && !stem.ends_with("contest")
}
