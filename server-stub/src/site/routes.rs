//! Routes of the hosted site.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, StatusCode, Uri};
use serde::Deserialize;
use tokio::sync::Mutex;

use super::cache::{Cache, Rendered};
use super::feeds::{FeedView, Item, SitemapView};
use super::response::{self, HTML, RSS, XML, current, text};
use super::view::{ArticleView, IndexView};
use crate::app::{self, App, Error};
use crate::domain::clock::Timestamp;
use crate::domain::error_chain::ErrorChain;
use crate::domain::public_url::PublicUrl;

/// Shared state of the handlers.
struct Site {
    app: Arc<App>,
    public_url: PublicUrl,
    /// Content security policy of previews.
    preview_policy: HeaderValue,
    /// Start of this process, which may have changed templates and addresses.
    started_at: Timestamp,
    cache: Cache,
    /// Lock of the request that renders a sitemap, which may read many rows.
    sitemap_turn: Mutex<()>,
}

/// A kind of text that a website shows to readers.
enum Part<'a> {
    /// The list of articles, or the page of it that the token names.
    Index(Option<&'a str>),
    Feed,
    Sitemap,
    /// The article with that slug.
    Article(&'a str),
}

/// Returns the routes of all hosted websites. Links on their pages start with `public_url`. The dashboard is at `dashboard_url`.
pub fn router(app: Arc<App>, public_url: PublicUrl, dashboard_url: &PublicUrl) -> Router {
    let (cache, sitemap_turn) = (Cache::new(), Mutex::default());
    let preview_policy = preview_policy(dashboard_url.policy_source(&public_url));
    Router::new()
        .route("/sites/{website_id}", get(index))
        .route("/sites/{website_id}/", get(without_slash))
        .route("/sites/{website_id}/feed.xml", get(feed))
        .route("/sites/{website_id}/sitemap.xml", get(sitemap))
        .route("/sites/{website_id}/{slug}", get(article))
        .route("/sites/{website_id}/{slug}/", get(without_slash))
        .route("/robots.txt", get(response::robots))
        .route("/assets/site.css", get(response::style))
        .route("/assets/site-icon.svg", get(response::icon))
        .route("/assets/lead-form.js", get(response::script))
        .with_state(Arc::new(Site {
            started_at: app.clock().wall(),
            app,
            public_url,
            preview_policy,
            cache,
            sitemap_turn,
        }))
}

/// Returns the policy of a preview: it runs no script and sends no form, and only the dashboard may frame it.
fn preview_policy(dashboard: &str) -> HeaderValue {
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src 'self' https: data:; form-action 'none'; base-uri 'none'; \
         frame-ancestors {dashboard}"
    );
    HeaderValue::from_str(&policy).expect("an origin is ASCII")
}

/// Redirects an address with a slash at its end to the address of the page.
async fn without_slash(State(site): State<Arc<Site>>, uri: Uri) -> Redirect {
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    Redirect::permanent(&site.public_url.reference(&format!("{}{query}", uri.path().trim_end_matches('/'))))
}

#[derive(Deserialize)]
struct IndexQuery {
    page: Option<String>,
}

async fn index(
    State(site): State<Arc<Site>>,
    Path(website_id): Path<String>,
    Query(query): Query<IndexQuery>,
    request: HeaderMap,
) -> Response {
    site.respond(&website_id, Part::Index(query.page.as_deref()), &request).await
}

async fn feed(State(site): State<Arc<Site>>, Path(website_id): Path<String>, request: HeaderMap) -> Response {
    site.respond(&website_id, Part::Feed, &request).await
}

async fn sitemap(State(site): State<Arc<Site>>, Path(website_id): Path<String>, request: HeaderMap) -> Response {
    site.respond(&website_id, Part::Sitemap, &request).await
}

#[derive(Deserialize)]
struct ArticleQuery {
    preview: Option<String>,
}

async fn article(
    State(site): State<Arc<Site>>,
    Path((website_id, slug)): Path<(String, String)>,
    Query(query): Query<ArticleQuery>,
    request: HeaderMap,
) -> Response {
    if let Some(token) = query.preview {
        return site.preview(&website_id, &slug, &token).await;
    }
    site.respond(&website_id, Part::Article(&slug), &request).await
}

impl Site {
    async fn respond(&self, website_id: &str, part: Part<'_>, request: &HeaderMap) -> Response {
        match self.rendered(website_id, &part).await {
            Ok(page) => current(request, page, self.app.clock().wall()),
            Err(error) => failure(&error),
        }
    }

