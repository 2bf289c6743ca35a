//! Refusals of keys that worked before: revoked or expired.

use serde_json::Value;

use super::credentials::challenge_with;
use super::{control, operations};
use crate::check::{About as _, Context, Credential, Request, Verdict, demand};

/// Fields of a problem that are the same for every kind of invalid key.
const TEXTS: [&str; 3] = ["type", "title", "detail"];

/// Demands that the operation refuses the key, and responds to the same request with the key under test.
pub(crate) async fn refused(context: &Context, credential: Credential, case: &Value) -> Verdict {
    let request = operations::with_website(context, operations::of_case(context, case)?);
    let exchange = context.send(request.clone().by(credential)).await?;
    demand::problem(&exchange, 401, &["invalid_credentials"])?;
    challenge_with(&exchange, "error", "invalid_token")?;
    control::keyed(context, request).await
}

/// Demands the same texts as for a key that never existed.
pub(crate) async fn refused_like_unknown(context: &Context, credential: Credential) -> Verdict {
    let request = Request::new("list_websites", "GET", "/websites");
    let unknown = Credential::Literal(vec![format!("Bearer {}", context.fresh("nobody"))]);
    let unknown = context.send(request.clone().by(unknown)).await?;
    demand::problem(&unknown, 401, &["invalid_credentials"])?;
    let dead = context.send(request.clone().by(credential)).await?;
    demand::problem(&dead, 401, &["invalid_credentials"])?;
    let (expected, told) = (demand::json(&unknown)?, demand::json(&dead)?);
    TEXTS.iter().try_for_each(|field| demand::same(field, &expected[field], &told[field])).about(&dead)?;
    control::keyed(context, request).await
}
