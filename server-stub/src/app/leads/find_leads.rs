//! Lists, shows and exports leads, with the names of their websites and articles, their events and endpoints.

use std::collections::{BTreeMap, BTreeSet};

use futures::Stream;
use futures::future::{try_join, try_join_all};
use futures::stream::try_unfold;
use serde::Deserialize;

use super::super::admin_error::check_id;
use super::super::page::{Listing, range_bound};
use super::super::{AdminError, App, Caller, Error, Operation, Page};
use crate::domain::account::{Account, Website};
use crate::domain::article::{ArticleStatus, ArticleSummary};
use crate::domain::audit::Action;
use crate::domain::lead::Lead;
use crate::domain::search::Search;
use crate::domain::store::{
    self, ArticleFilter, EndpointState, LeadEvent, LeadFilter, PageKey, PageRequest, StoredRow,
};

/// Number of leads that an export reads at a time, which bounds the memory that it uses.
const PAGE: u32 = 200;

/// A lead in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedLead {
    /// The lead.
    pub lead: Lead,
    /// The website's name.
    pub website_name: String,
    /// The article, if it belongs to the account.
    pub article: Option<NamedArticle>,
}

/// Article that a lead refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedArticle {
    /// `art_…`.
    pub id: String,
    /// Headline.
    pub title: String,
    /// Address of the article while it is published.
    pub url: Option<String>,
}

/// A lead with everything that is stored about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeadView {
    /// The lead.
    pub lead: Lead,
    /// The website it was captured on.
    pub website: Website,
    /// The article it was captured on.
    pub article: Option<NamedArticle>,
    /// Stored events about the lead, oldest first.
    pub events: Vec<LeadEvent>,
    /// All endpoints of the account, to name those of the deliveries; empty if the lead has no deliveries.
    pub endpoints: Vec<EndpointState<()>>,
}

/// Fields of a stored article that a lead shows.
#[derive(Deserialize)]
struct Heading {
    title: String,
    url: Option<String>,
}

impl App {
    /// Returns a page of the account's leads, newest first: the page that `page_token` points to, or the first one. A page of a
    /// search may have few rows or none although another page follows.
    pub async fn find_leads(
        &self,
        account: &Account,
        filter: &LeadFilter,
        search: Option<&Search>,
        page_token: Option<&str>,
    ) -> Result<Page<ListedLead>, AdminError> {
        let (since, until) =
            (filter.captured_since.map(|time| time.to_string()), filter.captured_until.map(|time| time.to_string()));
        let listing = Listing::new("leads", &account.id)
            .with("website", filter.website_id.as_deref())
            .with("article", filter.article_id.as_deref())
            .with("since", since.as_deref())
            .with("until", until.as_deref())
            .with("search", search.map(Search::as_str));
        let listing = self.at_token(listing, page_token).ok_or(AdminError::PageToken)?;
        let page = if let Some(search) = search {
            let found =
                self.store.search_leads(&account.visibility(), filter, search, &listing.search_request()).await?;
            self.found_page(listing, found)
        } else {
            let rows = self.store.list_leads(&account.visibility(), filter, &listing.request()).await?;
            self.page(listing, rows, |lead| PageKey { time: lead.captured_at, id: lead.id.clone() })
        };
        Ok(Page { items: self.named(account, page.items).await?, next_page: page.next_page })
    }

    /// Returns the account's lead with this id.
    pub async fn lead(&self, account: &Account, lead_id: &str) -> Result<LeadView, AdminError> {
        let unknown = || AdminError::LeadNotFound(lead_id.to_owned());
        check_id("the lead's id", lead_id)?;
        let lead = self.store.find_lead(lead_id).await?;
        let lead = lead.filter(|lead| lead.account_id == account.id).ok_or_else(unknown)?;
        let article = match &lead.article_id {
            Some(article_id) => self.named_article(account, article_id).await?,
            None => None,
        };
        let events = self.store.find_lead_events(lead_id).await?;
        let endpoints = if events.iter().any(|event| !event.deliveries.is_empty()) {
            self.store.list_hook_endpoints(&account.id).await?
        } else {
            Vec::new()
        };
        Ok(LeadView {
            website: self.store.find_website(&lead.website_id).await?.ok_or_else(unknown)?,
            endpoints: endpoints.into_iter().map(|state| state.with_secret(())).collect(),
            article,
            events,
            lead,
        })
    }

    /// Returns the title and address of the account's article with this id.
    pub async fn named_article(
        &self,
        account: &Account,
        article_id: &str,
    ) -> Result<Option<NamedArticle>, store::Error> {
        let article = self.store.find_article(article_id).await?.filter(|article| article.account_id == account.id);
        let Some(article) = article else { return Ok(None) };
        let heading: Heading =
            serde_json::from_slice(&article.body).map_err(|error| store::Error::Broken(error.into()))?;
        Ok(Some(NamedArticle { id: article.id, title: heading.title, url: heading.url }))
    }

