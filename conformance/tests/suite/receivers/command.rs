//! The command `receiver`.

use super::wrong::{Bug, Receiver, SECRET};
use crate::support::cli::{Ended, Workplace};

fn run(place: &Workplace, arguments: &[&str]) -> Ended {
    let mut command = place.command(&[&["receiver", "--no-progress", "--seed", "3"], arguments].concat());
    crate::support::cli::ended(&command.env("CONTENTGEN_HOOK_SECRET", SECRET).output().unwrap())
}

#[test]
fn a_right_receiver_gets_a_verdict_and_reports_and_a_wrong_one_the_rule_that_it_breaks() {
    let place = Workplace::new();
    let right = Receiver::start(Bug::None);
    let only = ["--only", "receiver.signatures", "--report-dir", "reports"];
    let ended = run(&place, &[&["--url", right.url()], &only[..]].concat());
    assert!(ended.code == 0 && ended.output.contains("signatures 4/4"), "{} {}", ended.output, ended.errors);
    for name in ["report.html", "report.json", "junit.xml", "badge.svg"] {
        let text = place.read(&format!("reports/{name}"));
        assert!(!text.contains(SECRET) && !text.contains(SECRET.trim_start_matches("whsec_")), "{name}");
    }
    let wrong = Receiver::start(Bug::AcceptsAll);
    let ended = run(&place, &[&["--url", wrong.url()], &only[..]].concat());
    assert!(ended.code == 1 && ended.output.contains("FAIL receiver.signatures.wrong"), "{}", ended.output);
    let repeat = format!("contentgen-conformance receiver --url '{}' --secret-env CONTENTGEN_HOOK_SECRET", wrong.url());
    assert!(ended.output.contains(&repeat), "{}", ended.output);
    assert!(!place.has("reports/failures") && !place.read("reports/report.html").contains(" replay "));
}

#[test]
fn effects_are_asked_of_a_command() {
    let place = Workplace::new();
    let receiver = Receiver::start(Bug::None);
    let only = ["--only", "receiver.effects.once", "--url", receiver.url()];
    let ended = run(&place, &[&only[..], &["--effects", "printf 2 {event}"]].concat());
    assert!(ended.code == 1 && ended.output.contains("one effect of the event"), "{}", ended.output);
    let ended = run(&place, &[&only[..], &["--effects", "echo many {event}"]].concat());
    assert!(
        ended.code == 4 && ended.errors.contains("something else than a number"),
        "{} {}",
        ended.code,
        ended.errors
    );
}

#[test]
fn wrong_arguments_are_told_with_what_to_do() {
    let place = Workplace::new();
    for (arguments, code, told) in [
        (&["--url", "127.0.0.1:9000"][..], 2, "write it like http://"),
        (&["--url", "http://127.0.0.1:9/hooks", "--secret-env", "NO_SUCH_SECRET"], 2, "NO_SUCH_SECRET"),
        (&["--url", "http://127.0.0.1:9/hooks", "--effects", "count"], 2, "add {event}"),
        (&["--url", "http://127.0.0.1:9/hooks", "--effects", "sh -c 'count {event}'"], 2, "$CONTENTGEN_EVENT_ID"),
        (&["--url", "http://127.0.0.1:9/hooks", "--answer-within", "0s"], 2, "from 1s to 5m"),
        (&["--url", "http://127.0.0.1:9/hooks", "--only", "hooks"], 2, "receiver.answers.in-time"),
        (&["--url", "http://127.0.0.1:9/hooks"], 3, "cannot be reached"),
    ] {
        let ended = run(&place, arguments);
        assert!(ended.code == code && ended.errors.contains(told), "{arguments:?}: {} {}", ended.code, ended.errors);
        assert_eq!(ended.errors.lines().count(), 1, "{}", ended.errors);
    }
    let mut command = place.command(&["receiver", "--url", "http://127.0.0.1:9/hooks"]);
    let ended = crate::support::cli::ended(&command.env("CONTENTGEN_HOOK_SECRET", "whsec_c2hvcnQ=").output().unwrap());
    assert!(ended.code == 2 && ended.errors.contains("at least 24 bytes"), "{}", ended.errors);
    assert!(!ended.errors.contains("c2hvcnQ"), "{}", ended.errors);
}
