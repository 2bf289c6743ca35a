//! Query parameters with values that the document decides on.

use serde_json::Value;

use super::{control, lists, operations, segment};
use crate::check::{Context, Exchange, Halt, Request, Verdict, demand};

/// The request of a case `{operation, parameter, value}`.
pub(crate) fn request(context: &Context, case: &Value) -> Result<Request, Halt> {
    let request = operations::made_up(operations::of_case(context, case)?);
    let (name, value) = (demand::text(case, "parameter")?, case["value"].as_str().unwrap_or_default());
    Ok(Request { path: format!("{}?{name}={}", request.path, segment(value)), ..request })
}

/// A value at an edge is taken: the page.
pub(crate) async fn taken(context: &Context, case: &Value) -> Result<std::sync::Arc<Exchange>, Halt> {
    let exchange = context.send(request(context, case)?).await?;
    demand::status(&exchange, 200)?;
    lists::is_page(&exchange)?;
    Ok(exchange)
}

/// A value beyond is refused with 422 that names the parameter, with one of the case's codes; without it the list is shown.
pub(crate) async fn refused(context: &Context, case: &Value) -> Verdict {
    let exchange = context.send(request(context, case)?).await?;
    let codes: Vec<&str> = case["codes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    demand::parameter_error(&exchange, demand::text(case, "parameter")?, &codes)?;
    control::accepted(context, operations::made_up(operations::of_case(context, case)?)).await
}
