//! The largest body, for every operation.

use serde_json::{Value, json};

use crate::check::{Cases, Context, Requirement, Verdict, demand};
use crate::steps::every_operation::operation;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "limits.body.everywhere",
            "A body over 64 KiB is refused with 413 payload_too_large by every operation, also where none is needed.",
            "openapi.yaml, x-limits",
            body,
        )
        .drawn("every operation", Cases::Exactly(8), |_, draw| json!(draw.index())),
    ]
}

async fn body(context: Context, case: Value) -> Verdict {
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0);
    let request = operation(index).bytes("application/json", vec![b' '; 64 * 1024 + 1]);
    demand::problem(&*context.send(request).await?, 413, &["payload_too_large"])
}
