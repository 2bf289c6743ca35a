//! Websites of the account, for selection and for labels.

use super::super::error::Failure;
use super::super::visit::Visit;
use crate::domain::account::{Website, WebsiteStatus};
use crate::domain::time_zone::TimeZone;

/// All websites of the account.
#[derive(Debug, Clone)]
pub(in crate::dashboard) struct WebsiteChoices {
    /// Websites, newest first.
    pub(in crate::dashboard) all: Vec<Website>,
}

impl WebsiteChoices {
    pub(in crate::dashboard) async fn of(visit: &Visit) -> Result<Self, Failure> {
        Ok(Self { all: visit.app().websites(visit.account()).await? })
    }

    /// Returns the active websites.
    pub(in crate::dashboard) fn active(&self) -> impl Iterator<Item = &Website> {
        self.all.iter().filter(|website| website.status == WebsiteStatus::Active)
    }

    /// Returns the website's name, or its id if it is not in the list.
    pub(in crate::dashboard) fn name<'a>(&'a self, website_id: &'a str) -> &'a str {
        self.find(website_id).map_or(website_id, |website| &website.name)
    }

    /// Returns the website's time zone.
    pub(in crate::dashboard) fn zone(&self, website_id: &str) -> TimeZone {
        TimeZone::or_utc(self.find(website_id).map_or("UTC", |website| &website.time_zone))
    }

    fn find(&self, website_id: &str) -> Option<&Website> {
        self.all.iter().find(|website| website.website_id == website_id)
    }
}