    /// Returns the text from the cache, or renders it.
    async fn rendered(&self, website_id: &str, part: &Part<'_>) -> Result<Rendered, Error> {
        let site = self.app.site(website_id).await?;
        let now = self.app.clock().moment();
        // Each rendering makes new tokens, so pages behind the first one would push out what readers see.
        let key = match part {
            Part::Index(None) => format!("{website_id} index"),
            Part::Index(Some(_)) => return self.render(&site, part).await,
            Part::Feed => format!("{website_id} feed"),
            Part::Sitemap => format!("{website_id} sitemap"),
            Part::Article(slug) => format!("{website_id} article {slug}"),
        };
        if let Some(page) = self.cache.get(&key, &site, now) {
            return Ok(page);
        }
        let _turn = match part {
            Part::Sitemap => Some(self.sitemap_turn.lock().await),
            _ => None,
        };
        // The request that had the turn before may have rendered it.
        if let Some(page) = self.cache.get(&key, &site, now) {
            return Ok(page);
        }
        let page = self.render(&site, part).await?;
        self.cache.put(key, site, &page, now);
        Ok(page)
    }

    async fn render(&self, site: &app::Site, part: &Part<'_>) -> Result<Rendered, Error> {
        let (website, public_url) = (&site.website, &self.public_url);
        let changed_at = site.changed_at().max(self.started_at);
        Ok(match part {
            Part::Index(token) => {
                let page = self.app.published_articles(website, *token).await?;
                let view = IndexView::new(website, &page, token.is_some(), public_url);
                // The token of older articles expires although nothing has changed.
                let changed_at = page.older.is_none().then_some(changed_at);
                Rendered { changed_at, ..Rendered::new(HTML, render(&view), self.started_at) }
            }
            Part::Feed if website.full_text_feed => {
                let articles = self.app.newest_articles(website).await?;
                let items = articles.iter().map(|row| {
                    let item = Item::new(website, &row.article.summary(), row.is_hosted, public_url);
                    item.with_text(&row.article.content.content_html)
                });
                Rendered::new(RSS, render(&FeedView::new(site, items.collect(), public_url)), changed_at)
            }
            Part::Feed => {
                let page = self.app.published_articles(website, None).await?;
                let items = page.articles.iter();
                let items = items.map(|row| Item::new(website, &row.article, row.is_hosted, public_url));
                Rendered::new(RSS, render(&FeedView::new(site, items.collect(), public_url)), changed_at)
            }
            Part::Sitemap => {
                let articles = self.app.hosted_articles(website).await?;
                Rendered::new(XML, render(&SitemapView::new(site, &articles, public_url)), changed_at)
            }
            Part::Article(slug) => {
                let article = self.app.published_article(website, slug).await?;
                let changed_at = article.updated_at.max(website.updated_at).max(self.started_at);
                Rendered::new(HTML, render(&ArticleView::new(website, &article, public_url)), changed_at)
            }
        })
    }

    /// Returns an article as readers see it, for a frame of the dashboard.
    async fn preview(&self, website_id: &str, slug: &str, token: &str) -> Response {
        let (website, article) = match self.app.previewed_article(website_id, slug, token).await {
            Ok(found) => found,
            Err(error) => return failure(&error),
        };
        let view = ArticleView::new(&website, &article, &self.public_url).into_preview();
        let mut response = text(StatusCode::OK, HTML, render(&view));
        let headers: [(HeaderName, HeaderValue); 4] = [
            (CACHE_CONTROL, HeaderValue::from_static("no-store")),
            (CONTENT_SECURITY_POLICY, self.preview_policy.clone()),
            // The address contains the token.
            (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
            (HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex")),
        ];
        for (name, value) in headers {
            // Replaces existing headers; `extend` would append to them.
            response.headers_mut().insert(name, value);
        }
        response
    }
}

/// Returns the status of an error, without a body: `http` adds the page.
fn failure(error: &Error) -> Response {
    if matches!(error, Error::NoSuchPage) {
        return StatusCode::NOT_FOUND.into_response();
    }
    tracing::error!(error = %ErrorChain(error), "cannot show a page of the hosted site");
    (StatusCode::SERVICE_UNAVAILABLE, [(RETRY_AFTER, "5")]).into_response()
}

fn render(view: &impl Template) -> String {
    view.render().expect("the template writes to a string")
}
