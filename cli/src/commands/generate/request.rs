//! Conversion of the options into a request of the API.

use std::collections::BTreeMap;

use contentgen_sdk::types::GenerateRequest;

use crate::arguments::Generate;
use crate::failure::{Failure, unsendable};

/// Builds the request, if it keeps the bounds of the document. Omitted options are left to the server.
pub(super) fn request(options: Generate, topic: String, website_id: String) -> Result<GenerateRequest, Failure> {
    let mut request = GenerateRequest::builder().topic(topic).website_id(website_id);
    if !options.keywords.is_empty() {
        request = request.keywords(options.keywords);
    }
    if let Some(words) = options.words {
        request = request.target_word_count(words);
    }
    if let Some(language) = options.language {
        request = request.language(language);
    }
    if !options.metadata.is_empty() {
        let labels: BTreeMap<String, String> = options.metadata.into_iter().collect();
        request = request.metadata(labels);
    }
    if let Some(time) = options.publish_at {
        request = request.publish_at(time);
    }
    if let Some(publishes) = options.auto_publish {
        request = request.auto_publish(publishes);
    }
    request.try_into().map_err(|refused| unsendable(&refused))
}
