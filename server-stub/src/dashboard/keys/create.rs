//! Creation of a key. The response to the form shows the key: only a hash is stored, so no later page can show it.

use std::collections::HashSet;
use std::time::Duration;

use askama::Template;
use axum::response::Response;
use chrono::{NaiveDate, NaiveTime};

use super::super::{DisplayTime, Failure, FieldErrors, Form, Layout, Notice, Result, Section, Visit};
use crate::app::{AdminError, NewKey};
use crate::domain::account::{Website, WebsiteStatus};
use crate::domain::clock::Timestamp;
use crate::domain::id::{self, Kind};
use crate::domain::key::{ApiKey, ApiScope, KeyQuotas, MAX_LIVE_KEYS, Secret};
use crate::domain::store;

/// Format of dates in the form.
const DATE_FORMAT: &str = "%Y-%m-%d";
/// Length of such a date.
const DATE_CHARS: usize = 10;

#[derive(Template)]
#[template(path = "dashboard/keys/create.html")]
struct CreatePage {
    layout: Layout,
    /// Id of the future key. If the browser submits the form again, the id is taken and no second key is made. So the store need
    /// not remember submitted forms.
    key_id: String,
    obstacle: Option<Obstacle>,
    typed: Form,
    scopes: Vec<ScopeChoice>,
    websites: Vec<Website>,
    today: String,
    max_live_keys: usize,
    errors: FieldErrors,
}

/// Why no key can be made now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Obstacle {
    NoActiveWebsite,
    NoRoom,
}

/// Returns the requested key for an account with these websites.
fn wanted(form: &Form, websites: &[Website], now: Timestamp) -> Result<NewKey, FieldErrors> {
    let mut errors = FieldErrors::default();
    // In canonical order, without duplicates.
    let is_ticked = |scope: &ApiScope| form.contains("scope", scope.as_str());
    let scopes: Vec<_> = ApiScope::ALL.into_iter().filter(is_ticked).collect();
    if scopes.is_empty() {
        errors.add("scope", "choose at least one scope; without a scope the key can do nothing");
    }
    let is_restricted = form.text("websites") == "chosen";
    let ticked: HashSet<_> = form.all("website_id").collect();
    let chosen = websites.iter().map(|website| &website.website_id).filter(|id| ticked.contains(id.as_str()));
    let chosen: Vec<_> = chosen.cloned().collect();
    match (is_restricted, ticked.len()) {
        (true, 0) => errors.add("websites", "choose at least one website, or allow all of them"),
        (true, count) if count != chosen.len() => {
            errors.add("websites", "one of these websites no longer exists; choose again");
        }
        (false, 1..) => {
            errors.add("websites", "websites are ticked although “All” is chosen; choose “Only these”, or untick them");
        }
        _ => {}
    }
    let parse_end = |date: &str| end_of_day(date).filter(|end| now < *end);
    let hint = "write today or a later day, such as 2030-01-31, or leave it empty";
    let expires_at = errors.parsed(form, "expires", parse_end, hint);
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(NewKey {
        name: form.text("name").to_owned(),
        scopes,
        website_ids: is_restricted.then_some(chosen),
        quotas: KeyQuotas::default(),
        expires_at,
    })
}

/// Returns the end of that day in UTC: midnight of the next day.
fn end_of_day(date: &str) -> Option<Timestamp> {
    let date = (date.len() == DATE_CHARS).then(|| NaiveDate::parse_from_str(date, DATE_FORMAT).ok())??;
    let begin: Timestamp = date.and_time(NaiveTime::MIN).and_utc().into();
    Some(begin.plus(Duration::from_hours(24)))
}

/// Shows the form.
pub(in crate::dashboard) async fn show(visit: Visit) -> Result {
    let typed = Form::of(ApiScope::ALL.map(|scope| ("scope", scope.as_str().to_owned())));
    let websites = choosable(&visit).await?;
    let obstacle = if !websites.iter().any(|website| website.status == WebsiteStatus::Active) {
        Some(Obstacle::NoActiveWebsite)
    } else if !visit.app().has_room_for_key(visit.account()).await? {
        Some(Obstacle::NoRoom)
    } else {
        None
    };
    let key_id = visit.app().reserve_key_id();
    Ok(visit.page(&page(&visit, key_id, (typed, websites), obstacle, FieldErrors::default())))
}

