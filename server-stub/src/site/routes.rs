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

use super::feeds::{FeedView, SitemapView, changed_at};
use super::response::{self, HTML, RSS, XML, current, text};
use super::view::{ArticleView, IndexView};
use crate::app::{App, Error};
use crate::domain::error_chain::ErrorChain;
use crate::domain::public_url::PublicUrl;

/// A preview runs no script and sends no form, and only the dashboard may frame it.
const PREVIEW_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; img-src 'self' https: data:; form-action 'none'; base-uri 'none'; \
     frame-ancestors 'self'",
);

/// Shared state of the handlers.
struct Site {
    app: Arc<App>,
    public_url: PublicUrl,
}

/// Returns the routes of all hosted websites. Links on their pages start with `public_url`.
pub fn router(app: Arc<App>, public_url: PublicUrl) -> Router {
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
        .with_state(Arc::new(Site { app, public_url }))
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
    match site.app.published_articles(&website_id, query.page.as_deref()).await {
        Ok(page) => {
            let view = IndexView::new(&page, query.page.is_some(), &site.public_url);
            current(&request, HTML, render(&view), changed_at(&page))
        }
        Err(error) => failure(&error),
    }
}

async fn feed(State(site): State<Arc<Site>>, Path(website_id): Path<String>, request: HeaderMap) -> Response {
    match site.app.published_articles(&website_id, None).await {
        Ok(page) => current(&request, RSS, render(&FeedView::new(&page, &site.public_url)), changed_at(&page)),
        Err(error) => failure(&error),
    }
}

async fn sitemap(State(site): State<Arc<Site>>, Path(website_id): Path<String>, request: HeaderMap) -> Response {
    match site.app.hosted_articles(&website_id).await {
        Ok(hosted) => {
            let view = SitemapView::new(&hosted, &site.public_url);
            current(&request, XML, render(&view), view.changed_at())
        }
        Err(error) => failure(&error),
    }
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
    match site.app.published_article(&website_id, &slug).await {
        Ok((website, article)) => {
            let view = ArticleView::new(&website, &article, &site.public_url);
            current(&request, HTML, render(&view), article.updated_at.max(website.updated_at))
        }
        Err(error) => failure(&error),
    }
}

impl Site {
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
            (CONTENT_SECURITY_POLICY, PREVIEW_POLICY),
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
