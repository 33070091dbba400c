//! The language of a file, by its name.

/// File endings by language; JavaScript dialects, C dialects and JVM languages are one family
/// each, because one toolchain checks them together.
const ENDINGS: &[(&str, &[&str])] = &[
    ("rust", &["rs"]),
    ("python", &["py", "pyi", "pyx", "pxd", "ipynb"]),
    (
        "javascript",
        &[
            "js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue", "svelte", "astro",
        ],
    ),
    ("go", &["go"]),
    (
        "c",
        &[
            "c", "h", "cc", "cpp", "cxx", "hpp", "hh", "hxx", "ipp", "inl", "m", "mm", "cu", "cuh",
        ],
    ),
    (
        "jvm",
        &[
            "java", "kt", "kts", "scala", "sc", "groovy", "clj", "cljs", "cljc",
        ],
    ),
    ("ruby", &["rb", "rake", "erb", "gemspec"]),
    ("php", &["php", "phtml"]),
    ("swift", &["swift"]),
    ("csharp", &["cs", "fs", "vb", "razor", "cshtml"]),
    ("elixir", &["ex", "exs", "heex", "eex"]),
    ("erlang", &["erl", "hrl"]),
    ("zig", &["zig"]),
    ("dart", &["dart"]),
    ("lua", &["lua"]),
    ("haskell", &["hs", "lhs"]),
    ("ocaml", &["ml", "mli"]),
    ("perl", &["pl", "pm", "t"]),
    ("r", &["r"]),
    ("julia", &["jl"]),
    ("nim", &["nim"]),
    (
        "shell",
        &["sh", "bash", "zsh", "fish", "bats", "ps1", "bat", "cmd"],
    ),
    ("sql", &["sql"]),
    ("terraform", &["tf", "tfvars", "hcl"]),
    ("solidity", &["sol"]),
    ("assembly", &["s", "asm"]),
    ("protobuf", &["proto"]),
    ("graphql", &["graphql", "gql"]),
    ("css", &["css", "scss", "sass", "less"]),
    (
        "html",
        &[
            "html", "htm", "hbs", "ejs", "j2", "jinja", "liquid", "mustache",
        ],
    ),
];

/// Whole names that carry no ending.
const NAMES: &[(&str, &[&str])] = &[
    (
        "ruby",
        &[
            "rakefile",
            "gemfile",
            "guardfile",
            "capfile",
            "fastfile",
            "podfile",
        ],
    ),
    (
        "starlark",
        &["build.bazel", "workspace.bazel", "module.bazel", "tiltfile"],
    ),
    ("groovy", &["jenkinsfile"]),
];

/// The language of the file at `path`, `""` where its name does not tell.
#[must_use]
pub fn language(path: &str) -> &'static str {
    let name = file_name(path);
    if let Some((language, _)) = NAMES.iter().find(|(_, names)| is_one_of(name, names)) {
        return if *language == "groovy" {
            "jvm"
        } else {
            language
        };
    }
    match name.rsplit_once('.') {
        Some((_, ending)) => by_ending(ending),
        None => "",
    }
}

fn by_ending(ending: &str) -> &'static str {
    ENDINGS
        .iter()
        .find(|(_, endings)| is_one_of(ending, endings))
        .map_or("", |(name, _)| name)
}

fn is_one_of(text: &str, list: &[&str]) -> bool {
    list.iter().any(|item| item.eq_ignore_ascii_case(text))
}

/// The last component of a path, with either kind of slash.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
