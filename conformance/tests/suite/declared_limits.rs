//! Limits that the operator of a target configured in `[target.limits]`.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

use contentgen_conformance::check::{Capability, Facts};
use contentgen_conformance::contract::ContentGeneration;
use contentgen_conformance::requirements::catalogue;
use contentgen_conformance::runner::{Account, Contract as _, Selection, Settings, Suite};
use contentgen_conformance::spec::{Document, Profile};
use contentgen_conformance::strategies::{Draw, Space};
use serde_json::json;

use crate::support::cli::{Ended, Workplace, guarded};
use crate::support::documented::{self, documented};
use crate::support::facts::facts;

/// Runs one requirement against a server whose operator configured these limits.
fn run(limits: &str) -> (Ended, Workplace) {
    let fake = guarded(404);
    let place = Workplace::new();
    let text =
        format!("[target]\nbase_url = \"{}\"\nwebsite_id = \"web_1\"\n[target.limits]\n{limits}\n", fake.base_url);
    place.write("c.toml", &text);
    (place.run(&["run", "--config", "c.toml", "--only", "auth.wrong-key.refused", "--report-dir", "r"]), place)
}

#[test]
fn each_configurable_limit_can_be_declared_and_the_reports_list_it() {
    let document = Document::embedded(Profile::Full).unwrap();
    let names: Vec<&str> = document.configurable_limits().collect();
    assert!(names.contains(&"rate_generate") && names.contains(&"hook_timeout") && names.len() >= 8, "{names:?}");
    let (ended, place) = run(&format!("{} = 7", names.join(" = 7\n")));
    assert_eq!(ended.code, 0, "{}{}", ended.output, ended.errors);
    let notes = place.json("r/report.json")["notes"].to_string();
    assert!(notes.contains("hook_timeout 7 (default 15)"), "{notes}");
    assert!(names.iter().all(|name| notes.contains(&format!("{name} 7 "))), "{notes}");
}

#[test]
fn a_limit_that_cannot_be_declared_is_one_sentence_that_names_the_others() {
    for (limits, hint) in [
        ("page_size = 50", "`page_size` is not a limit that an operator may configure; these are: "),
        ("rate = 5", "rate_generate"),
        ("rate_generate = 0", "nonzero"),
        ("rate_generate = -1", "nonzero"),
        ("rate_generate = 2.5", "nonzero"),
        ("rate_generate = \"5\"", "nonzero"),
        ("rate_generate = 4294967296", "nonzero"),
    ] {
        let (ended, _) = run(limits);
        assert_eq!(ended.code, 2, "{limits}: {}", ended.errors);
        assert!(ended.errors.contains(hint) && ended.errors.lines().count() == 1, "{limits}: {}", ended.errors);
    }
}

#[test]
fn a_declared_limit_takes_the_place_of_the_default() {
    let default = Document::embedded(Profile::Full).unwrap();
    let declare = |name: &str, maximum| {
        let maximums = BTreeMap::from([(name.to_owned(), NonZeroU32::new(maximum).unwrap())]);
        default.with_limits(&maximums)
    };
    let declared = declare("capture_rate", 30);
    assert_eq!(declared.digest(), default.digest(), "the target is checked by the same document");
    let facts = Facts { capabilities: BTreeSet::from([Capability::LEAD_FORM]), ..facts() };
    let capture = |document: &Document| ContentGeneration.unannounced_quotas(document, &facts)[0].requests;
    assert_eq!((capture(&default), capture(&declared)), (10, 30));
    let requirement = catalogue().into_iter().find(|one| one.id == "jobs.cancel.frees-place").unwrap();
    let room = |document: Document| {
        let space = Space::new(document.into(), "web_1");
        requirement.draw(&space, &mut Draw::new(3, requirement.id, 0))["room"].clone()
    };
    assert_eq!(room(declare("unfinished_jobs_per_website", 7)), json!(7));
    assert_eq!(room(declare("unfinished_jobs_per_website", 900)), json!(500), "as many as the account may have");
    assert_eq!(room(declare("unfinished_jobs_per_account", 9)), json!(9));
}

#[tokio::test(start_paused = true)]
async fn a_declared_rate_is_estimated_with_where_the_target_announces_none() {
    let fake = documented(&[], |_| None);
    let account = Account { api_key: documented::KEY.to_owned(), website_id: Some("site-9".to_owned()) };
    let mut target = fake.target(account);
    target.declared_limits.insert("rate_generate".to_owned(), NonZeroU32::MIN);
    let selection = Selection { only: vec!["generate.documented".to_owned()], skip: Vec::new() };
    let settings = Settings { profile: Profile::Core, selection, cases: 16, seed: 8, ..Settings::default() };
    let run = Suite::new(ContentGeneration, target).with(settings).run(&|_| {}).await.unwrap();
    let notes = run.notes.join("\n");
    assert!(notes.contains("rate_generate 1 (default 20)"), "{notes}");
    assert!(notes.contains("at the target's quotas (generate 1 in 60 s)"), "{notes}");
}
