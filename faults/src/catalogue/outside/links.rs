//! Faults in links between articles.

use serde_json::{Value, json};
use url::Url;

use super::super::fault::{Fault, fault};
use crate::message::{Operation, Request, Response};

pub(super) const FAULTS: &[Fault] = &[
    fault("outside.links-to-preview", "internal_links point to the preview host.", &["articles.links.published"])
        .response(|response, request, _| edit_links(response, request, |url| on_preview(url).to_string())),
    fault(
        "outside.links-to-itself",
        "An article links to itself, with its host in capitals.",
        &["articles.links.internal"],
    )
    .response(|response, request, _| edit_article(response, request, link_to_itself)),
    fault(
        "outside.text-links-to-preview",
        "The links in the text point to the preview host, but internal_links do not.",
        &["articles.links.internal"],
    )
    .response(|response, request, _| edit_article(response, request, text_to_preview)),
];

fn edit_article(response: &mut Response, request: &Request, edit: fn(&mut Value)) {
    if request.is(Operation::GetArticle) && response.is_success() {
        response.edit(edit);
    }
}

fn links(article: &Value) -> Vec<Url> {
    let links = article["internal_links"].as_array().into_iter().flatten();
    links.filter_map(|link| Url::parse(link["url"].as_str()?).ok()).collect()
}

fn edit_links(response: &mut Response, request: &Request, change: fn(&Url) -> String) {
    if request.is(Operation::GetArticle) && response.is_success() {
        response.edit(|article| {
            for link in article["internal_links"].as_array_mut().into_iter().flatten() {
                if let Some(url) = link["url"].as_str().and_then(|url| Url::parse(url).ok()) {
                    link["url"] = json!(change(&url));
                }
            }
        });
    }
}

fn on_preview(url: &Url) -> Url {
    let mut preview = url.clone();
    // Replaces the host of every URL.
    let _ = preview.set_host(Some("preview.example"));
    preview
}

/// A draft has no address yet, so build its future one.
fn link_to_itself(article: &mut Value) {
    let known = ["url", "canonical_url"].iter().find_map(|name| Url::parse(article[*name].as_str()?).ok());
    let Some(own) = known.or_else(|| own_address(article)) else { return };
    let host = own.host_str().unwrap_or_default();
    let own = own.as_str().replacen(host, &host.to_uppercase(), 1);
    let link = json!({ "url": own, "anchor_text": article["title"] });
    if let Some(links) = article["internal_links"].as_array_mut() {
        links.push(link);
    }
}

/// Builds the address beside the linked pages, with the article's own slug.
fn own_address(article: &Value) -> Option<Url> {
    links(article).first()?.join(article["slug"].as_str()?).ok()
}

fn text_to_preview(article: &mut Value) {
    let Some(mut html) = article["content_html"].as_str().map(ToOwned::to_owned) else { return };
    for link in links(article) {
        html = html.replace(&format!("href=\"{link}\""), &format!("href=\"{}\"", on_preview(&link)));
    }
    article["content_html"] = html.into();
}
