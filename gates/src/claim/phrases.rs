//! The words that claims are made of, as data. Another language adds its words here.
//!
//! A list is one text: words in lower case with blanks between, phrases parted by `|`.

use super::ClaimKind::{self, BuildPasses, LintClean, TestsPass, TypesClean};

/// Subjects of which something can be said to be well, and the claim that makes.
pub(super) const SUBJECTS: &[(ClaimKind, &str)] = &[
    (
        TestsPass,
        "test tests suite suites spec specs testsuite e2e assertions selftest self-test \
         pytest vitest jest mocha rspec phpunit unittest playwright cypress nextest ctest",
    ),
    (
        BuildPasses,
        "build builds compilation compile compiles compiler bundle",
    ),
    (
        LintClean,
        "lint linter linters linting lints eslint clippy ruff biome golangci-lint flake8 \
         rubocop pylint shellcheck vet",
    ),
    (
        TypesClean,
        "typecheck typechecks typechecker type-check type-checks typechecking type-checking \
         types tsc mypy pyright typescript",
    ),
];

/// Subjects that stand for every check.
pub(super) const EVERYTHING: &str = "checks everything";

/// Parts of a script's name that make it a check ("check.sh").
pub(super) const SCRIPTS: &str = "check checks test tests lint verify validate";

/// Endings of scripts.
pub(super) const ENDINGS: &str = "sh bash py js mjs ts rb pl ps1";

/// Words of which the second makes the first a subject's: "type errors" are the type checker's.
pub(super) const JOINED: &[(&str, &str, &str)] = &[(
    "type",
    "error errors check checks checker checking",
    "typecheck",
)];

/// Verbs and what may stand between them and an exit status ("exited with code 0").
pub(super) const EXITS: &str = "exit exits exited exiting";
pub(super) const STATUS: &str = "with code status";

/// Runners by the word that names them, with the beginning of their canonical names.
pub(super) const TOOLS: &[(&str, &str)] = &[
    ("pytest", "pytest"),
    ("vitest", "vitest"),
    ("jest", "jest"),
    ("mocha", "mocha"),
    ("rspec", "rspec"),
    ("phpunit", "phpunit"),
    ("unittest", "unittest"),
    ("playwright", "playwright"),
    ("cypress", "cypress"),
    ("nextest", "cargo-nextest"),
    ("ctest", "ctest"),
    ("clippy", "cargo-clippy"),
    ("eslint", "eslint"),
    ("ruff", "ruff"),
    ("biome", "biome"),
    ("golangci-lint", "golangci-lint"),
    ("flake8", "flake8"),
    ("rubocop", "rubocop"),
    ("pylint", "pylint"),
    ("shellcheck", "shellcheck"),
    ("vet", "go-vet"),
    ("tsc", "tsc"),
    ("mypy", "mypy"),
    ("pyright", "pyright"),
    ("cargo", "cargo-"),
    ("go", "go-"),
    ("npm", "npm-script"),
    ("pnpm", "npm-script"),
    ("yarn", "npm-script"),
    ("bun", "bun"),
    ("deno", "deno-"),
    ("make", "make"),
    ("just", "just"),
    ("gradle", "gradle"),
    ("gradlew", "gradle"),
    ("mvn", "maven"),
    ("dotnet", "dotnet-"),
    ("swift", "swift-"),
    ("mix", "mix-"),
    ("tox", "tox"),
    ("nox", "nox"),
];

/// Words that say that a subject is well.
pub(super) const WELL: &str = "pass passes passed passing green succeed succeeds succeeded success \
    successful successfully clean cleanly ✅ ok okay fine";

/// Words of [`WELL`] that may stand before their subject ("passing tests").
pub(super) const WELL_BEFORE: &str = "passing passed green ✅ successful";

/// Words of which one stands beside "successfully" where it speaks of a check.
pub(super) const ENDED: &str = "ran run runs completed completes complete finished finishes passed \
    passes built builds compiled compiles executed exited";

