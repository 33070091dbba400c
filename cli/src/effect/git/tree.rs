//! Questions about a tree and the rules by which files are left out of it.

use super::{Missing, Repository, checked};
use crate::effect::unseen::Rule;
use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;

impl Repository {
    /// The worktree's root.
    pub(crate) fn worktree(&self) -> &Path {
        &self.worktree
    }

    /// The difference of two trees in these files as a patch without context.
    pub(crate) fn patch(&self, from: &str, to: &str, paths: &[&str]) -> Result<Vec<u8>, Missing> {
        let (from, to) = (checked(from)?, checked(to)?);
        let fixed = [
            "--literal-pathspecs",
            "diff-tree",
            "-r",
            "--patch",
            "--unified=0",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            from,
            to,
            "--",
        ];
        let all: Vec<&str> = fixed.iter().chain(paths).copied().collect();
        self.git(&all)
    }

    /// Whether a tree holds a file at each of these paths, none with a newline.
    pub(crate) fn holds(&self, tree: &str, paths: &[&str]) -> Result<Vec<bool>, Missing> {
        let tree = checked(tree)?;
        let wish: String = paths.iter().map(|p| format!("{tree}:{p}\n")).collect();
        let out = self.ask(&["cat-file", "--batch-check=%(objecttype)"], &wish)?;
        let answers = out.split(|b| *b == b'\n').filter(|line| !line.is_empty());
        let there: Vec<bool> = answers.map(|line| line == b"blob").collect();
        (there.len() == paths.len())
            .then_some(there)
            .ok_or(Missing::Git)
    }

    /// By which rule each of these paths is ignored, none beyond a symlink or in
    /// another repository.
    pub(crate) fn ignored(&self, paths: &[&str]) -> Result<Vec<Option<Rule>>, Missing> {
        let wish: String = paths.iter().map(|p| format!("{p}\0")).collect();
        let check = ["check-ignore", "-z", "-v", "-n", "--no-index", "--stdin"];
        let out = match self.ask(&check, &wish) {
            // It fails where none is ignored.
            Err(Missing::Git) => return Ok(vec![None; paths.len()]),
            other => other?,
        };
        // Four fields for each path: file, line number, pattern, path.
        let fields: Vec<_> = out
            .split(|b| *b == 0)
            .map(String::from_utf8_lossy)
            .collect();
        let rules = fields.chunks_exact(4).map(|of_path| match of_path {
            [source, line, pattern, _] if !source.is_empty() && !pattern.starts_with('!') => {
                Some(Rule {
                    source: source.to_string(),
                    pattern: pattern.to_string(),
                    line: line.parse().unwrap_or(usize::MAX),
                })
            }
            _ => None,
        });
        let rules: Vec<_> = rules.collect();
        (rules.len() == paths.len())
            .then_some(rules)
            .ok_or(Missing::Git)
    }

    /// A file's text in a tree.
    pub(crate) fn text(&self, tree: &str, path: &str) -> Result<String, Missing> {
        let name = format!("{}:{path}", checked(tree)?);
        let bytes = self.git(&["cat-file", "blob", &name])?;
        String::from_utf8(bytes).map_err(|_| Missing::Git)
    }

    /// Runs git with something to read.
    fn ask(&self, arguments: &[&str], input: &str) -> Result<Vec<u8>, Missing> {
        let file = self.private.join("asked");
        std::fs::write(&file, input).map_err(|_| Missing::Git)?;
        let input = File::open(&file).map_err(|_| Missing::Git)?;
        self.run(arguments.iter().map(OsStr::new), input.into())
    }
}
