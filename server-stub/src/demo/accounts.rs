//! Two accounts that a new user, a test or the conformance suite can use at once. `cli` prints them.

use std::fmt;
use std::time::Duration;

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::Serialize;
use sha2::Sha256;

use crate::app::{AdminError, App, NewKey, WebsiteSettings};
use crate::domain::account::{Account, WebsiteStatus};
use crate::domain::id::{self, Kind};
use crate::domain::key::{ApiKey, ApiScope, KeyQuotas, Quota, Secret};
use crate::domain::lead_form::LeadForm;
use crate::domain::personal::Personal;
use crate::domain::voice::{BrandVoice, CallToAction, Contractions, PointOfView, Vocabulary};

/// Quotas of the limited key, small enough to exceed on purpose.
const SMALL_QUOTAS: KeyQuotas = KeyQuotas {
    generate: Some(Quota { requests: 2, window_seconds: 2 }),
    api: Some(Quota { requests: 5, window_seconds: 2 }),
};

/// A topic whose job always fails: every voice of the demonstration forbids its only word.
pub(super) const FAILING_TOPIC: &str = "Synergy";

/// Name of the website whose leads must be confirmed.
const CONFIRMED_SITE: &str = "second site";

/// Age of the expired key's expiry.
const EXPIRED_FOR: Duration = Duration::from_hours(24);

/// An account of the demonstration. It serializes as the ready file shows it.
#[derive(Clone, Serialize)]
pub struct DemoAccount {
    /// Its name, for `hook create --account`.
    pub name: String,
    /// A key with all scopes.
    pub api_key: String,
    /// A key with a small quota, for trying 429.
    pub limited_api_key: String,
    /// A key that may only read articles, for trying 403.
    pub narrow_api_key: String,
    /// A key that was revoked, for trying 401.
    pub revoked_api_key: String,
    /// A key that has expired, for trying 401.
    pub expired_api_key: String,
    /// A key that is restricted to [`restricted_website_id`](Self::restricted_website_id).
    pub restricted_api_key: String,
    /// Its active website.
    pub website_id: String,
    /// Its paused website, for trying 403.
    pub inactive_website_id: String,
    /// Another active website, the only one that the restricted key can use. Its leads must be confirmed (double opt-in).
    pub restricted_website_id: String,
    /// Another active website, for trying the effect of a pause.
    pub pausable_website_id: String,
    /// A topic whose job fails: the account's voice forbids every word of it.
    pub failing_topic: String,
    /// E-mail address of its user, who signs in with a one-time link.
    #[serde(skip)]
    pub email: Personal<String>,
    /// Token in that link.
    #[serde(skip)]
    pub sign_in_token: String,
}

impl fmt::Debug for DemoAccount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("DemoAccount")
            .field("name", &self.name)
            .field("website_id", &self.website_id)
            .finish_non_exhaustive()
    }
}

struct Plan {
    account: &'static str,
    email: &'static str,
    website: &'static str,
    url: &'static str,
    voice: fn(String) -> BrandVoice,
}

const PLANS: [Plan; 2] = [
    Plan {
        account: "harbour-bakery",
        email: "baker@harbour-bakery.example",
        website: "Harbour Bakery",
        url: "https://harbour-bakery.example",
        voice: bakery_voice,
    },
    Plan {
        account: "trail-workshop",
        email: "rider@trail-workshop.example",
        website: "Trail Workshop",
        url: "https://trail-workshop.example",
        voice: workshop_voice,
    },
];

/// Sets up the accounts, or finds them in the database. Keys are derived from the database's secret, so they are the same after
/// every start.
pub async fn set_up(app: &App, secret: &[u8; 32]) -> Result<Vec<DemoAccount>, AdminError> {
    let mut accounts = Vec::new();
    for plan in &PLANS {
        accounts.push(set_up_account(app, secret, plan).await?);
    }
    Ok(accounts)
}

