//! The clocks.

use receipt_core::seal::Time;
use std::time::{Duration, SystemTime};

/// Microseconds since 1970.
#[allow(clippy::disallowed_methods, reason = "this is the one place")]
pub(crate) fn wall_us() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |d| u64::try_from(d.as_micros()).unwrap_or(u64::MAX))
}

/// Nanoseconds since boot, sleep included where the system counts it.
pub(crate) fn mono_ns() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    let nanos = u64::try_from(now.tv_nsec).unwrap_or(0);
    seconds.saturating_mul(1_000_000_000).saturating_add(nanos)
}

/// All clocks at once; the boot is read once by the caller.
pub(crate) fn time(boot: u128) -> Time {
    Time {
        wall_us: wall_us(),
        mono_ns: mono_ns(),
        boot,
    }
}

/// The id of this boot; zero where the system names none.
pub(crate) fn boot_id() -> u128 {
    let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let hex: String = text.chars().filter(char::is_ascii_hexdigit).collect();
    u128::from_str_radix(&hex, 16).unwrap_or(0)
}

/// A point in time after which to give up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(u64);

impl Deadline {
    /// That long from now.
    pub(crate) fn after(duration: Duration) -> Self {
        let nanos = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        Self(mono_ns().saturating_add(nanos))
    }

    /// What is left; `None` once passed.
    pub(crate) fn left(self) -> Option<Duration> {
        match self.0.saturating_sub(mono_ns()) {
            0 => None,
            nanos => Some(Duration::from_nanos(nanos)),
        }
    }
}