/// Creates the key and shows it.
pub(in crate::dashboard) async fn submit(visit: Visit, form: Form) -> Result {
    let key_id = form.text("key_id").to_owned();
    if !id::is_one(Kind::ApiKey, &key_id) {
        return Err(Failure::StaleForm);
    }
    let websites = choosable(&visit).await?;
    let wanted = match wanted(&form, &websites, visit.app().clock().wall()) {
        Ok(wanted) => wanted,
        Err(errors) => return Ok(visit.form_again(&page(&visit, key_id, (form, websites), None, errors))),
    };
    let error = match visit.app().create_key_as(visit.account(), &key_id, wanted).await {
        Ok((key, secret)) => return Ok(created_page(&visit, &key, &secret, &websites)),
        Err(error) => error,
    };
    let (obstacle, errors) = match error {
        AdminError::KeyMadeBefore => return Ok(visit.redirect("/dashboard/keys", Notice::KeyMadeBefore)),
        AdminError::WebsiteRequired => (Some(Obstacle::NoActiveWebsite), FieldErrors::default()),
        AdminError::Store(store::Error::LimitReached { limit: MAX_LIVE_KEYS, .. }) => {
            (Some(Obstacle::NoRoom), FieldErrors::default())
        }
        error => (None, FieldErrors::of_change(error, "name")?),
    };
    Ok(visit.form_again(&page(&visit, key_id, (form, websites), obstacle, errors)))
}

/// Returns the websites to which a key can be restricted.
async fn choosable(visit: &Visit) -> Result<Vec<Website>> {
    let mut websites = visit.app().websites(visit.account()).await?;
    websites.retain(|website| website.status != WebsiteStatus::Archived);
    Ok(websites)
}

fn page(
    visit: &Visit,
    key_id: String,
    (typed, websites): (Form, Vec<Website>),
    obstacle: Option<Obstacle>,
    errors: FieldErrors,
) -> CreatePage {
    CreatePage {
        layout: visit.layout("New key", Section::Keys),
        key_id,
        obstacle,
        scopes: choices(&typed),
        typed,
        websites,
        today: visit.app().clock().wall().to_chrono().format(DATE_FORMAT).to_string(),
        max_live_keys: MAX_LIVE_KEYS,
        errors,
    }
}

#[derive(Template)]
#[template(path = "dashboard/keys/created.html")]
struct MadePage<'a> {
    layout: Layout,
    name: &'a str,
    secret: &'a str,
    base_url: String,
    /// Website that the key may access.
    website_id: &'a str,
    request: Request,
    expires: Option<DisplayTime>,
}

/// Example of a first request.
#[derive(Debug, Clone, Copy)]
enum Request {
    /// Queues an article.
    Generate,
    /// Reads the given path.
    Read(&'static str),
}

impl Request {
    /// Returns a request that the key's API scopes allow.
    fn of(scopes: &[ApiScope]) -> Self {
        let read = |scope: &ApiScope| match scope {
            ApiScope::GenerateWrite => Self::Generate,
            ApiScope::JobsRead => Self::Read("/api/v1/scheduled_posts"),
            ApiScope::ArticlesRead => Self::Read("/api/v1/articles"),
            ApiScope::LeadsRead => Self::Read("/api/v1/leads"),
            ApiScope::WebsitesRead => Self::Read("/api/v1/websites"),
        };
        scopes.first().map_or(Self::Generate, read)
    }
}

/// Returns the page that shows a new key.
fn created_page(visit: &Visit, key: &ApiKey, secret: &Secret, websites: &[Website]) -> Response {
    let may_use =
        |website: &&Website| key.website_ids.as_ref().is_none_or(|chosen| chosen.contains(&website.website_id));
    let usable: Vec<_> = websites.iter().filter(may_use).collect();
    let active = usable.iter().find(|website| website.status == WebsiteStatus::Active);
    let website_id = active.or(usable.first()).map_or("", |website| &website.website_id);
    visit.page(&MadePage {
        layout: visit.layout("The new key", Section::Keys),
        name: &key.name,
        secret: secret.reveal(),
        base_url: visit.absolute(""),
        website_id,
        request: Request::of(&key.scopes),
        expires: key.expires_at.map(DisplayTime::from),
    })
}

/// API scope in the form.
#[derive(Debug, Clone, Copy)]
struct ScopeChoice {
    name: &'static str,
    allows: &'static str,
    is_chosen: bool,
}

/// Returns all API scopes; those in the form are ticked.
fn choices(form: &Form) -> Vec<ScopeChoice> {
    let choice = |scope: ApiScope| ScopeChoice {
        name: scope.as_str(),
        allows: allows(scope),
        is_chosen: form.contains("scope", scope.as_str()),
    };
    ApiScope::ALL.into_iter().map(choice).collect()
}

const fn allows(scope: ApiScope) -> &'static str {
    match scope {
        ApiScope::GenerateWrite => "Queue articles, and cancel them while they are written.",
        ApiScope::JobsRead => "See how far articles are, and which posts are planned.",
        ApiScope::ArticlesRead => "Read articles with their text.",
        ApiScope::LeadsRead => "Read leads with the names and addresses in them.",
        ApiScope::WebsitesRead => "List the websites.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_good_until_its_last_day_is_over_in_utc() {
        assert_eq!(end_of_day("2030-01-31"), Timestamp::parse("2030-02-01T00:00:00Z"));
        for typed in ["2030-02-30", "31.01.2030", "+12345-01-01", "2030-1-1", "tomorrow"] {
            assert_eq!(end_of_day(typed), None, "{typed}");
        }
    }
}