    /// Returns the account's newest published article.
    pub async fn newest_published(&self, account: &Account) -> Result<Option<ArticleSummary>, store::Error> {
        let filter = ArticleFilter { status: Some(ArticleStatus::Published), ..ArticleFilter::default() };
        let page = PageRequest { after: None, limit: 1 };
        Ok(self.store.list_articles(&account.visibility(), &filter, &page).await?.pop())
    }

    /// Adds the names of websites and articles to leads. Reads each website and article once, concurrently.
    async fn named(&self, account: &Account, leads: Vec<Lead>) -> Result<Vec<ListedLead>, store::Error> {
        let website_ids: BTreeSet<_> = leads.iter().map(|lead| &lead.website_id).collect();
        let article_ids: BTreeSet<_> = leads.iter().filter_map(|lead| lead.article_id.as_ref()).collect();
        let websites = try_join_all(website_ids.into_iter().map(async |website_id| {
            let website = self.store.find_website(website_id).await?;
            Ok::<_, store::Error>((website_id.clone(), website.map(|website| website.name).unwrap_or_default()))
        }));
        let articles = try_join_all(article_ids.into_iter().map(async |article_id| {
            let article = self.named_article(account, article_id).await?;
            Ok::<_, store::Error>((article_id.clone(), article))
        }));
        let (websites, articles) = try_join(websites, articles).await?;
        let (websites, articles): (BTreeMap<_, _>, BTreeMap<_, _>) =
            (websites.into_iter().collect(), articles.into_iter().collect());
        let name = |lead: Lead| ListedLead {
            website_name: websites.get(&lead.website_id).cloned().unwrap_or_default(),
            article: lead.article_id.as_ref().and_then(|article_id| articles.get(article_id).cloned().flatten()),
            lead,
        };
        Ok(leads.into_iter().map(name).collect())
    }

    /// Returns the current state of the lead.
    pub async fn get_lead(&self, caller: &Caller, lead_id: &str) -> Result<Lead, Error> {
        let lead = self.store.find_lead(lead_id).await?;
        lead.filter(|lead| caller.visibility.sees(&lead.account_id, &lead.website_id)).ok_or(Error::LeadNotFound)
    }

    /// Returns a page of leads for the client's query.
    pub async fn list_leads(&self, caller: &Caller, query: &[(String, String)]) -> Result<Page<StoredRow>, Error> {
        let listing = self.listing(Operation::ListLeads, caller, query)?;
        let filter = LeadFilter {
            website_id: listing.filter("website_id"),
            article_id: listing.filter("article_id"),
            captured_since: listing.parsed("captured_since", range_bound)?,
            captured_until: listing.parsed("captured_until", range_bound)?,
            updated_since: listing.parsed("updated_since", range_bound)?,
        };
        let rows = self.store.list_stored_leads(&caller.visibility, &filter, &listing.request()).await?;
        Ok(self.page(listing, rows, |row| row.key.clone()))
    }

    /// Returns the account's leads that match the filter, newest first, a page at a time. Records their number in the audit
    /// trail before the first page; the entry contains no lead data.
    pub async fn export_leads(
        &self,
        account: &Account,
        filter: LeadFilter,
        search: Option<Search>,
    ) -> Result<impl Stream<Item = Result<Vec<Lead>, store::Error>> + Send + use<>, store::Error> {
        let count = self.store.count_leads(&account.visibility(), &filter, search.as_ref()).await?;
        self.append_to_audit_trail(&account.id, (Action::LeadsExported, None), Some(&format!("{count} leads"))).await?;
        tracing::info!(account_id = %account.id, count, "leads are exported");
        Ok(self.lead_pages(account, filter, search))
    }

    /// Returns the account's leads that match the filter, newest first, a page at a time.
    pub(super) fn lead_pages(
        &self,
        account: &Account,
        filter: LeadFilter,
        search: Option<Search>,
    ) -> impl Stream<Item = Result<Vec<Lead>, store::Error>> + Send + use<> {
        let wanted = (account.visibility(), filter, search);
        let first = Some(PageRequest { after: None, limit: PAGE });
        try_unfold((self.store.clone(), wanted, first), async |(store, wanted, request)| {
            let Some(request) = request else { return Ok(None) };
            let (visibility, filter, search) = &wanted;
            let (leads, after) = if let Some(search) = search {
                let found = store.search_leads(visibility, filter, search, &request).await?;
                (found.rows, found.next)
            } else {
                let leads = store.list_leads(visibility, filter, &request).await?;
                let last = leads.last().filter(|_| leads.len() == PAGE as usize);
                let after = last.map(|lead| PageKey { time: lead.captured_at, id: lead.id.clone() });
                (leads, after)
            };
            let next = after.map(|after| PageRequest { after: Some(after), limit: PAGE });
            Ok(Some((leads, (store, wanted, next))))
        })
    }
}
