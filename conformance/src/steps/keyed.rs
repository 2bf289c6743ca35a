//! Requests with an `Idempotency-Key`.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::check::{Context, Exchange, Halt, Request, demand};
use crate::steps;
use crate::strategies::Draw;

/// Draws a key of 1 to 60 characters that needs no quotes.
pub(crate) fn key(_: &crate::strategies::Space, draw: &mut Draw) -> Value {
    json!(draw.value(&"[!#-+./0-:<-\\[\\]-~-]{1,60}"))
}

/// Returns a request to generate with this key.
pub(crate) fn keyed(body: &Value, key: &str) -> Request {
    steps::generate(body).header("idempotency-key", key)
}

/// Queues an article under a new key. Returns the body, the key and the response.
pub(crate) async fn first(context: &Context, topic: &str) -> Result<(Value, String, Arc<Exchange>), Halt> {
    let body = steps::quiet_request(context, topic);
    let key = context.fresh("key");
    let exchange = context.send(keyed(&body, &key)).await?;
    demand::success(&exchange)?;
    Ok((body, key, exchange))
}
