//! The operations and waits, one method each.

use std::future::IntoFuture as _;

use super::{Client, Items};
use crate::error::Error;
use crate::generated::builder;
use crate::generated::types::builder::GenerateRequest;
use crate::generated::types::{Article, Job, Lead, LeadAccepted, QueuedJob, ScheduledPost};
use crate::response::Response;
use crate::wait::Wait;

impl Client {
    /// Queues an article, as [`Client::generate`](crate::Client::generate) does:
    ///
    /// ```no_run
    /// # fn example(client: contentgen_sdk::blocking::Client) -> Result<(), contentgen_sdk::Error> {
    /// let queued = client.generate(|article| article.topic("Raised beds").website_id("web_1").idempotency_key("row-7"))?;
    /// println!("{}", queued.job_id);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The error of the call.
    pub fn generate<'a>(
        &'a self,
        set: impl FnOnce(builder::Generate<'a>) -> builder::Generate<'a>,
    ) -> Result<Response<QueuedJob>, Error> {
        self.call(|api| set(api.generate()).send())
    }

    /// Queues an article and waits until it is readable, as [`Client::generate_and_wait`](crate::Client::generate_and_wait) does:
    ///
    /// ```no_run
    /// # fn example(client: contentgen_sdk::blocking::Client) -> Result<(), contentgen_sdk::Error> {
    /// use contentgen_sdk::types::GenerateRequest;
    ///
    /// let request = GenerateRequest::builder().topic("Raised beds").website_id("web_1");
    /// let article = client.generate_and_wait(request, |wait| wait.timeout(std::time::Duration::from_secs(600)))?;
    /// println!("{}", article.title.as_deref().unwrap_or("untitled"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Any error of the wait.
    pub fn generate_and_wait<'a>(
        &'a self,
        request: impl Into<GenerateRequest>,
        set: impl FnOnce(Wait<'a, Response<Article>>) -> Wait<'a, Response<Article>>,
    ) -> Result<Response<Article>, Error> {
        self.call(|api| set(api.generate_and_wait(request)).into_future())
    }

    /// Waits until a job has ended, as [`Client::wait_for_job`](crate::Client::wait_for_job) does. Pass `|wait| wait` for the defaults.
    ///
    /// # Errors
    ///
    /// Any error of the wait.
    pub fn wait_for_job<'a>(
        &'a self,
        job_id: impl Into<String>,
        set: impl FnOnce(Wait<'a, Response<Job>>) -> Wait<'a, Response<Job>>,
    ) -> Result<Response<Job>, Error> {
        self.call(|api| set(api.wait_for_job(job_id)).into_future())
    }

    /// Waits until the article of a job is readable, as [`Client::wait_for_article`](crate::Client::wait_for_article) does. Pass
    /// `|wait| wait` for the defaults.
    ///
    /// # Errors
    ///
    /// Any error of the wait.
    pub fn wait_for_article<'a>(
        &'a self,
        job_id: impl Into<String>,
        set: impl FnOnce(Wait<'a, Response<Article>>) -> Wait<'a, Response<Article>>,
    ) -> Result<Response<Article>, Error> {
        self.call(|api| set(api.wait_for_article(job_id)).into_future())
    }

    /// Reads an article by its id or by that of its job, as [`Client::get_article`](crate::Client::get_article) does.
    ///
    /// # Errors
    ///
    /// The error of the call.
    pub fn get_article(&self, id: impl Into<String>) -> Result<Response<Article>, Error> {
        self.call(|api| api.get_article(id).send())
    }

    /// Reads a job, as [`Client::get_job`](crate::Client::get_job) does.
    ///
    /// # Errors
    ///
    /// The error of the call.
    pub fn get_job(&self, job_id: impl Into<String>) -> Result<Response<Job>, Error> {
        self.call(|api| api.get_job(job_id).send())
    }

    /// Stops a job, as [`Client::cancel_job`](crate::Client::cancel_job) does.
    ///
    /// # Errors
    ///
    /// The error of the call.
    pub fn cancel_job(&self, job_id: impl Into<String>) -> Result<Response<Job>, Error> {
        self.call(|api| api.cancel_job(job_id).send())
    }

    /// Reads a lead, as [`Client::get_lead`](crate::Client::get_lead) does.
    ///
    /// # Errors
    ///
    /// The error of the call.
    pub fn get_lead(&self, lead_id: impl Into<String>) -> Result<Response<Lead>, Error> {
        self.call(|api| api.get_lead(lead_id).send())
    }

    /// Reads a scheduled post, as [`Client::get_scheduled_post`](crate::Client::get_scheduled_post) does.
    ///
    /// # Errors
    ///
    /// The error of the call.
    pub fn get_scheduled_post(&self, scheduled_post_id: impl Into<String>) -> Result<Response<ScheduledPost>, Error> {
        self.call(|api| api.get_scheduled_post(scheduled_post_id).send())
    }

    /// Sends a lead form, without the key, as [`Client::capture_lead`](crate::Client::capture_lead) does:
    ///
    /// ```no_run
    /// # fn example(client: contentgen_sdk::blocking::Client) -> Result<(), contentgen_sdk::Error> {
    /// client.capture_lead("web_1", |lead| lead.email("reader@example.com").name("Robin Reader"))?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The error of the call.
    pub fn capture_lead<'a>(
        &'a self,
        website_id: impl Into<String>,
        set: impl FnOnce(builder::CaptureLead<'a>) -> builder::CaptureLead<'a>,
    ) -> Result<Response<LeadAccepted>, Error> {
        self.call(|api| set(api.capture_lead(website_id)).send())
    }

    /// The articles without their texts, over all pages. Pass `|list| list` to list all of them.
    pub fn list_articles<'a>(
        &'a self,
        set: impl FnOnce(builder::ListArticles<'a>) -> builder::ListArticles<'a>,
    ) -> Items<'a, builder::ListArticles<'a>> {
        self.items(|api| set(api.list_articles()))
    }

    /// The leads, over all pages:
    ///
    /// ```no_run
    /// # fn example(client: contentgen_sdk::blocking::Client) -> Result<(), contentgen_sdk::Error> {
    /// for lead in client.list_leads(|leads| leads.website_id("web_1").limit(100_u32)) {
    ///     println!("{}", lead?.id);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn list_leads<'a>(
        &'a self,
        set: impl FnOnce(builder::ListLeads<'a>) -> builder::ListLeads<'a>,
    ) -> Items<'a, builder::ListLeads<'a>> {
        self.items(|api| set(api.list_leads()))
    }

    /// The scheduled posts, over all pages. Pass `|list| list` to list all of them.
    pub fn list_scheduled_posts<'a>(
        &'a self,
        set: impl FnOnce(builder::ListScheduledPosts<'a>) -> builder::ListScheduledPosts<'a>,
    ) -> Items<'a, builder::ListScheduledPosts<'a>> {
        self.items(|api| set(api.list_scheduled_posts()))
    }

    /// The websites that the key can access, over all pages. Pass `|list| list` to list all of them.
    pub fn list_websites<'a>(
        &'a self,
        set: impl FnOnce(builder::ListWebsites<'a>) -> builder::ListWebsites<'a>,
    ) -> Items<'a, builder::ListWebsites<'a>> {
        self.items(|api| set(api.list_websites()))
    }
}
