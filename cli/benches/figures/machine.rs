//! What the figures were measured on.

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// Prints the machine.
pub fn print() {
    let info = read("/proc/cpuinfo");
    let model = info.lines().find_map(|l| l.strip_prefix("model name"));
    let model = model.map_or("unknown", |m| m.trim_start_matches([' ', '\t', ':']));
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    println!(
        "machine   {model}, {cores} cores, kernel {}",
        read("/proc/sys/kernel/osrelease").trim()
    );
    println!("files     {}", std::env::temp_dir().display());
    print_load("before");
    println!(
        "times in milliseconds, process start to exit; CPU is user and system time of the process"
    );
}

/// Prints the load average.
pub fn print_load(when: &str) {
    println!("load      {} ({when})", read("/proc/loadavg").trim());
}
