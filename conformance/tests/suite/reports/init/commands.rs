//! `init` tries the commands that the user enters.

use crate::support::cli::{Ended, Workplace};

use super::{init, written};

/// Signing secret that the scripts of these tests print. It must not appear in any output.
const SECRET: &str = "whsec_c2VjcmV0IG9mIGEgdGVzdA";

/// Registers under a new id each time, and records the request.
const REGISTER: &str = r#"echo "$1" >> asked
echo '{"id": "hook_'$(wc -l < asked)'", "secret": "'$(wc -l < asked)'whsec_c2VjcmV0IG9mIGEgdGVzdA"}'"#;

/// Gives the answers for `core` up to the commands, the given ones, and defaults for the rest.
fn hooks(place: &Workplace, answers: &[&str]) -> Ended {
    let before = "\n".repeat(7);
    let ended = init(place, &[], &format!("{before}{}\n", answers.join("\n")));
    assert!(!ended.output.contains(SECRET) && !ended.errors.contains(SECRET), "{}", ended.output);
    assert_eq!(ended.code, 0, "{}", ended.errors);
    ended
}

fn expect(ended: &Ended, words: &[&str]) {
    for word in words {
        assert!(ended.output.contains(word), "{word} is missing in {}", ended.output);
    }
}

#[test]
fn a_throw_away_address_is_registered_and_removed_and_the_secret_not_shown() {
    let place = Workplace::new();
    place.write_script("register.sh", REGISTER);
    place.write_script("remove.sh", r#"echo "$1" >> removed; grep -c "^$1$" removed | grep -q "^1$""#);
    let ended = hooks(&place, &["./register.sh {url}", "./remove.sh {id}", "http://127.0.0.1:{port}/in/", ""]);
    expect(&ended, &["the id hook_1 and a secret of", "remove: succeeded for hook_1"]);
    assert!(!ended.output.contains("Wrong") && !ended.output.contains("nothing left to remove"), "{}", ended.output);
    let asked = place.read("asked");
    assert!(asked.lines().all(|url| url.starts_with("http://127.0.0.1:") && url.contains("/in/conf")), "{asked}");
    assert!(!asked.contains("{port}"), "{asked}");
    assert_eq!(written(&place).hooks.unwrap().remove.unwrap(), ["./remove.sh", "{id}"]);
}

#[test]
fn what_is_wrong_with_a_command_is_told_and_can_be_corrected() {
    for (script, remove, wrong) in [
        (
            "echo 'the session is over' >&2; exit 3",
            "",
            "register: `./bad.sh` ended with exit status: 3: the session is over",
        ),
        ("true", "", "register: `./bad.sh` printed nothing"),
        ("echo whsec_c2VjcmV0IG9mIGEgdGVzdA", "./remove.sh {id}", "register: `./bad.sh` printed no id"),
        ("yes whsec_c2VjcmV0IG9mIGEgdGVzdA", "", "register: `./bad.sh` printed more than 64 KiB"),
    ] {
        let place = Workplace::new();
        place.write_script("bad.sh", script);
        place.write_script("register.sh", REGISTER);
        place.write_script("remove.sh", "true");
        let answers = ["./bad.sh {url}", remove, "", "yes", "./register.sh {url}", "./remove.sh {id}", "", "no"];
        let ended = hooks(&place, &answers);
        expect(&ended, &[&format!("Wrong: {wrong}"), "Correct the commands now", "the id hook_1"]);
        let hooks = written(&place).hooks.unwrap();
        assert_eq!(hooks.register.unwrap(), ["./register.sh", "{url}"], "the one that was corrected");
        assert!(!hooks.standard_webhooks);
    }
}

#[test]
fn a_removal_that_fails_or_knows_no_id_is_wrong() {
    let place = Workplace::new();
    place.write_script("register.sh", REGISTER);
    place.write_script("remove.sh", "echo 'no such hook' >&2; exit 1");
    let ended = hooks(&place, &["./register.sh {url}", "./remove.sh {id}", "", "no"]);
    expect(&ended, &["Wrong: remove: `./remove.sh` ended with exit status: 1: no such hook"]);
    let place = Workplace::new();
    place.write_script("register.sh", REGISTER);
    let ended = hooks(&place, &["./register.sh {url}", "./remove.sh", "", "no"]);
    expect(&ended, &["Wrong: remove: no argument contains {id}"]);
    assert!(!place.has("asked"), "nothing is registered that could not be removed");
}

#[test]
fn a_removal_that_removes_nothing_is_told_where_it_shows_and_doubted_where_it_does_not() {
    // For a registered address, the server returns the same id and secret again.
    let place = Workplace::new();
    place.write_script("register.sh", r#"echo '{"id": "hook_7", "secret": "whsec_c2VjcmV0IG9mIGEgdGVzdA"}'"#);
    place.write_script("remove.sh", "true");
    let ended = hooks(&place, &["./register.sh {url}", "./remove.sh {id}", "", "no"]);
    expect(&ended, &["Wrong: remove: it succeeded but removed nothing", "the same hook_7"]);

    let place = Workplace::new();
    place.write_script("register.sh", REGISTER);
    place.write_script("remove.sh", "true");
    let ended = hooks(&place, &["./register.sh {url}", "./remove.sh {id}", "", ""]);
    expect(&ended, &["hooks.registration.removed checks whether it removes anything"]);
    assert!(!ended.output.contains("Wrong"), "many servers remove what is gone without a word: {}", ended.output);
}

#[test]
fn what_full_makes_use_of_is_asked_for_and_the_website_paused_and_let_go_on() {
    let place = Workplace::new();
    place.write_script("pause.sh", r#"echo "pause $1" >> switched"#);
    place.write_script("resume.sh", r#"echo "resume $1" >> switched"#);
    place.write_script("broken.sh", "exit 4");
    let answers = [
        "",
        "full",
        "",
        "web_1",
        "",
        "",
        "",
        "",
        "",
        "LIMITED",
        "NARROW",
        "REVOKED",
        "EXPIRED",
        "RESTRICTED",
        "web_4",
        "web_3",
        "Synergy",
        "web_5",
        "./pause.sh {website_id}",
        "./broken.sh",
        "yes",
        "",
        "",
        "./resume.sh {website_id}",
    ];
    let ended = init(&place, &[], &(answers.join("\n") + "\n"));
    assert_eq!(ended.code, 0, "{}", ended.errors);
    expect(&ended, &["Wrong: resume: `./broken.sh` ended with exit status: 4", "resume: succeeded for web_5"]);
    assert_eq!(place.read("switched"), "pause web_5\npause web_5\nresume web_5\n");
    let file = written(&place);
    let target = file.target;
    let keys = [target.small_quota, target.narrow_scope, target.revoked_key, target.expired_key];
    let keys = keys.map(|key| key.unwrap().api_key_env);
    assert_eq!(keys, ["LIMITED", "NARROW", "REVOKED", "EXPIRED"]);
    let restricted = target.restricted_key.unwrap();
    assert_eq!((restricted.api_key_env.as_str(), restricted.website_id.as_str()), ("RESTRICTED", "web_4"));
    assert_eq!(target.inactive_website_id.as_deref(), Some("web_3"));
    assert_eq!(file.failing_job.unwrap().topic.as_deref(), Some("Synergy"));
    let pausing = file.pausing.unwrap();
    assert_eq!(pausing.resume, ["./resume.sh", "{website_id}"]);
}
