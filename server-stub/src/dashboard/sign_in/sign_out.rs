//! Signing out.

use super::super::error::Result;
use super::super::visit::Visit;

/// Ends the current session.
pub(in crate::dashboard) async fn submit(visit: Visit) -> Result {
    visit.app().sign_out(visit.who()).await?;
    let mut response = visit.redirect("/dashboard/sign-in", None);
    visit.clear_token(&mut response);
    Ok(response)
}
