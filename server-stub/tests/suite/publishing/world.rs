//! A server with a folder for files, and an account whose website publishes to the test's target.

use std::sync::Arc;

use contentgen_server_stub::app::{AdminError, PublishTo};
use contentgen_server_stub::domain::account::Account;
use contentgen_server_stub::domain::article_texts::ArticleTexts;
use contentgen_server_stub::domain::hook::HookSecret;
use contentgen_server_stub::domain::store::UpdateState;
use contentgen_server_stub::generation::{ArticleGenerator, OfflineWriter};
use contentgen_server_stub::hooks::Tuning;
use contentgen_server_stub::server::{Running, Server, Settings};
use reqwest::Client;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::plain_http;
use crate::waiting::until_ok;

pub(super) struct World {
    pub(super) running: Running,
    pub(super) account: Account,
    pub(super) website_id: String,
    pub(super) folder: TempDir,
}

impl World {
    pub(super) async fn start() -> Self {
        Self::with_writer(OfflineWriter).await
    }

    /// Starts a server with another writer.
    pub(super) async fn with_writer(writer: impl ArticleGenerator + 'static) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // A busy machine may write other articles while a system holds a request, so the attempt must not time out.
        let hooks = Tuning { attempt_timeout: Tuning::MAX_ATTEMPT_TIMEOUT, ..Tuning::default() };
        let settings = Settings { publish_root: Some(folder.path().to_owned()), hooks, ..Settings::demo() };
        let running = Server::builder().settings(settings).generator(Arc::new(writer)).start().await.unwrap();
        let account = running.app().account(&running.accounts()[0].name).await.unwrap();
        let website_id = running.accounts()[0].website_id.clone();
        Self { running, account, website_id, folder }
    }

    /// Sets the publishing target. Returns the new secret, if there is one.
    pub(super) async fn publish_to(&self, wanted: PublishTo) -> Option<HookSecret> {
        self.try_publish_to(wanted).await.unwrap()
    }

    /// Sets the publishing target, if it is allowed.
    pub(super) async fn try_publish_to(&self, wanted: PublishTo) -> Result<Option<HookSecret>, AdminError> {
        let former = self.running.app().publishing_target(&self.account, &self.website_id).await.unwrap();
        self.running.app().set_publishing_target(&self.account, &self.website_id, &former, wanted).await
    }

    pub(super) async fn get(&self, path: &str) -> (u16, Value) {
        let url = format!("{}{path}", self.running.base_url().unwrap());
        let request = http().get(url).bearer_auth(&self.running.accounts()[0].api_key);
        let response = request.header("prefer", "wait=60").send().await.unwrap();
        let status = response.status().as_u16();
        (status, serde_json::from_str(&response.text().await.unwrap()).unwrap_or_default())
    }

    /// Queues an article and waits until it is written. Returns its id.
    pub(super) async fn write(&self, topic: &str) -> String {
        self.write_with(topic, &[]).await
    }

    /// Queues an article with keywords and waits until it is written. Returns its id.
    pub(super) async fn write_with(&self, topic: &str, keywords: &[&str]) -> String {
        let order = json!({
            "topic": topic, "website_id": self.website_id, "target_word_count": 200, "keywords": keywords,
        });
        let url = format!("{}/api/v1/generate", self.running.base_url().unwrap());
        let request = http().post(url).bearer_auth(&self.running.accounts()[0].api_key);
        let request = request.header("content-type", "application/json").body(order.to_string());
        let queued: Value = serde_json::from_str(&request.send().await.unwrap().text().await.unwrap()).unwrap();
        let job_id = queued["job_id"].as_str().unwrap_or_else(|| panic!("{queued}"));
        until_ok("the article is written", async || {
            let (_, job) = self.get(&format!("/api/v1/jobs/{job_id}")).await;
            if job["done"] == true { Ok(job["article_id"].as_str().unwrap().to_owned()) } else { Err(job) }
        })
        .await
    }

    /// Edits the title of an article. Returns its new version.
    pub(super) async fn edit(&self, article_id: &str, title: &str) -> u32 {
        let (app, visibility) = (self.running.app(), self.account.visibility());
        let article = app.article(&visibility, article_id).await.unwrap();
        let texts = ArticleTexts { title: title.to_owned(), ..ArticleTexts::of(&article.content) };
        app.edit_article(&visibility, article_id, article.version, texts).await.unwrap()
    }

    /// Waits until the place of publication has the edits of the article, or does not accept them.
    pub(super) async fn updated(&self, article_id: &str) -> Option<UpdateState> {
        let (app, visibility) = (self.running.app(), self.account.visibility());
        until_ok("the update is sent", async || {
            let article = app.article(&visibility, article_id).await.unwrap();
            match app.article_update(&article).await.unwrap() {
                Some(UpdateState::Pending) => Err("it is pending"),
                done => Ok(done),
            }
        })
        .await
    }

    pub(super) async fn article(&self, article_id: &str) -> Value {
        self.get(&format!("/api/v1/articles/{article_id}")).await.1
    }

    /// Waits until the article is published, and returns it.
    pub(super) async fn published(&self, article_id: &str) -> Value {
        until_ok("the article is published", async || {
            let article = self.article(article_id).await;
            if article["status"] == "published" { Ok(article) } else { Err(article) }
        })
        .await
    }

    /// Waits until the article's post has this status, and returns it.
    pub(super) async fn post(&self, article_id: &str, status: &str) -> Value {
        until_ok(&format!("the post is {status}"), async || {
            let (_, page) = self.get(&format!("/api/v1/scheduled_posts?website_id={}", self.website_id)).await;
            let posts = page["items"].as_array().unwrap();
            let post = posts.iter().find(|post| post["article_id"] == article_id).unwrap().clone();
            if post["status"] == status { Ok(post) } else { Err(post) }
        })
        .await
    }
}

fn http() -> Client {
    plain_http::following_client()
}
