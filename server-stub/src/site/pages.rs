//! The routes of the hosted site.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::routing::get;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderValue, StatusCode};
use serde::Deserialize;

use super::assets;
use super::view::{ArticleView, IndexView, NotFoundView};
use crate::app::{App, Error};
use crate::domain::error_chain::ErrorChain;
use crate::domain::public_url::PublicUrl;

/// Scripts and styles come from this server only; articles may show pictures from anywhere over https.
const SECURITY_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' https: data:; connect-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
);

/// A preview runs no script and sends no form, and only the dashboard may frame it.
const PREVIEW_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; img-src 'self' https: data:; form-action 'none'; base-uri 'none'; \
     frame-ancestors 'self'",
);

/// What the pages are made from.
struct Site {
    app: Arc<App>,
    public_url: PublicUrl,
}

/// The pages of all hosted websites, which link to each other below `public_url`.
pub fn router(app: Arc<App>, public_url: PublicUrl) -> Router {
    Router::new()
        .route("/sites/{website_id}", get(index))
        .route("/sites/{website_id}/{slug}", get(article))
        .route("/assets/site.css", get(assets::style))
        .route("/assets/lead-form.js", get(assets::script))
        .with_state(Arc::new(Site { app, public_url }))
}

#[derive(Deserialize)]
struct IndexQuery {
    page: Option<String>,
}

async fn index(
    State(site): State<Arc<Site>>,
    Path(website_id): Path<String>,
    Query(query): Query<IndexQuery>,
) -> Response {
    match site.app.published_articles(&website_id, query.page.as_deref()).await {
        Ok(page) => html(StatusCode::OK, &IndexView::new(&page, site.public_url.path())),
        Err(error) => site.failure(&error),
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
) -> Response {
    if let Some(token) = query.preview {
        return site.preview(&website_id, &slug, &token).await;
    }
    match site.app.published_article(&website_id, &slug).await {
        Ok((website, article)) => html(StatusCode::OK, &ArticleView::new(&website, &article, site.public_url.path())),
        Err(error) => site.failure(&error),
    }
}

impl Site {
    /// An article as its readers see it or will, in a frame of the dashboard. Nothing of it is kept, and it leads nowhere.
    async fn preview(&self, website_id: &str, slug: &str, token: &str) -> Response {
        let (website, article) = match self.app.previewed_article(website_id, slug, token).await {
            Ok(found) => found,
            Err(error) => return self.failure(&error),
        };
        let mut response =
            html(StatusCode::OK, &ArticleView::new(&website, &article, self.public_url.path()).into_preview());
        let headers: [(HeaderName, HeaderValue); 4] = [
            (CACHE_CONTROL, HeaderValue::from_static("no-store")),
            (CONTENT_SECURITY_POLICY, PREVIEW_POLICY),
            // The address holds the token.
            (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
            (HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex")),
        ];
        for (name, value) in headers {
            // Instead of those of other pages, which `extend` would leave beside them.
            response.headers_mut().insert(name, value);
        }
        response
    }

    /// The page for what cannot be shown.
    fn failure(&self, error: &Error) -> Response {
        let base = self.public_url.path();
        if !matches!(error, Error::NoSuchPage) {
            tracing::error!(error = %ErrorChain(error), "a page of the hosted site could not be shown");
            return html(StatusCode::SERVICE_UNAVAILABLE, &NotFoundView { base, is_gone: false });
        }
        html(StatusCode::NOT_FOUND, &NotFoundView { base, is_gone: true })
    }
}

fn html(status: StatusCode, view: &impl Template) -> Response {
    let text = view.render().expect("the template writes to a string");
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let headers: [(HeaderName, HeaderValue); 5] = [
        (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (CACHE_CONTROL, HeaderValue::from_static("public, no-cache")),
        (CONTENT_SECURITY_POLICY, SECURITY_POLICY),
        (REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin")),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    response.headers_mut().extend(headers);
    response
}