async fn set_up_account(app: &App, secret: &[u8; 32], plan: &Plan) -> Result<DemoAccount, AdminError> {
    let account = match app.account(plan.account).await {
        Err(AdminError::AccountNotFound(_)) => {
            let account = app.create_account(plan.account).await?;
            let voice_id = id::new(Kind::Voice, app.clock().wall(), app.randomness());
            app.put_voice(&account, &(plan.voice)(voice_id)).await?;
            account
        }
        found => found?,
    };
    let other =
        async |name: &str, status| website(app, &account, plan, &format!("{}, {name}", plan.website), status).await;
    let inactive_website_id = other("former site", WebsiteStatus::Paused).await?;
    let restricted_website_id = other(CONFIRMED_SITE, WebsiteStatus::Active).await?;
    let pausable_website_id = other("seasonal site", WebsiteStatus::Active).await?;
    let keys = Keys { app, account: &account, secret };
    let all = || Keys::named(&ApiScope::ALL);
    let limited_api_key = keys.offer("small quota", NewKey { quotas: SMALL_QUOTAS, ..all() }).await?;
    let narrow_api_key = keys.offer("articles only", Keys::named(&[ApiScope::ArticlesRead])).await?;
    let website_ids = Some(vec![restricted_website_id.clone()]);
    let restricted_api_key = keys.offer("second site only", NewKey { website_ids, ..all() }).await?;
    let expires_at = Some(app.clock().wall().minus(EXPIRED_FOR));
    let expired_api_key = keys.offer("expired", NewKey { expires_at, ..all() }).await?;
    let revoked_api_key = keys.revoked("revoked", all()).await?;
    let api_key = keys.offer("everything", all()).await?;
    // The newest one is listed first.
    let website_id = website(app, &account, plan, plan.website, WebsiteStatus::Active).await?;
    let user = match app.user(&account, plan.email).await {
        Err(AdminError::UserNotFound) => app.create_user(&account, plan.email).await?,
        found => found?,
    };
    let sign_in_token = app.create_sign_in_link(&user).await?.reveal();
    Ok(DemoAccount {
        name: account.name,
        api_key,
        limited_api_key,
        narrow_api_key,
        revoked_api_key,
        expired_api_key,
        restricted_api_key,
        website_id,
        inactive_website_id,
        restricted_website_id,
        pausable_website_id,
        failing_topic: FAILING_TOPIC.to_owned(),
        email: plan.email.to_owned().into(),
        sign_in_token,
    })
}

async fn website(
    app: &App,
    account: &Account,
    plan: &Plan,
    name: &str,
    status: WebsiteStatus,
) -> Result<String, AdminError> {
    let found = app.websites(account).await?.into_iter().find(|website| website.name == name);
    if let Some(website) = found {
        return Ok(website.website_id);
    }
    let settings = WebsiteSettings {
        name: name.to_owned(),
        url: plan.url.to_owned(),
        time_zone: "Europe/London".to_owned(),
        lead_form: LeadForm { double_opt_in: name.ends_with(CONFIRMED_SITE), ..LeadForm::default() },
        ..WebsiteSettings::default()
    };
    Ok(app.create_website(account, settings, status).await?.website_id)
}

/// The keys of an account, derived from the database's secret.
struct Keys<'a> {
    app: &'a App,
    account: &'a Account,
    secret: &'a [u8; 32],
}

impl Keys<'_> {
    /// Returns settings for a key with these scopes and no other restriction. The caller adds the name.
    fn named(scopes: &[ApiScope]) -> NewKey {
        NewKey {
            name: String::new(),
            scopes: scopes.to_vec(),
            website_ids: None,
            quotas: KeyQuotas::default(),
            expires_at: None,
        }
    }

    /// Returns the key with this name. Creates it if it is missing.
    async fn offer(&self, name: &str, wanted: NewKey) -> Result<String, AdminError> {
        self.made(name, wanted).await.map(|(secret, _)| secret)
    }

    /// Returns the key with this name. Creates and revokes it if it is missing.
    async fn revoked(&self, name: &str, wanted: NewKey) -> Result<String, AdminError> {
        let (secret, made) = self.made(name, wanted).await?;
        if let Some(key) = made {
            self.app.revoke_key(self.account, &key.id).await?;
        }
        Ok(secret)
    }

    async fn made(&self, name: &str, wanted: NewKey) -> Result<(String, Option<ApiKey>), AdminError> {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.secret).expect("HMAC takes a key of any length");
        mac.update(format!("demo key {name} of {}", self.account.id).as_bytes());
        let secret = Secret::from_bytes(mac.finalize().into_bytes().into());
        let mut made = None;
        if !self.app.has_key(&secret).await? {
            let wanted = NewKey { name: name.to_owned(), ..wanted };
            made = Some(self.app.create_key_with(self.account, wanted, &secret).await?);
        }
        Ok((secret.reveal().to_owned(), made))
    }
}

fn bakery_voice(id: String) -> BrandVoice {
    BrandVoice {
        id,
        name: "Bakery counter".to_owned(),
        audience: "People who bake at home and want to understand why".to_owned(),
        tone: vec!["warm".to_owned(), "practical".to_owned()],
        point_of_view: PointOfView::SecondPerson,
        vocabulary: Vocabulary {
            avoid: vec!["game-changer".to_owned(), "synergy".to_owned()],
            ..Vocabulary::default()
        },
        cta: Some(CallToAction {
            text: "Come by the bakery and taste the difference.".to_owned(),
            url: Some("https://harbour-bakery.example/visit".to_owned()),
        }),
        ..BrandVoice::default()
    }
}

fn workshop_voice(id: String) -> BrandVoice {
    BrandVoice {
        id,
        name: "Workshop bench".to_owned(),
        audience: "Riders who look after their own bikes".to_owned(),
        tone: vec!["direct".to_owned(), "friendly".to_owned()],
        point_of_view: PointOfView::FirstPersonPlural,
        contractions: Contractions::Avoid,
        vocabulary: Vocabulary { avoid: vec!["synergy".to_owned()], ..Vocabulary::default() },
        faq_count: 2,
        ..BrandVoice::default()
    }
}
