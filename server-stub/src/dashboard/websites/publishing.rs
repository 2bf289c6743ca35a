//! Publishing target of a website.

use askama::Template;
use axum::extract::Path;

use super::super::error::{Failure, Result};
use super::super::field_errors::FieldErrors;
use super::super::form::Form;
use super::super::layout::{Layout, Section};
use super::super::notice::Notice;
use super::super::visit::Visit;
use crate::app::{AdminError, PublishTo, Setting};
use crate::domain::account::Website;
use crate::domain::publishing_target::{FrontMatter, PublishingTarget};
use crate::domain::store::StoredTarget;

#[derive(Template)]
#[template(path = "dashboard/websites/publishing.html")]
struct PublishingPage {
    layout: Layout,
    website: Website,
    typed: Typed,
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

/// Form fields as submitted.
#[derive(Debug, Clone, Default)]
struct Typed {
    target: String,
    folder: String,
    front_matter: String,
    push_url: String,
    wants_new_secret: bool,
}

impl Typed {
    fn read(form: &Form) -> Self {
        let text = |name| form.text(name).to_owned();
        Self {
            target: text("target"),
            folder: text("folder"),
            front_matter: text("front_matter"),
            push_url: text("push_url"),
            wants_new_secret: form.has("new_secret"),
        }
    }

    fn of(target: &StoredTarget) -> Self {
        let typed = Self {
            target: target.kind().to_owned(),
            front_matter: FrontMatter::default().as_str().to_owned(),
            ..Self::default()
        };
        match target {
            PublishingTarget::Hosted => typed,
            PublishingTarget::Directory { folder, front_matter } => {
                Self { folder: folder.as_str().to_owned(), front_matter: front_matter.as_str().to_owned(), ..typed }
            }
            PublishingTarget::Push { url, .. } => Self { push_url: url.clone(), ..typed },
        }
    }

    fn wanted(&self) -> Result<PublishTo, Failure> {
        match self.target.as_str() {
            "hosted" => Ok(PublishTo::Hosted),
            "directory" => {
                let front_matter = FrontMatter::parse(&self.front_matter)
                    .ok_or_else(|| Failure::Refused("A file begins with YAML or with TOML.".to_owned()))?;
                Ok(PublishTo::Directory { folder: self.folder.clone(), front_matter })
            }
            "push" => Ok(PublishTo::Push { url: self.push_url.clone(), wants_new_secret: self.wants_new_secret }),
            _ => Err(Failure::Refused("Choose where the articles go.".to_owned())),
        }
    }
}

/// Shows the website's target.
pub(in crate::dashboard) async fn show(visit: Visit, Path(website_id): Path<String>) -> Result {
    let target = visit.app().publishing_target(visit.account(), &website_id).await?;
    let typed = Typed::of(&target);
    Ok(visit.page(&page(&visit, &website_id, &target, typed, FieldErrors::default()).await?))
}

/// Changes the target.
pub(in crate::dashboard) async fn save(visit: Visit, Path(website_id): Path<String>, form: Form) -> Result {
    let target = visit.app().publishing_target(visit.account(), &website_id).await?;
    let typed = Typed::read(&form);
    match visit.app().set_publishing_target(visit.account(), &website_id, typed.wanted()?).await {
        Ok(Some(secret)) => {
            let website = visit.app().website(visit.account(), &website_id).await?;
            let layout = visit.layout("Articles are sent to your system", Section::Websites);
            let secret = secret.reveal();
            Ok(visit.page(&SecretPage { layout, website, url: typed.push_url, secret }))
        }
        Ok(None) => {
            let path = format!("/dashboard/websites/{website_id}/publishing");
            Ok(visit.redirect(&path, Some(Notice::PublishingSaved)))
        }
        Err(error) => Ok(visit.form_again(&page(&visit, &website_id, &target, typed, at_field(error)?).await?)),
    }
}

async fn page(
    visit: &Visit,
    website_id: &str,
    target: &StoredTarget,
    typed: Typed,
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

/// Returns the error for its field, or a failure if it belongs to no field.
fn at_field(error: AdminError) -> Result<FieldErrors, Failure> {
    let field = match &error {
        AdminError::PushAddress(_) => "push_url",
        AdminError::FolderTaken | AdminError::Invalid { setting: Setting::Folder, .. } => "folder",
        _ => return Err(error.into()),
    };
    Ok(FieldErrors::one(field, &error.to_string()))
}
