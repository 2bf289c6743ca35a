//! The largest body, for every operation.

use serde_json::{Value, json};

use crate::check::{Cases, Context, Requirement, Verdict, demand};
use crate::steps::{control, operations};
use crate::strategies::{Draw, Space};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "limits.body.everywhere",
            "Every operation answers a body over 64 KiB with 413 payload_too_large, even where no body is needed.",
            "openapi.yaml, x-limits",
            body,
        )
        .drawn("every operation", Cases::Listed(operations::count), one_byte_too_many),
    ]
}

fn one_byte_too_many(space: &Space, draw: &mut Draw) -> Value {
    json!({
        "operation": operations::each(space, draw),
        "bytes": space.document().limit_number("request_body", "maximum") + 1,
    })
}

async fn body(context: Context, case: Value) -> Verdict {
    let size = usize::try_from(case["bytes"].as_u64().unwrap_or(0)).unwrap_or(0);
    let whole = operations::made_up(operations::of_case(&context, &case)?);
    let mut request = whole.clone();
    request.headers.clear();
    let request = request.bytes("application/json", vec![b' '; size]);
    demand::problem(&*context.send(request).await?, 413, &["payload_too_large"])?;
    control::let_through(&context, whole, &[413]).await
}
