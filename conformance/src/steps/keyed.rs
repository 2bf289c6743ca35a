//! Requests with an `Idempotency-Key`.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::check::{Context, Exchange, Halt, Request, demand};
use crate::steps;
use crate::strategies::Draw;

/// A key of 1 to 60 of the letters that one may have without quotes.
pub(crate) fn key(_: &crate::strategies::Space, draw: &mut Draw) -> Value {
    json!(draw.value(&"[!#-+./0-:<-\\[\\]-~-]{1,60}"))
}

/// The order of `body` with that key.
pub(crate) fn keyed(body: &Value, key: &str) -> Request {
    steps::generate(body).header("idempotency-key", key)
}

/// An order with a key of its own that was taken: its body, the key, and the answer.
pub(crate) async fn first(context: &Context, topic: &str) -> Result<(Value, String, Arc<Exchange>), Halt> {
    let body = steps::quiet_request(context, topic);
    let key = context.fresh("key");
    let exchange = context.send(keyed(&body, &key)).await?;
    demand::success(&exchange)?;
    Ok((body, key, exchange))
}
