//! The list of websites.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Credential, Requirement, Verdict, demand, ensure};
use crate::steps::lists::List;
use crate::steps::searched;

const WEBSITES: &[Capability] = &[Capability::WEBSITES];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "websites.list.own",
            "The list of websites has the website under test with status active.",
            &[
                Sentence("Lists the websites that the key may use, newest first by creation."),
                Sentence("It must be active, and the key must be allowed to use it."),
            ],
            own_website,
        )
        .needs(WEBSITES),
    ]
}

async fn own_website(context: Context, _: Value) -> Verdict {
    let own = context.facts().website_id.as_str();
    let is_own = |row: &Value| row["website_id"] == own;
    let row = searched::row(&context, List::named("/websites"), "limit=100", Credential::Main, is_own).await?;
    let status = row.map_or(Value::Null, |row| row["status"].clone());
    ensure(status == "active", format!("website {own} with status active"), || demand::brief(&status))
}
