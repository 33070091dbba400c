//! Classes and languages of paths.

use receipt_gates::path::{Class, classify, is_code, language};

#[test]
fn paths_have_classes() {
    let cases: &[(&str, Class)] = &[
        ("src/main.rs", Class::Code),
        ("app/page.tsx", Class::Code),
        ("lib/x.vue", Class::Code),
        ("a.ipynb", Class::Code),
        ("bin/deploy", Class::Code),
        ("tests/test_a.py", Class::Test),
        ("src/a.test.ts", Class::Test),
        ("src/__tests__/a.ts", Class::Test),
        ("pkg/a_test.go", Class::Test),
        ("spec/a_spec.rb", Class::Test),
        ("src/test/java/PayTest.java", Class::Test),
        ("src/PayTests.cs", Class::Test),
        ("src/latest.java", Class::Code),
        ("conftest.py", Class::Test),
        ("README.md", Class::Docs),
        ("docs/guide.rst", Class::Docs),
        ("LICENSE", Class::Docs),
        ("docs/conf.py", Class::Code),
        ("package.json", Class::Config),
        (".github/workflows/ci.yml", Class::Config),
        ("Makefile", Class::Config),
        ("Dockerfile.dev", Class::Config),
        ("CMakeLists.txt", Class::Config),
        (".env.local", Class::Config),
        (".gitignore", Class::Config),
        ("Cargo.lock", Class::Generated),
        ("package-lock.json", Class::Generated),
        ("dist/app.js", Class::Generated),
        ("target/debug/x.rs", Class::Generated),
        ("a/b.min.js", Class::Generated),
        ("api/x.pb.go", Class::Generated),
        ("src/__snapshots__/a.snap", Class::Generated),
        ("node_modules/x/index.js", Class::Vendored),
        ("vendor/lib/a.go", Class::Vendored),
        (".venv/lib/a.py", Class::Vendored),
        ("third_party/a.c", Class::Vendored),
        ("scratchpad/a.py", Class::Scratch),
        ("tmp/x.py", Class::Scratch),
        ("style.css", Class::Other),
        ("index.html", Class::Other),
        ("x.unknown", Class::Other),
        ("", Class::Other),
    ];
    for (path, expected) in cases {
        assert_eq!(classify(path, true), *expected, "{path}");
    }
}

#[test]
fn the_place_of_the_repository_says_nothing() {
    assert_eq!(classify("/tmp/repo/src/a.py", true), Class::Code);
    assert_eq!(classify("/tmp/a.py", false), Class::Scratch);
    assert_eq!(
        classify("/tmp/claude-1000/x/scratchpad/a.py", false),
        Class::Scratch
    );
    assert_eq!(
        classify("/private/var/folders/x/a.js", false),
        Class::Scratch
    );
    assert_eq!(classify("/home/u/dist/app/src/a.py", true), Class::Code);
    assert_eq!(classify("/home/u/other/app.py", false), Class::Code);
    assert_eq!(
        classify("/home/u/p/node_modules/a.js", false),
        Class::Vendored
    );
}

#[test]
fn languages_are_families() {
    let cases = [
        ("a.rs", "rust"),
        ("a.py", "python"),
        ("a.tsx", "javascript"),
        ("a.svelte", "javascript"),
        ("a.go", "go"),
        ("a.hpp", "c"),
        ("a.H", "c"),
        ("a.kt", "jvm"),
        ("a.java", "jvm"),
        ("Rakefile", "ruby"),
        ("a.php", "php"),
        ("a.swift", "swift"),
        ("a.cs", "csharp"),
        ("a.sh", "shell"),
        ("a.sql", "sql"),
        ("a", ""),
        ("a.md", ""),
        ("x/y.z/a", ""),
    ];
    for (path, expected) in cases {
        assert_eq!(language(path), expected, "{path}");
    }
}

#[test]
fn names_of_classes_round_trip() {
    for class in Class::ALL {
        assert_eq!(Class::from_str(class.as_str()), Some(*class));
    }
    assert_eq!(Class::from_str("nothing"), None);
    assert!(is_code(Class::Code) && is_code(Class::Test) && !is_code(Class::Docs));
}
