//! Sets where a website's articles are published.

use url::Url;

use super::super::{AdminError, App, Setting};
use crate::domain::account::Account;
use crate::domain::audit::Action;
use crate::domain::hook::HookSecret;
use crate::domain::publishing_target::{FolderName, FrontMatter, PublishingTarget};
use crate::domain::store::{self, StoredTarget};

/// Publishing target of a website.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PublishTo {
    /// The hosted site.
    Hosted,
    /// Files in a folder.
    Directory {
        /// 1 to 64 lower-case letters, digits, `-` and `_`; the first is a letter or a digit.
        folder: String,
        /// Format of the metadata at the beginning of a file.
        front_matter: FrontMatter,
    },
    /// HTTP requests to an endpoint.
    Push {
        /// https, or also http to an address that the operator listed.
        url: String,
        /// True to replace an existing secret with a new one.
        wants_new_secret: bool,
    },
}

impl App {
    /// Returns true if this server writes files. Another process on the same database may write them even if this one does not.
    pub const fn publishes_files(&self) -> bool {
        self.publishes_files
    }

    /// Returns the publishing target of the account's website.
    pub async fn publishing_target(&self, account: &Account, website_id: &str) -> Result<StoredTarget, AdminError> {
        self.check_website(account, website_id).await?;
        Ok(self.store.find_target(website_id).await?)
    }

    /// Sets where the website's articles are published from now on, if that still is `former`. Published articles stay where they
    /// are. Posts that wait for a retry are due at once. Returns the signing secret if it is new; it is shown once.
    pub async fn set_publishing_target(
        &self,
        account: &Account,
        website_id: &str,
        former: &StoredTarget,
        wanted: PublishTo,
    ) -> Result<Option<HookSecret>, AdminError> {
        self.check_website(account, website_id).await?;
        let mut new_secret = None;
        let target = match wanted {
            PublishTo::Hosted => PublishingTarget::Hosted,
            PublishTo::Directory { folder, front_matter } => {
                let reason = "must have 1 to 64 lower-case letters, digits, - or _, and begin with a letter or digit";
                let folder =
                    FolderName::parse(&folder).ok_or(AdminError::Invalid { setting: Setting::Folder, reason })?;
                PublishingTarget::Directory { folder, front_matter }
            }
            PublishTo::Push { url, wants_new_secret } => {
                self.hook_destinations.check(&url).await.map_err(AdminError::PushAddress)?;
                let secret = match former {
                    PublishingTarget::Push { secret: Ok(secret), .. } if !wants_new_secret => secret.clone(),
                    _ => new_secret.insert(HookSecret::generate(&*self.randomness)).clone(),
                };
                PublishingTarget::Push { url, secret }
            }
        };
        let detail = audit_detail(&target);
        let store = self.audited(&account.id, (Action::WebsiteChanged, Some(website_id)), Some(&detail));
        match store.set_target(website_id, former, &target, self.clock.moment()).await {
            Ok(true) => Ok(new_secret),
            Ok(false) => Err(AdminError::SettingsChanged),
            Err(store::Error::AlreadyExists) => Err(AdminError::FolderTaken),
            Err(other) => Err(other.into()),
        }
    }
}

/// Returns the audit text: the target without the path of a URL, which may contain a secret of the receiver.
fn audit_detail(target: &PublishingTarget) -> String {
    match target {
        PublishingTarget::Hosted => "publishing on the hosted site".to_owned(),
        PublishingTarget::Directory { folder, .. } => format!("publishing as files in {}", folder.as_str()),
        PublishingTarget::Push { url, .. } => {
            let receiver = Url::parse(url).map(|url| url.origin().ascii_serialization()).unwrap_or_default();
            format!("publishing by requests to {receiver}")
        }
    }
}
