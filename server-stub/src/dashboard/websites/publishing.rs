//! Publishing target of a website.

use askama::Template;
use axum::extract::Path;

use super::super::{Failure, FieldErrors, Form, Layout, Notice, Result, Section, Visit};
use crate::app::PublishTo;
use crate::domain::account::Website;
use crate::domain::publishing_target::{FrontMatter, PublishingTarget};
use crate::domain::store::StoredTarget;

#[derive(Template)]
#[template(path = "dashboard/websites/publishing.html")]
struct PublishingPage {
    layout: Layout,
    website: Website,
    typed: Form,
    /// True if this server can publish articles as files.
    offers_files: bool,
    /// True if requests are already signed.
    has_secret: bool,
    /// Why the secret cannot be used; empty if it can be used.
    secret_error: String,
    errors: FieldErrors,
}

/// Page that shows a new secret. It is shown only once.
#[derive(Template)]
#[template(path = "dashboard/websites/publishing_secret.html")]
struct SecretPage {
    layout: Layout,
    website: Website,
    url: String,
    secret: String,
}

/// Returns the form of a target.
fn form_of(target: &StoredTarget) -> Form {
    let front_matter = FrontMatter::default().as_str().to_owned();
    let form = Form::of([("target", target.kind().to_owned()), ("front_matter", front_matter)]);
    match target {
        PublishingTarget::Hosted => form,
        PublishingTarget::Directory { folder, front_matter } => {
            form.with("folder", folder.as_str()).with("front_matter", front_matter.as_str())
        }
        PublishingTarget::Push { url, .. } => form.with("push_url", url),
    }
}

/// Parses the target in a form.
fn wanted(form: &Form) -> Result<PublishTo, Failure> {
    match form.text("target") {
        "hosted" => Ok(PublishTo::Hosted),
        "directory" => {
            let front_matter = FrontMatter::parse(form.text("front_matter"))
                .ok_or_else(|| Failure::Refused("A file begins with YAML or with TOML.".to_owned()))?;
            Ok(PublishTo::Directory { folder: form.text("folder").to_owned(), front_matter })
        }
        "push" => {
            let (url, wants_new_secret) = (form.text("push_url").to_owned(), form.has("new_secret"));
            Ok(PublishTo::Push { url, wants_new_secret })
        }
        _ => Err(Failure::Refused("Choose where the articles go.".to_owned())),
    }
}

/// Shows the website's target.
pub(in crate::dashboard) async fn show(visit: Visit, Path(website_id): Path<String>) -> Result {
    let target = visit.app().publishing_target(visit.account(), &website_id).await?;
    Ok(visit.page(&page(&visit, &website_id, &target, form_of(&target).opened(), FieldErrors::default()).await?))
}

/// Changes the target.
pub(in crate::dashboard) async fn save(visit: Visit, Path(website_id): Path<String>, mut form: Form) -> Result {
    let target = visit.app().publishing_target(visit.account(), &website_id).await?;
    if let Err(errors) = form.require_unchanged(&form_of(&target), "target") {
        return Ok(visit.form_again(&page(&visit, &website_id, &target, form, errors).await?));
    }
    match visit.app().set_publishing_target(visit.account(), &website_id, &target, wanted(&form)?).await {
        Ok(Some(secret)) => {
            let website = visit.app().website(visit.account(), &website_id).await?;
            let layout = visit.layout("Articles are sent to your system", Section::Websites);
            let url = form.text("push_url").to_owned();
            Ok(visit.page(&SecretPage { layout, website, url, secret: secret.reveal() }))
        }
        Ok(None) => {
            let path = format!("/dashboard/websites/{website_id}/publishing");
            Ok(visit.redirect(&path, Notice::PublishingSaved))
        }
        Err(error) => {
            let errors = FieldErrors::of_change(error, "target")?;
            Ok(visit.form_again(&page(&visit, &website_id, &target, form, errors).await?))
        }
    }
}

async fn page(
    visit: &Visit,
    website_id: &str,
    target: &StoredTarget,
    typed: Form,
    errors: FieldErrors,
) -> Result<PublishingPage> {
    let website = visit.app().website(visit.account(), website_id).await?;
    let secret = if let PublishingTarget::Push { secret, .. } = target { Some(secret) } else { None };
    let secret_error = secret.and_then(|secret| secret.as_ref().err()).map(ToString::to_string).unwrap_or_default();
    Ok(PublishingPage {
        layout: visit.layout("Where articles go", Section::Websites),
        offers_files: visit.app().publishes_files() || matches!(target, PublishingTarget::Directory { .. }),
        has_secret: secret.is_some(),
        secret_error,
        website,
        typed,
        errors,
    })
}
