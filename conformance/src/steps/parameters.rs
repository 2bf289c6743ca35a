//! Query parameters with values at the edges of their schemas, and beyond.

use serde_json::Value;

use super::{control, lists, operations, segment};
use crate::check::{Context, Exchange, Halt, Request, Verdict, demand};

/// Returns the request of a case `{operation, parameter, value}`.
pub(crate) fn request(context: &Context, case: &Value) -> Result<Request, Halt> {
    let request = operations::made_up(operations::of_case(context, case)?);
    let (name, value) = (demand::text(case, "parameter")?, case["value"].as_str().unwrap_or_default());
    Ok(Request { path: format!("{}?{name}={}", request.path, segment(value)), ..request })
}

/// Demands that the value is accepted, and returns the page.
pub(crate) async fn taken(context: &Context, case: &Value) -> Result<std::sync::Arc<Exchange>, Halt> {
    let exchange = context.send(request(context, case)?).await?;
    demand::status(&exchange, 200)?;
    lists::is_page(&exchange)?;
    Ok(exchange)
}

/// Demands that the value is refused with 422 that names the parameter, with one of the codes of the case. Without it the list is shown.
pub(crate) async fn refused(context: &Context, case: &Value) -> Verdict {
    let exchange = context.send(request(context, case)?).await?;
    let codes: Vec<&str> = case["codes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    demand::parameter_error(&exchange, demand::text(case, "parameter")?, &codes)?;
    control::accepted(context, operations::made_up(operations::of_case(context, case)?)).await
}
