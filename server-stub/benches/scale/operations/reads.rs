//! Lists and single reads, one after the other, each of another account or position. Every second read is of the largest account. Lists of
//! rare rows always are.

use std::time::Duration;

use contentgen_server_stub::domain::article::ArticleStatus;
use contentgen_server_stub::domain::clock::{Moment, Timestamp};
use contentgen_server_stub::domain::id::Kind;
use contentgen_server_stub::domain::post::PostStatus;
use contentgen_server_stub::domain::retention::{RecordKind, Retention};
use contentgen_server_stub::domain::store::{ArticleFilter, LeadFilter, PageKey, PageRequest, PostFilter};
use contentgen_server_stub::domain::visibility::Visibility;

use super::{Operation, Subject};
use crate::population::{Owner, mix};

/// Reads of a round.
const READS: usize = 60;
/// A page, and one row that shows whether another page follows.
const PAGE: u32 = 21;
/// Rows to read in lists of rare rows. The largest account has as many in a small database, so the compared lists have the same length.
const FEW: u32 = 1;
/// Recently changed articles, regardless of the size.
const CHANGED: u64 = 100;
const DAY: Duration = Duration::from_hours(24);
const HOUR: Duration = Duration::from_hours(1);

/// Returns true if the operation lists rare rows.
const fn lists_few(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::ListArticlesOfWebsite
            | Operation::ListArticlesForOneWebsite
            | Operation::ListArchived
            | Operation::ListLeadsOfWebsite
            | Operation::ListLeadsForOneWebsite
            | Operation::ListLeadsOfDay
            | Operation::ListPostsOfWebsite
            | Operation::ListFailedPosts
    )
}

impl Subject {
    pub(super) async fn read(&mut self, operation: Operation) -> anyhow::Result<usize> {
        for _ in 0..READS {
            let choice = mix(self.next());
            let is_largest = choice.is_multiple_of(2) || lists_few(operation);
            let owner = if is_largest { 0 } else { (choice >> 8) % self.population.owners.len() as u64 };
            self.read_once(operation, &self.population.owners[usize::try_from(owner)?], choice).await?;
        }
        Ok(READS)
    }

    async fn read_once(&self, operation: Operation, owner: &Owner, choice: u64) -> anyhow::Result<()> {
        match operation {
            Operation::ReadArticle => {
                let id = self.population.id(Kind::Article, choice % self.population.size);
                anyhow::ensure!(self.store.find_article(&id).await?.is_some(), "there is no article {id}");
            }
            Operation::CountQueues => drop(
                self.store.queue_statistics(Moment { wall: self.population.now, steady: self.population.now }).await?,
            ),
            Operation::PurgeNothing => {
                // All rows are younger than a year.
                let retention =
                    Retention { events: 365 * DAY, deliveries: 365 * DAY, attempts: 365 * DAY, ..Retention::default() };
                for kind in RecordKind::ALL {
                    let cutoff = retention.cutoff(kind, self.population.now.minus(HOUR));
                    let batch = self.store.purge(kind, cutoff, "").await?;
                    anyhow::ensure!(batch.next.is_none(), "something was purged");
                }
            }
            Operation::ListDeliveries => {
                let page = PageRequest { after: None, limit: PAGE };
                drop(self.store.list_deliveries(&owner.endpoint_ids[0], &page).await?);
            }
            list => self.list(list, owner, choice).await?,
        }
        Ok(())
    }

    async fn list(&self, operation: Operation, owner: &Owner, choice: u64) -> anyhow::Result<()> {
        let quiet = || Some(owner.websites[1].clone());
        let is_restricted =
            matches!(operation, Operation::ListArticlesForOneWebsite | Operation::ListLeadsForOneWebsite);
        let website_ids = is_restricted.then(|| vec![owner.websites[1].clone()]);
        let visibility = Visibility { account_id: owner.account_id.clone(), website_ids };
        let is_far = matches!(operation, Operation::ListArticlesBehindAPage | Operation::ListLeadsBehindAPage);
        let after = is_far.then(|| PageKey { time: self.long_ago(choice), id: "z".to_owned() });
        let page = PageRequest { after, limit: if lists_few(operation) { FEW } else { PAGE } };
        let (mut articles, mut leads, mut posts) =
            (ArticleFilter::default(), LeadFilter::default(), PostFilter::default());
        match operation {
            Operation::ListArticlesOfWebsite => articles.website_id = quiet(),
            Operation::ListDrafts => articles.status = Some(ArticleStatus::Draft),
            Operation::ListArchived => articles.status = Some(ArticleStatus::Archived),
            Operation::ListChangedArticles | Operation::ListChangedOfWebsite => {
                articles.website_id = (operation == Operation::ListChangedOfWebsite).then(|| owner.websites[0].clone());
                articles.updated_since = Some(self.population.made_at(self.population.size - CHANGED));
            }
            Operation::ListLeadsOfWebsite => leads.website_id = quiet(),
            Operation::ListLeadsOfArticle => {
                leads.article_id = Some(self.population.id(Kind::Article, choice % self.population.size));
            }
            Operation::ListLeadsOfDay => {
                let since = self.long_ago(choice);
                (leads.captured_since, leads.captured_until) = (Some(since), Some(since.plus(DAY)));
            }
            Operation::ListChangedLeads => {
                leads.updated_since = Some(self.population.made_at(self.population.size - CHANGED));
            }
            Operation::ListPostsOfWebsite => posts.website_id = quiet(),
            Operation::ListFailedPosts => posts.status = Some(PostStatus::Failed),
            Operation::ListWaitingPosts => posts.status = Some(PostStatus::Ready),
            _ => {}
        }
        let rows = match operation {
            Operation::ListPosts
            | Operation::ListPostsOfWebsite
            | Operation::ListFailedPosts
            | Operation::ListWaitingPosts => self.store.list_posts(&visibility, &posts, &page).await?.len(),
            Operation::ListLeads
            | Operation::ListLeadsBehindAPage
            | Operation::ListLeadsOfWebsite
            | Operation::ListLeadsForOneWebsite
            | Operation::ListLeadsOfArticle
            | Operation::ListLeadsOfDay
            | Operation::ListChangedLeads => self.store.list_leads(&visibility, &leads, &page).await?.len(),
            _ => self.store.list_articles(&visibility, &articles, &page).await?.len(),
        };
        anyhow::ensure!(!lists_few(operation) || rows == FEW as usize, "{}: {rows} rows", operation.name());
        Ok(())
    }

    /// Returns a time in the middle of the year.
    fn long_ago(&self, choice: u64) -> Timestamp {
        self.population.made_at(self.population.size / 4 + choice % (self.population.size / 2))
    }
}
