//! Maximum size of a body, for every operation.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Cases, Context, Halt, Requirement, Verdict, demand, ensure_met};
use crate::steps::{control, operations};
use crate::strategies::{Draw, Space};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "limits.body.everywhere",
            "The response of the service to a body over 64 KiB is 413 payload_too_large, also for operations without a body.",
            &[
                Sentence("The body is larger than 64 KiB, or 16 KiB for a lead form."),
                Part("/x-problem-codes/payload_too_large/status"),
                Part("/x-limits/request_body"),
                Part("/paths/~1api~1v1~1websites/get/responses/413"),
            ],
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
    let exchange = match context.send(request).await {
        // A server may respond before it has read the whole body, and close the connection.
        Err(Halt::Fail(finding)) if finding.is_without_response() && !finding.is_timeout() => {
            return Err(Halt::Unmet("the connection broke while the body was sent".to_owned()));
        }
        sent => sent?,
    };
    let is_by_service = exchange.succeeded() || exchange.headers.contains_key("x-request-id");
    ensure_met(is_by_service, "the refusal has no X-Request-Id, so an HTTP library may have sent it")?;
    demand::problem(&exchange, 413, &["payload_too_large"])?;
    control::let_through(&context, whole, &[413]).await
}
