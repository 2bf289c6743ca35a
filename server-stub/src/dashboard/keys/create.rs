//! Creation of a key. The response to the form shows the key: only a hash is stored, so no later page can show it.

use std::collections::HashSet;
use std::time::Duration;

use askama::Template;
use chrono::{NaiveDate, NaiveTime};

use super::super::error::{Failure, Result};
use super::super::field_errors::FieldErrors;
use super::super::form::Form;
use super::super::layout::{Layout, Section};
use super::super::notice::Notice;
use super::super::visit::Visit;
use super::created;
use super::scopes::{self, ScopeChoice};
use crate::app::{AdminError, NewKey, Setting};
use crate::domain::account::{Website, WebsiteStatus};
use crate::domain::clock::Timestamp;
use crate::domain::id::{self, Kind};
use crate::domain::key::{KeyQuotas, MAX_LIVE_KEYS, Permission};
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
    typed: Typed,
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

/// Form fields as submitted.
#[derive(Debug, Clone)]
struct Typed {
    name: String,
    permissions: Vec<Permission>,
    is_restricted: bool,
    website_ids: HashSet<String>,
    expires: String,
}

impl Typed {
    fn read(form: &Form) -> Self {
        Self {
            name: form.text("name").to_owned(),
            permissions: form.all("scope").filter_map(Permission::parse).collect(),
            is_restricted: form.text("websites") == "chosen",
            website_ids: form.all("website_id").map(str::to_owned).collect(),
            expires: form.text("expires").to_owned(),
        }
    }

    /// Returns the requested key for an account with these websites.
    fn key(&self, websites: &[Website], now: Timestamp) -> Result<NewKey, FieldErrors> {
        let mut errors = FieldErrors::default();
        // In canonical order, without duplicates.
        let permissions: Vec<_> =
            Permission::ALL.into_iter().filter(|permission| self.permissions.contains(permission)).collect();
        if permissions.is_empty() {
            errors.add("scope", "choose at least one scope; without a scope the key can do nothing");
        }
        let chosen: Vec<_> = websites.iter().map(|website| website.website_id.clone()).collect();
        let chosen: Vec<_> = chosen.into_iter().filter(|id| self.website_ids.contains(id)).collect();
        match (self.is_restricted, self.website_ids.len()) {
            (true, 0) => errors.add("websites", "choose at least one website, or allow all of them"),
            (true, count) if count != chosen.len() => {
                errors.add("websites", "one of these websites no longer exists; choose again");
            }
            (false, 1..) => {
                errors.add(
                    "websites",
                    "websites are ticked although “All” is chosen; choose “Only these”, or untick them",
                );
            }
            _ => {}
        }
        let expires_at = match self.expires.as_str() {
            "" => None,
            date => end_of_day(date).filter(|end| now < *end).or_else(|| {
                errors.add("expires", "write today or a later day, such as 2030-01-31, or leave it empty");
                None
            }),
        };
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(NewKey {
            name: self.name.clone(),
            permissions,
            website_ids: self.is_restricted.then_some(chosen),
            quotas: KeyQuotas::default(),
            expires_at,
        })
    }
}

/// Returns the end of that day in UTC: midnight of the next day.
fn end_of_day(date: &str) -> Option<Timestamp> {
    let date = (date.len() == DATE_CHARS).then(|| NaiveDate::parse_from_str(date, DATE_FORMAT).ok())??;
    let begin: Timestamp = date.and_time(NaiveTime::MIN).and_utc().into();
    Some(begin.plus(Duration::from_hours(24)))
}

/// Shows the form.
pub(in crate::dashboard) async fn show(visit: Visit) -> Result {
    let typed = Typed {
        name: String::new(),
        permissions: Permission::ALL.to_vec(),
        is_restricted: false,
        website_ids: HashSet::new(),
        expires: String::new(),
    };
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
    let (typed, websites) = (Typed::read(&form), choosable(&visit).await?);
    let wanted = match typed.key(&websites, visit.app().clock().wall()) {
        Ok(wanted) => wanted,
        Err(errors) => return Ok(visit.form_again(&page(&visit, key_id, (typed, websites), None, errors))),
    };
    let error = match visit.app().create_key_as(visit.account(), &key_id, wanted).await {
        Ok((key, secret)) => return Ok(created::page(&visit, &key, &secret, &websites)),
        Err(error) => error,
    };
    let (obstacle, errors) = match error {
        AdminError::KeyMadeBefore => return Ok(visit.redirect("/dashboard/keys", Some(Notice::KeyMadeBefore))),
        AdminError::WebsiteRequired => (Some(Obstacle::NoActiveWebsite), FieldErrors::default()),
        AdminError::Store(store::Error::LimitReached { .. }) => (Some(Obstacle::NoRoom), FieldErrors::default()),
        error @ AdminError::Invalid { setting: Setting::Name, .. } => {
            (None, FieldErrors::one("name", &error.to_string()))
        }
        error => return Err(error.into()),
    };
    Ok(visit.form_again(&page(&visit, key_id, (typed, websites), obstacle, errors)))
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
    (typed, websites): (Typed, Vec<Website>),
    obstacle: Option<Obstacle>,
    errors: FieldErrors,
) -> CreatePage {
    CreatePage {
        layout: visit.layout("New key", Section::Keys),
        key_id,
        obstacle,
        scopes: scopes::choices(&typed.permissions),
        typed,
        websites,
        today: visit.app().clock().wall().to_chrono().format(DATE_FORMAT).to_string(),
        max_live_keys: MAX_LIVE_KEYS,
        errors,
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
