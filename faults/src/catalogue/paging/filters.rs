//! Filters by website, status and article.

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::pages::{self, Listing, all_rows, link_as_asked, rows_of};
use super::parameters::{ignore, is_page, problem, refuse, reread, single, valid};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response, parse_time};

pub(super) const FAULTS: &[Fault] = &[
    fault("paging.website-ignored", "The server ignores the filter website_id.", &["pages.filter.website"])
        .request(|request, _| ignore(request, "website_id"))
        .response(link_as_asked),
    fault("paging.website-unknown", "A filter by an unknown website gets 404.", &["pages.filter.website"])
        .exchange(|exchange| website_unknown(exchange).boxed()),
    fault("paging.status-ignored", "The server ignores the filter status.", &["pages.filter.status"])
        .request(|request, _| ignore(request, "status"))
        .response(link_as_asked),
    fault("paging.status-any", "An unknown status gets an empty page.", &["pages.filter.refused"])
        .exchange(|exchange| status_any(exchange).boxed()),
    fault("paging.status-without-case", "The server ignores the case of the filter status.", &["pages.filter.refused"])
        .request(|request, _| reread(request, "status", |status| Some(status.to_lowercase())))
        .response(link_as_asked),
    fault("paging.archived-refused", "The server refuses a status that no item has.", &["pages.filter.vocabulary"])
        .exchange(|exchange| status_of_nothing_refused(exchange).boxed()),
    fault(
        "paging.status-at-creation",
        "The filter status of scheduled posts uses their first status.",
        &["pages.filter.entries-match"],
    )
    .request(|request, _| {
        if request.is(Operation::ListScheduledPosts) && single(request, "status").as_deref() == Some("queued") {
            request.remove_parameter("status");
        }
    })
    .response(|response, request, memory| {
        let began_otherwise = valid(request, "status").is_some_and(|status| status != "queued");
        if request.is(Operation::ListScheduledPosts) && began_otherwise && response.is_success() {
            pages::empty(response, request);
        } else {
            link_as_asked(response, request, memory);
        }
    }),
    fault(
        "paging.website-or-status",
        "With two filters, lists contain items that match either of them.",
        &["pages.filter.articles-match"],
    )
    .exchange(|exchange| website_or_status(exchange).boxed()),
    fault(
        "paging.updated-since-ignored",
        "The server ignores the filter updated_since.",
        &["pages.filter.updated-since"],
    )
    .request(|request, _| ignore(request, "updated_since"))
    .response(link_as_asked),
    fault(
        "paging.article-filter-ignored",
        "The server ignores the filter article_id of leads.",
        &["leads.filter.article"],
    )
    .request(|request, _| ignore(request, "article_id"))
    .response(link_as_asked),
    fault(
        "paging.reversed-refused",
        "The server refuses a range that ends before it begins.",
        &["pages.range.reversed"],
    )
    .exchange(|exchange| reversed_refused(exchange).boxed()),
    fault("paging.drafts-unlisted", "Lists omit drafts.", &["pages.articles.listed"]).response(
        |response, request, _| {
            if request.is(Operation::ListArticles) {
                pages::retain_rows(response, |row| row["status"] != "draft");
            }
        },
    ),
    fault("paging.excerpt-20", "Lists cut the excerpt of an article at 20 characters.", &["pages.articles.listed"])
        .response(|response, request, _| {
            if request.is(Operation::ListArticles) {
                response.edit_rows(|row| {
                    if let Some(excerpt) = row["excerpt"].as_str() {
                        row["excerpt"] = json!(excerpt.chars().take(20).collect::<String>());
                    }
                });
            }
        }),
];

async fn website_unknown(exchange: Exchange) -> Response {
    let request = &exchange.request;
    let response = exchange.forward().await;
    let (Some(website), Some(key)) = (valid(request, "website_id"), request.key()) else { return response };
    if !response.is_success() || !response.json().is_some_and(|page| rows_of(&page).is_empty()) {
        return response;
    }
    match all_rows(&exchange, "/api/v1/websites", key, &[]).await {
        Some(known) if known.iter().all(|row| row["website_id"] != website.as_str()) => {
            problem(&response, request, 404, "website_not_found", "Website not found")
        }
        _ => response,
    }
}

fn names(refusal: &Response, parameter: &str) -> bool {
    let errors = refusal.json().map(|problem| problem["errors"].clone()).unwrap_or_default();
    errors.as_array().is_some_and(|errors| errors.iter().any(|error| error["parameter"] == parameter))
}

async fn status_any(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    if !is_page(&exchange.request) || response.status != 422 || !names(&response, "status") {
        return response;
    }
    let mut others = exchange.request.clone();
    others.remove_parameter("status");
    let mut page = exchange.send(others).await;
    if page.is_success() {
        pages::empty(&mut page, &exchange.request);
    }
    page
}

/// Takes the vocabulary from the existing items.
async fn status_of_nothing_refused(exchange: Exchange) -> Response {
    let request = &exchange.request;
    let response = exchange.forward().await;
    let (Some(status), Some(key)) = (valid(request, "status"), request.key()) else { return response };
    let found = all_found(&response);
    if !is_page(request) || !response.is_success() || found > 0 {
        return response;
    }
    let mut any = Request::get(&request.path).with_key(key);
    any.set_parameter("status", &status);
    let any = exchange.send(any).await;
    if any.is_success() && all_found(&any) == 0 {
        refuse(&response, request, "status", "nothing has it")
    } else {
        response
    }
}

/// Returns the number of rows on a page. A page with a next page counts as having a row.
fn all_found(response: &Response) -> usize {
    let page = response.json().unwrap_or_default();
    rows_of(&page).len() + usize::from(page["next_page"].is_string())
}

async fn reversed_refused(exchange: Exchange) -> Response {
    let response = exchange.forward().await;
    let bound = |name: &str| parse_time(&valid(&exchange.request, name)?);
    let is_reversed = bound("captured_since").zip(bound("captured_until")).is_some_and(|(since, until)| since > until);
    if response.is_success() && is_reversed {
        return refuse(&response, &exchange.request, "captured_until", "it is before captured_since");
    }
    response
}

async fn website_or_status(exchange: Exchange) -> Response {
    let Some(listing) = Listing::asked(&exchange) else { return exchange.forward().await };
    let value = |name: &str| listing.filters.iter().find(|(found, _)| found == name).map(|(_, value)| value.clone());
    let (Some(website), Some(status)) = (value("website_id"), value("status")) else { return exchange.forward().await };
    let Some(key) = exchange.request.key().filter(|_| exchange.request.is(Operation::ListArticles)) else {
        return exchange.forward().await;
    };
    let others: Vec<_> =
        listing.filters.iter().filter(|(name, _)| name != "website_id" && name != "status").cloned().collect();
    let Some(mut rows) = all_rows(&exchange, &exchange.request.path, key, &others).await else {
        return exchange.forward().await;
    };
    if !pages::may_go_on(&exchange, &listing, &rows) {
        return exchange.forward().await;
    }
    rows.retain(|row: &Value| row["website_id"] == website.as_str() || row["status"] == status.as_str());
    let begin = listing.from.as_ref().map_or(0, |place| pages::behind_last(&rows, place));
    listing.page(&exchange, &rows, begin).await
}
