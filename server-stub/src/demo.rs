//! The demonstration: two accounts that a newcomer, a test or the conformance suite can use at once. What is printed about
//! them is `cli`'s business.

use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::app::{AdminError, App, NewKey, WebsiteSettings};
use crate::domain::account::{Account, WebsiteStatus};
use crate::domain::id::{self, Kind};
use crate::domain::key::{KeyQuotas, Permission, Quota, Secret};
use crate::domain::personal::Personal;
use crate::domain::voice::{BrandVoice, CallToAction, Contractions, PointOfView, Vocabulary};

/// The limited key's quotas, small enough to exceed on purpose.
const SMALL_QUOTAS: KeyQuotas = KeyQuotas {
    generate: Some(Quota { requests: 2, window_seconds: 2 }),
    api: Some(Quota { requests: 5, window_seconds: 2 }),
};

/// An account of the demonstration.
#[derive(Clone)]
pub struct DemoAccount {
    /// Its name, for `hook create --account`.
    pub name: String,
    /// A key that may do everything.
    pub api_key: String,
    /// A key with a small quota, for trying 429.
    pub limited_api_key: String,
    /// A key that may read articles and nothing else, for trying 403.
    pub narrow_api_key: String,
    /// Its active website.
    pub website_id: String,
    /// Its paused website, for trying 403.
    pub inactive_website_id: String,
    /// Its user, who signs in with a one-time link.
    pub email: Personal<String>,
    /// What such a link carries.
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

/// Sets the accounts up, or finds them again in a database that has them: keys are derived from the database's own secret,
/// so that a second start offers the same ones.
pub async fn set_up(app: &App, secret: &[u8; 32]) -> Result<Vec<DemoAccount>, AdminError> {
    let mut accounts = Vec::new();
    for plan in &PLANS {
        accounts.push(set_up_account(app, secret, plan).await?);
    }
    Ok(accounts)
}

async fn set_up_account(app: &App, secret: &[u8; 32], plan: &Plan) -> Result<DemoAccount, AdminError> {
    // Its user may have renamed the account.
    let known = match app.account_of_user(plan.email).await? {
        Some(account) => Ok(account),
        None => app.account(plan.account).await,
    };
    let account = match known {
        Err(AdminError::AccountNotFound(_)) => {
            let account = app.create_account(plan.account).await?;
            let voice_id = id::new(Kind::Voice, app.clock().wall(), app.randomness());
            app.put_voice(&account, &(plan.voice)(voice_id)).await?;
            account
        }
        found => found?,
    };
    let inactive_name = format!("{}, former site", plan.website);
    let inactive_website_id = website(app, &account, plan, &inactive_name, WebsiteStatus::Paused).await?;
    // The newest one is listed first.
    let website_id = website(app, &account, plan, plan.website, WebsiteStatus::Active).await?;
    let all = &Permission::ALL;
    let api_key = key(app, &account, secret, "everything", all, KeyQuotas::default()).await?;
    let limited_api_key = key(app, &account, secret, "small quota", all, SMALL_QUOTAS).await?;
    let narrow = [Permission::ArticlesRead];
    let narrow_api_key = key(app, &account, secret, "articles only", &narrow, KeyQuotas::default()).await?;
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
        website_id,
        inactive_website_id,
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
        ..WebsiteSettings::default()
    };
    Ok(app.create_website(account, settings, status).await?.website_id)
}

async fn key(
    app: &App,
    account: &Account,
    secret: &[u8; 32],
    name: &str,
    permissions: &[Permission],
    quotas: KeyQuotas,
) -> Result<String, AdminError> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("HMAC takes a key of any length");
    mac.update(format!("demo key {name} of {}", account.id).as_bytes());
    let secret = Secret::from_bytes(mac.finalize().into_bytes().into());
    if !app.has_key(&secret).await? {
        let permissions = permissions.to_vec();
        let wanted = NewKey { name: name.to_owned(), permissions, website_ids: None, quotas, expires_at: None };
        app.create_key_with(account, wanted, &secret).await?;
    }
    Ok(secret.reveal().to_owned())
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
        faq_count: 2,
        ..BrandVoice::default()
    }
}
