//! Events before the program started: leads, confirmations and published articles. Read from the lists, because the API has no list of
//! past hooks.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use contentgen_sdk::webhook::HookEvent;
use contentgen_sdk::{Client, Error};
use serde_json::json;

use super::view::View;
use crate::failure::Failure;
use crate::output::{Screen, print};

/// Maximum number of events of each kind that are shown; older ones are in the lists.
const MOST_MISSED: usize = 1000;

/// Ids of the leads and articles that were shown. A hook about one of them is not news.
#[derive(Debug, Default)]
pub(super) struct Missed {
    ids: HashSet<String>,
    /// Leads whose confirmation was shown.
    confirmed: HashSet<String>,
    /// Articles that were shown.
    pub(super) articles: Vec<String>,
}

impl Missed {
    /// Prints the events since a time, oldest first.
    pub(super) async fn show(
        client: &Client,
        since: DateTime<Utc>,
        view: View,
        screen: Screen,
    ) -> Result<Self, Failure> {
        let mut missed = Self::default();
        let mut lines: Vec<(DateTime<Utc>, String)> = Vec::new();
        let mut has_more = false;
        let mut leads = client.list_leads().updated_since(since).limit(100).items();
        while let Some(lead) = leads.next().await {
            let Some(lead) = readable(lead, screen)? else { continue };
            has_more |= lines.len() >= MOST_MISSED;
            if has_more {
                break;
            }
            let confirmed_at = lead.confirmation.as_ref().and_then(|confirmation| confirmation.confirmed_at);
            if let Some(confirmed_at) = confirmed_at.filter(|at| *at >= since) {
                lines.push((confirmed_at, view.missed_lead("lead.confirmed", &lead)));
                missed.confirmed.insert(lead.id.clone());
            }
            if lead.captured_at >= since {
                lines.push((lead.captured_at, view.missed_lead("lead.captured", &lead)));
                missed.ids.insert(lead.id);
            }
        }
        let mut articles = client.list_articles().status("published").updated_since(since).limit(100).items();
        while let Some(article) = articles.next().await {
            let Some(article) = readable(article, screen)? else { continue };
            // An article in the list may have been changed recently but published long before.
            let Some(published_at) = article.published_at.filter(|at| *at >= since) else { continue };
            if missed.articles.len() >= MOST_MISSED {
                has_more = true;
                break;
            }
            lines.push((published_at, view.missed_article(&article)));
            missed.ids.insert(article.id.clone());
            missed.articles.push(article.id);
        }
        lines.sort_by_key(|(at, _)| *at);
        print(&lines.iter().map(|(_, line)| line.as_str()).collect::<String>())?;
        if has_more {
            let words =
                format!("older events are left out: at most {MOST_MISSED} leads and {MOST_MISSED} articles are shown");
            screen.note(&words, "left_out", &json!({ "most": MOST_MISSED }));
        }
        Ok(missed)
    }

    /// Returns true if a hook is about an event that was shown.
    pub(super) fn has(&self, event: &HookEvent) -> bool {
        match event {
            HookEvent::LeadCaptured(event) => self.ids.contains(&event.data.lead.id),
            HookEvent::LeadConfirmed(event) => self.confirmed.contains(&event.data.lead.id),
            HookEvent::ArticlePublished(event) => self.ids.contains(&event.data.article.id),
            _ => false,
        }
    }
}

/// Returns an entry of a list. Reports one that cannot be read, and returns `None` for it.
fn readable<T>(entry: Result<T, Error>, screen: Screen) -> Result<Option<T>, Failure> {
    match entry {
        Ok(entry) => Ok(Some(entry)),
        Err(error) if error.unreadable_item().is_some() => {
            screen.complain(&error.into());
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}
