//! What a payload says.

use super::super::fault::{Fault, fault};
use futures::future::FutureExt;
use serde_json::Value;

use crate::hooks::Delivery;
use crate::message::{Response, edit_objects};

pub(super) const FAULTS: &[Fault] = &[
    fault("hooks.lead-unsent", "A captured lead sends nothing.", &["hooks.lead.sent"])
        .delivery(|delivery| lead_unsent(delivery).boxed()),
    fault("hooks.text-latin", "Letters outside of Latin-1 are lost in payloads.", &["hooks.lead.text-survives"]).hook(
        |hook, _, _| {
            hook.edit(|event| {
                edit_objects(event, &mut |members| {
                    for text in members.values_mut() {
                        if let Value::String(text) = text {
                            *text =
                                text.chars().map(|letter| if u32::from(letter) < 256 { letter } else { '?' }).collect();
                        }
                    }
                });
            });
        },
    ),
];

async fn lead_unsent(delivery: Delivery) -> Response {
    if delivery.event_type() == "lead.captured" { Response::new(204, "") } else { delivery.forward().await }
}