/// Words after which "pass" has an object, or "clean" is a verb, and nothing is said to be well.
pub(super) const OBJECTS: &str = "a an the this that these those its their his her it them him each \
    every null none through along down up to by arguments args data";

/// Words that say that a subject is not well.
pub(super) const ILL: &str = "fail fails failed failing failure failures broken breaks red ❌ errors \
    error errored";

/// Words before which one of [`ILL`] is only a name ("error handling").
pub(super) const NAMES: &str = "handling handler handlers path paths message messages case cases type \
    types boundary boundaries state states code codes class classes response responses text mode modes";

/// Words that put what is ill in the past ("failed before").
pub(super) const PAST: &str = "before | used to | previously | originally | initially | at first | \
    had been | was failing | were failing | was broken | were broken | first | earlier";

/// What "no", "0" and "without" may stand before and be good news.
pub(super) const BAD_THINGS: &str = "error errors warning warnings issue issues problem problems \
    failure failures regression regressions failing failed complaints offenses findings longer fails \
    crashes violations diagnostics";

/// Words that say that there is none of something.
pub(super) const NONE: &str = "no 0 zero without";

/// Words behind a subject of which it is only the first half ("the build step").
pub(super) const COMPOUNDS: &str = "step steps script scripts job jobs stage stages file files config \
    configuration folder directory dir helper helpers fixture fixtures data plan name names rule rules \
    hook hooks command commands target targets server environment cache artifact artifacts time times \
    tool tools matrix output setup runner runners harness code";

/// Words that speak for a whole subject although others would make it a part.
pub(super) const WHOLE: &str = "suite suites run runs result results failure failures count status";

/// Words before a subject that make it a part of the checks.
pub(super) const PART_BEFORE: &str = "unit integration e2e end-to-end functional acceptance contract \
    smoke snapshot regression property visual new newly existing added my own these those both \
    relevant related affected targeted focused specific individual corresponding other others \
    most some several many few remaining one two three four five six seven eight nine ten \
    backend frontend front-end back-end server client api ui web cli core parser auth database \
    component service module package local quick fast doc docs ci its their his her";

/// Words behind a subject that make it a part of the checks.
pub(super) const PART_AFTER: &str = "in for of under i we you that which covering from around touching \
    related on there here";

/// Verbs whose object is changed, not said to be well ("updated the tests").
pub(super) const ACTIONS: &str = "added adds adding wrote writes writing updated updates \
    updating changed fixed fixes fixing removed deleted moved renamed refactored \
    rewrote extended adjusted created improved cleaned reworked converted ported merged \
    documented configured introduced replaced implemented";

/// Words that join subjects of one state ("tests, lint and types").
pub(super) const JOINERS: &str = "and & + plus or the all full both as well /";

/// Words by which a clause takes up the subject of the one before it.
pub(super) const PRONOUNS: &str = "they it these all both";

/// Single words that claim something by themselves.
pub(super) const WORDS: &[(ClaimKind, &str)] = &[
    (ClaimKind::Fixed, "fixed resolved solved repaired"),
    (
        ClaimKind::Done,
        "done complete completed finished implemented",
    ),
    (
        ClaimKind::Verified,
        "verified confirmed validated tested double-checked unverified untested",
    ),
    (ClaimKind::Deployed, "deployed shipped released published"),
];

/// Groups of words that claim something.
pub(super) const GROUPS: &[(ClaimKind, &str)] = &[
    (
        ClaimKind::Fixed,
        "now works | works now | works correctly | working correctly | no longer fails | \
         no longer crashes | no longer happens | no longer occurs",
    ),
    (
        ClaimKind::Done,
        "all set | good to go | everything is in place",
    ),
    (ClaimKind::Deployed, "is live | now live"),
];

/// Words before which a claiming word is an adjective ("fixed width").
pub(super) const NOT_BEFORE: &str = "width size sized length point number set position header price \
    seed amount array list rewrite example guide overview version html layout rate interval value \
    values address addresses in picture url date";

