//! Keys that worked once: revoked, or expired.
//!
//! Which of them must be refused is said in `requirements::auth`.

use serde_json::Value;

use super::credentials::challenge;
use super::{control, operations};
use crate::check::{Context, Credential, Request, Verdict, demand};

/// Members of a problem that must not tell one kind of key from another.
const TEXTS: [&str; 3] = ["type", "title", "detail"];

/// An operation refuses the key, and answers the same request with the key under test.
pub(crate) async fn refused(context: &Context, credential: Credential, case: &Value) -> Verdict {
    let request = operations::with_website(context, operations::of_case(context, case)?);
    let exchange = context.send(request.clone().by(credential)).await?;
    demand::problem(&exchange, 401, &["invalid_credentials"])?;
    challenge(&exchange, "invalid_token")?;
    control::keyed(context, request).await
}

/// The refusal says no more than that of a key which never was.
pub(crate) async fn refused_like_unknown(context: &Context, credential: Credential) -> Verdict {
    let request = Request::new("list_websites", "GET", "/websites");
    let unknown = Credential::Literal(vec![format!("Bearer {}", context.fresh("nobody"))]);
    let unknown = context.send(request.clone().by(unknown)).await?;
    demand::problem(&unknown, 401, &["invalid_credentials"])?;
    let dead = context.send(request.clone().by(credential)).await?;
    demand::problem(&dead, 401, &["invalid_credentials"])?;
    let (expected, told) = (demand::json(&unknown)?, demand::json(&dead)?);
    TEXTS.iter().try_for_each(|member| demand::same(member, &expected[member], &told[member]))?;
    control::keyed(context, request).await
}
