//! `receipt doctor`: each thing that can be wrong is named, with what to do.

use crate::world::World;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;

fn report(world: &World) -> (i32, Value) {
    let ran = world.receipt(&["doctor", "--format", "json"]);
    (ran.code, serde_json::from_str(&ran.out).unwrap())
}

fn check<'a>(report: &'a Value, name: &str) -> &'a Value {
    let checks = report["checks"].as_array().unwrap();
    checks.iter().find(|c| c["name"] == name).unwrap()
}

fn event() -> Value {
    json!({"session_id": "s", "hook_event_name": "Notification", "message": "m"})
}

#[test]
fn a_home_in_order_is_in_order_with_the_service_and_without() {
    let world = World::new();
    for _ in 0..2 {
        let (code, report) = report(&world);
        assert_eq!(code, 0, "{report}");
        let checks = report["checks"].as_array().unwrap();
        let names: Vec<&str> = checks.iter().map(|c| c["name"].as_str().unwrap()).collect();
        assert_eq!(
            names,
            [
                "tier", "home", "socket", "service", "keys", "spool", "judge"
            ]
        );
        assert!(checks.iter().all(|c| c["state"] == "ok"), "{report}");
        assert!(
            check(&report, "tier")["text"]
                .as_str()
                .unwrap()
                .starts_with("same-user")
        );
        world.event(&event());
    }
    let ran = world.receipt(&["doctor"]);
    assert!(
        ran.out.contains("ok       service  runs, of version"),
        "{}",
        ran.out
    );
}

#[test]
fn what_is_wrong_is_a_fault_with_a_remedy() {
    type Break = fn(&World);
    let cases: [(&str, &str, Break); 4] = [
        ("keys", "chmod 600", |world| {
            let key = world.home().join("keys/verdict.pem");
            fs::set_permissions(key, fs::Permissions::from_mode(0o644)).unwrap();
        }),
        ("home", "receipt init", |world| {
            fs::rename(world.home().join("ledger"), world.path("away")).unwrap();
        }),
        ("socket", "remove", |world| {
            let run = world.home().join("run");
            fs::create_dir(&run).unwrap();
            fs::set_permissions(run, fs::Permissions::from_mode(0o777)).unwrap();
        }),
        ("spool", "look at", |world| {
            let aside = world.home().join("ledger/spool/quarantine");
            fs::create_dir_all(&aside).unwrap();
            fs::write(aside.join("x"), "x").unwrap();
        }),
    ];
    for (name, remedy, break_it) in cases {
        let world = World::new();
        break_it(&world);
        let (code, report) = report(&world);
        let found = check(&report, name);
        let fault = name != "spool";
        assert_eq!(code, i32::from(fault), "{report}");
        assert_eq!(
            found["state"],
            if fault { "fault" } else { "warning" },
            "{report}"
        );
        assert!(
            found["remedy"].as_str().unwrap().contains(remedy),
            "{report}"
        );
        assert_eq!(report["sound"], !fault);
    }
}

#[test]
fn events_that_wait_are_counted_and_it_changes_nothing() {
    let world = World::new();
    let run = world.home().join("run");
    fs::create_dir(&run).unwrap();
    fs::set_permissions(&run, fs::Permissions::from_mode(0o755)).unwrap();
    world.event(&event());
    fs::set_permissions(&run, fs::Permissions::from_mode(0o700)).unwrap();
    for _ in 0..2 {
        let (code, report) = report(&world);
        assert_eq!(code, 0, "{report}");
        let spool = check(&report, "spool");
        assert_eq!(
            (&spool["state"], &spool["text"]),
            (&json!("warning"), &json!("1 event waits"))
        );
    }
    assert_eq!(world.service(), None);
}