/// Words that turn a claim round.
pub(super) const NEGATIONS: &str = "not never cannot unable neither nor nothing none isn't aren't wasn't \
    weren't don't doesn't didn't haven't hasn't hadn't can't couldn't won't wouldn't shouldn't \
    unverified untested skipped partially incomplete nobody instead";

/// Words that make a claim a plan, a wish, a condition or a guess.
pub(super) const HEDGES: &str = "should would could might may will shall if once when whenever until \
    unless assuming likely probably presumably hopefully expect expected think believe suspect guess \
    seems appears please let's let need needs want ensure ensures ensuring make makes making next plan \
    going try wait waiting before goal must i'll we'll you'll it'll they'll can whether i'd to-do \
    in-progress remaining get gets getting claim claims claimed claiming";

/// Conditions that may also follow a claim ("passes if you set X").
pub(super) const CONDITIONS: &str = "if unless once assuming provided until except only when";

/// Words that make a claim somebody else's, or that of another time or place.
pub(super) const OTHERS: &str = "ci | pipeline | pipelines | github | gitlab | jenkins | \
    workflow | nightly | subagent | sub-agent | subagents | reviewer | teammate | colleague | \
    the user | you ran | you've run | you confirmed | you said | you reported | you verified | \
    you tested | you mentioned | you told | you pasted | you posted | you sent | your machine | your side | your end | your run | \
    your local | as you | earlier | previous | last time | last turn | last session | yesterday | \
    on main | on master | on trunk | upstream | baseline | in staging | as before";

/// Words of a heading or an introduction under which a list says what is to be.
pub(super) const PLANS: &str = "next | todo | to-do | to do | plan | criteria | needs | need | required | \
    requirement | requirements | acceptance | expected | should | must | goal | goals | definition | \
    recommended | recommend | suggested | suggestions | how to | before | want | remaining | follow-up | \
    follow-ups | asked | steps to | prerequisites | once | will | i'll | you can | checks that";

/// Verbs of having run something.
pub(super) const RAN: &str = "ran reran re-ran executed";

/// Helpers with which "run" is in the past ("were run").
pub(super) const HELPERS: &str =
    "have has was were been i've we've had haven't hasn't wasn't weren't not";

/// Words after which "running" is a thing of the past ("after running the tests").
pub(super) const AFTER: &str = "after by without upon from finished";

/// Words before "run" as a noun ("a full test run"), and those before these.
pub(super) const RUN_NOUNS: &str = "test full clean complete green suite";
pub(super) const RUN_BY: &str = "by with via using through";

/// Words between "ran" and what was run.
pub(super) const BETWEEN: &str = "a whole entire complete our following same run exec npx";

/// Words after "make" where it is the program.
pub(super) const TARGETS: &str = "test check lint build all ci verify";

/// Subjects of which one alone is no more than a part.
pub(super) const SINGLE: &str = "test spec e2e assertions";

/// Subjects that say by themselves that all is well ("it compiles").
pub(super) const SAYING: &str = "compiles typechecks type-checks";

/// Whose run is not the author's.
pub(super) const NOT_ME: &str = "you they he she user ci it";

/// What is counted where it passes.
pub(super) const COUNTED: &str = "passed passing pass passes green ✅ succeeded succeed";

/// What may be counted beside [`COUNTED`].
pub(super) const THINGS: &str = "all test tests specs spec cases examples unit assertions checks";

/// Whether a list has a word.
pub(super) fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

/// Where one of a list's phrases begins.
pub(super) fn find_any(words: &[alloc::string::String], phrases: &str) -> Option<usize> {
    let mut phrases = phrases.split('|');
    phrases.find_map(|phrase| {
        let phrase: alloc::vec::Vec<&str> = phrase.split_ascii_whitespace().collect();
        find(words, &phrase)
    })
}

/// The place of a group of words.
pub(super) fn find(words: &[alloc::string::String], phrase: &[&str]) -> Option<usize> {
    words.windows(phrase.len().max(1)).position(|window| {
        window
            .iter()
            .zip(phrase)
            .all(|(word, wanted)| word == wanted)
    })
}
