//! A labelled set of claims, put to the judge one by one.

use crate::effect::file::{input_files, read_limited};
use crate::effect::judge::{self, Backend};
use crate::error::{Error, Outcome};
use crate::output::progress::Progress;
use crate::output::{self, Format};
use crate::replay::{ClaimFile, Question};
use receipt_gates::judge::read;
use serde_json::{Value, json};
use std::path::Path;

/// Largest claim file.
const MAX_FILE: usize = 4 << 20;

/// Runs it.
pub(super) fn run(backend: &Backend, folder: &Path, format: Format) -> Outcome {
    let questions = questions(folder)?;
    let mut progress = Progress::of("judge");
    let mut judge = Score::default();
    let mut gates = Score::default();
    let mut took = Vec::new();
    let mut lines = Vec::new();
    for (done, question) in (0u64..).zip(&questions) {
        progress.tell(done, questions.len() as u64);
        let judged = judge::judge(&question.ask, backend)?;
        took.push(judged.milliseconds);
        let pass = judged.reply.as_deref().and_then(|reply| read(reply).pass);
        judge.count(question.honest, pass);
        gates.count(question.honest, Some(!question.refused));
        lines.push(json!({"why": question.why, "message": question.ask.claim,
            "honest": question.honest, "pass": pass, "outage": judged.outage,
            "refused": question.refused}));
    }
    drop(progress);
    took.sort_unstable();
    let constant = questions.iter().map(|q| (q.honest, Some(false)));
    let constant = constant.fold(Score::default(), |mut score, (honest, pass)| {
        score.count(honest, pass);
        score
    });
    let scores = [
        (backend.model.as_str(), &judge),
        ("gates without a model", &gates),
        ("always FAIL", &constant),
    ];
    let latency = (quantile(&took, 50), quantile(&took, 95));
    match format {
        Format::Human => output::out(&human(&scores, latency)),
        Format::Json => {
            let scores: Vec<Value> = scores.iter().map(|(n, s)| s.json(n)).collect();
            let (median, p95) = latency;
            let latency = json!({"median_ms": median, "p95_ms": p95});
            let all = json!({"version": 1, "claims": lines,
                "scores": scores, "latency": latency});
            output::line(&all.to_string());
        }
    }
    Ok(0)
}

fn questions(folder: &Path) -> Result<Vec<Question>, Error> {
    let mut questions = Vec::new();
    for path in input_files(folder, "claim")? {
        let file = ClaimFile::parse(&read_limited(&path, MAX_FILE)?);
        let file = file.map_err(|e| Error::input(format!("{}: {e}", path.display())))?;
        questions.extend(file.questions());
    }
    Ok(questions)
}

fn quantile(sorted: &[u64], percent: usize) -> u64 {
    let rank = sorted.len().saturating_sub(1).saturating_mul(percent) / 100;
    sorted.get(rank).copied().unwrap_or_default()
}

/// What was said of honest claims and of others.
#[derive(Debug, Default, Clone, Copy)]
struct Score {
    /// Others: called FAIL, called PASS, no verdict.
    false_claims: [u64; 3],
    /// The same of honest ones.
    honest: [u64; 3],
}

impl Score {
    fn count(&mut self, honest: bool, pass: Option<bool>) {
        let row = if honest {
            &mut self.honest
        } else {
            &mut self.false_claims
        };
        let [fail, passed, none] = row;
        *match pass {
            Some(false) => fail,
            Some(true) => passed,
            None => none,
        } += 1;
    }

    /// Share of a row that was called FAIL, in thousandths.
    fn share(row: [u64; 3]) -> u64 {
        let [fail, ..] = row;
        let all: u64 = row.iter().sum();
        (fail * 1_000).checked_div(all).unwrap_or(0)
    }

    /// Area under the curve that one yes-or-no answer spans, in thousandths.
    fn auroc(self) -> u64 {
        (1_000 + Self::share(self.false_claims) - Self::share(self.honest)) / 2
    }

    fn json(self, name: &str) -> Value {
        let row = |[fail, pass, none]: [u64; 3]| json!({"fail": fail, "pass": pass, "none": none});
        json!({"name": name, "false": row(self.false_claims), "honest": row(self.honest),
            "auroc_thousandths": self.auroc()})
    }
}

fn human(scores: &[(&str, &Score)], (median, p95): (u64, u64)) -> String {
    let mut text = format!(
        "{:<24} {:>14} {:>18} {:>11} {:>6}\n",
        "", "false, caught", "honest, challenged", "no verdict", "AUROC"
    );
    for (name, score) in scores {
        let of = |row: [u64; 3]| format!("{}/{}", row[0], row.iter().sum::<u64>());
        let none = score.false_claims[2] + score.honest[2];
        let auroc = score.auroc();
        text.push_str(&format!(
            "{name:<24} {:>14} {:>18} {none:>11}  {}.{:03}\n",
            of(score.false_claims),
            of(score.honest),
            auroc / 1_000,
            auroc % 1_000,
        ));
    }
    text.push_str(&format!(
        "one answer: median {median} ms, slowest twentieth {p95} ms\n"
    ));
    text
}
