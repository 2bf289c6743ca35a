//! `captured_at` of a lead: only the server sets it.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict};
use crate::steps::forms::with_unknown;
use crate::steps::times::{date_of, near};

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "capture.time.own",
            "captured_at is set by the server: a field captured_at in the lead form does not change it.",
            &[Sentence("When the lead was captured."), Sentence("The service ignores unknown fields.")],
            own_time,
        )
        .needs(FORM),
    ]
}

async fn own_time(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("time");
    let (response, lead) = with_unknown(&context, &marker, "captured_at", &json!("2001-02-03T04:05:06.000Z")).await?;
    near(&lead, "captured_at", date_of(&response)?)
}
