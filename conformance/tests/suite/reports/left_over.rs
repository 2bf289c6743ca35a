//! A run ends with a list of the registrations that it could not remove.

use crate::support::Fake;
use crate::support::cli::Workplace;

/// Creates a configuration with `more`, for a server that responds to everything with an empty list.
fn place(more: &str) -> (Fake, Workplace) {
    let fake = Fake::constant(200, r#"{"items":[]}"#);
    let place = Workplace::new();
    let base_url = &fake.base_url;
    place.write("c.toml", &format!("[target]\nbase_url = \"{base_url}\"\nwebsite_id = \"web_1\"\n{more}"));
    (fake, place)
}

#[test]
fn addresses_that_the_command_does_not_remove_are_told() {
    let (_fake, place) =
        place("[hooks]\nregister = [\"./register.sh\", \"{url}\"]\nremove = [\"./remove.sh\", \"{id}\"]\n");
    place.write_script("register.sh", r#"echo '{"id": "hook_1", "secret": "whsec_c2VjcmV0"}'"#);
    place.write_script("remove.sh", "echo 'no session' >&2; exit 1");
    let only = ["run", "--config", "c.toml", "--only", "auth.missing.challenge", "--report-dir", "r"];
    let run = place.run(&only);
    let told =
        "one of the suite's webhook endpoints is still registered: `./remove.sh` ended with exit status: 1: no session";
    assert!(run.errors.contains(told), "{}", run.errors);
    assert_eq!(place.json("r/report.json")["notes"].as_array().unwrap().last().unwrap(), told);
    place.write_script("remove.sh", "true");
    let run = place.run(&only);
    assert!(!run.errors.contains("still registered"), "{}", run.errors);
}

#[test]
fn an_id_that_is_more_than_an_id_gets_into_no_command() {
    let (_fake, place) =
        place("[hooks]\nregister = [\"./register.sh\", \"{url}\"]\nremove = [\"./remove.sh\", \"{id}\"]\n");
    place.write_script("register.sh", r#"printf %s '{"id": "hook_1\u001b[2J; true", "secret": "whsec_c2VjcmV0"}'"#);
    place.write_script("remove.sh", ": > removed");
    let run = place.run(&["run", "--config", "c.toml", "--only", "auth.missing.challenge", "--report-dir", "r"]);
    let told =
        r"no command is run with the value for {id}, `hook_1\u{1b}[2J; true`: it must have 1 to 128 of the characters";
    assert!(run.errors.contains(told), "{}", run.errors);
    assert!(!place.has("removed") && !run.errors.contains('\u{1b}'));
}

#[test]
fn no_more_than_four_commands_run_at_a_time() {
    let (_fake, place) = place(
        "[hooks]\nprobe_private_addresses = true\nregister = [\"./register.sh\", \"{url}\"]\nremove = [\"true\"]\n",
    );
    // Resumes when four requests run at a time, and checks for a fifth until then. Accepts only the receiver's address.
    place.write_script(
        "register.sh",
        r#"case "$1" in http://127.0.0.1*) echo '{"id": "hook_1", "secret": "whsec_c2VjcmV0"}'; exit ;; esac
mkdir -p running; : > running/$$
until [ -e four ]; do set -- running/*; echo $# >> seen; if [ $# -ge 4 ]; then : > four; fi; done
for look in 1 2 3 4 5 6 7 8 9 10; do set -- running/*; echo $# >> seen; done
rm running/$$; exit 1"#,
    );
    let only = ["--only", "hooks.registration.private-addresses", "--cases", "14", "--jobs", "14"];
    let run = place.run(&[&["run", "--config", "c.toml", "--report-dir", "r"][..], &only].concat());
    let seen = place.read("seen");
    let most = seen.lines().map(|line| line.trim().parse::<u32>().unwrap()).max();
    assert_eq!(most, Some(4), "{}", run.errors);
}

#[test]
fn a_website_that_stays_paused_is_told_and_a_pause_that_pauses_nothing_is_no_finding() {
    let pausing =
        "[pausing]\nwebsite_id = \"web_2\"\npause = [\"true\"]\nresume = [\"./resume.sh\", \"{website_id}\"]\n";
    let (_fake, place) = place(pausing);
    let only = ["run", "--config", "c.toml", "--only", "websites.pause.orders", "--report-dir", "r"];
    place.write_script("resume.sh", r#"echo "$1" >> resumed"#);
    let run = place.run(&only);
    assert!(run.errors.contains("OPEN") && run.errors.contains("does the command pause it?"), "{}", run.errors);
    assert_eq!(place.read("resumed"), "web_2\n", "it is resumed once");
    place.write_script("resume.sh", "exit 5");
    let run = place.run(&only);
    assert!(
        run.errors.contains("the website that was paused for a check is still paused: `./resume.sh`"),
        "{}",
        run.errors
    );
}

#[test]
fn what_is_lent_is_another_key_and_another_website_than_those_under_test() {
    for (lent, told) in [
        (
            "[target.revoked_key]\napi_key_env = \"CONTENTGEN_API_KEY\"\n",
            "target.revoked_key: it is the key under test",
        ),
        ("[failing_job]\n", "failing_job: give a topic, a website_id, or both"),
        (
            "[pausing]\nwebsite_id = \"web_1\"\npause = [\"true\"]\nresume = [\"true\"]\n",
            "pausing.website_id: other checks use this website",
        ),
        ("[target.expired_key]\napi_key_env = \"NOBODY_SET_IT\"\n", "NOBODY_SET_IT"),
    ] {
        let (_fake, place) = place(lent);
        let run = place.run(&["run", "--config", "c.toml", "--only", "auth"]);
        assert_eq!(run.code, 2, "{}", run.errors);
        assert!(run.errors.contains(told), "{}", run.errors);
    }
}
