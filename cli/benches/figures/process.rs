//! One process from its start to its exit.

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// A program with its arguments.
#[derive(Debug, Clone)]
pub struct Program {
    path: PathBuf,
    arguments: Vec<String>,
    folder: PathBuf,
}

/// What one run cost, in milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// Wall clock.
    pub wall: f64,
    /// User and system time.
    pub cpu: f64,
}

impl Program {
    /// A program that runs in that folder, with nothing of our environment but the path.
    pub fn new(path: impl Into<PathBuf>, arguments: &[&str], folder: &Path) -> Self {
        Self {
            path: path.into(),
            arguments: arguments.iter().map(|a| (*a).to_owned()).collect(),
            folder: folder.to_path_buf(),
        }
    }

    fn command(&self, stdin: &Path) -> Command {
        let mut command = Command::new(&self.path);
        command
            .args(&self.arguments)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .current_dir(&self.folder)
            .stdin(File::open(stdin).unwrap())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    /// Runs it alone, with a file as its input. No other child may end meanwhile.
    pub fn cost(&self, stdin: &Path) -> Cost {
        let mut command = self.command(stdin);
        let cpu = children();
        let start = Instant::now();
        let status = command.spawn().unwrap().wait().unwrap();
        let wall = start.elapsed().as_secs_f64() * 1e3;
        assert!(status.success(), "{} failed", self.path.display());
        Cost {
            wall,
            cpu: children() - cpu,
        }
    }

    /// Runs it once for each input, all started together.
    pub fn at_once(&self, inputs: &[PathBuf]) -> Vec<Cost> {
        let cpu = children();
        let walls: Vec<f64> = std::thread::scope(|scope| {
            let run = |input: &PathBuf| {
                let mut command = self.command(input);
                scope.spawn(move || {
                    let start = Instant::now();
                    assert!(command.spawn().unwrap().wait().unwrap().success());
                    start.elapsed().as_secs_f64() * 1e3
                })
            };
            let threads: Vec<_> = inputs.iter().map(run).collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        let cpu = (children() - cpu) / inputs.len() as f64;
        walls.into_iter().map(|wall| Cost { wall, cpu }).collect()
    }
}

/// CPU time of all children that ended, in milliseconds.
fn children() -> f64 {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
    (usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64 / 1e3
}

/// CPU time of a running process, in milliseconds, by the clock tick.
pub fn cpu_of(pid: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .collect();
    let ticks: f64 = fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap();
    ticks * 10.0
}
