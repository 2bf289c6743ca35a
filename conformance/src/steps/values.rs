//! Requests with values at the edge of what the schema lets pass.

use crate::check::{Context, Exchange, Halt, Request};
use crate::steps;

/// Sends what must be refused.
pub(crate) async fn sent(context: &Context, request: Request) -> Result<std::sync::Arc<Exchange>, Halt> {
    let exchange = context.send(request).await?;
    if exchange.succeeded() {
        steps::discard(context, &exchange).await?;
    }
    Ok(exchange)
}
