//! The program `contentgen-faults` as users run it.

use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_contentgen-faults")).args(arguments).output().unwrap()
}

#[test]
fn list_names_every_fault_for_people_and_for_programs() {
    let rows: Vec<Value> = serde_json::from_slice(&run(&["list", "--json"]).stdout).unwrap();
    assert_eq!(rows.len(), contentgen_faults::catalogue::all().count());
    let lines = String::from_utf8(run(&["list", "--only", "paging."]).stdout).unwrap();
    let paging = rows.iter().filter(|row| row["area"] == "paging").count();
    assert!(paging > 0 && lines.lines().count() == paging);
    for line in lines.lines() {
        assert!(line.starts_with("paging.") && line.ends_with('.'), "{line}");
    }
}

#[test]
fn a_mistyped_fault_is_answered_with_those_like_it() {
    let output = run(&["serve", "--upstream", "http://127.0.0.1:9", "--fault", "http.no-alow"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("`http.no-alow`") && said.contains("http.no-allow"), "{said}");
}

#[test]
fn an_address_that_is_taken_ends_it_with_a_sentence() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = run(&["serve", "--upstream", "http://127.0.0.1:9", "--listen", &address]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(said.contains("cannot listen on") && said.contains(&address), "{said}");
}
