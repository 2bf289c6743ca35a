//! Conversion of the options into a request of the API.

use contentgen_sdk::types::{GenerateRequest, Metadata};

use crate::arguments::Generate;
use crate::failure::{Failure, unsendable};

/// Builds the request, if it keeps the bounds of the document. Omitted options are left to the server.
pub(super) fn request(options: Generate, topic: String, website_id: String) -> Result<GenerateRequest, Failure> {
    let mut request = GenerateRequest::new()
        .topic(topic)
        .website_id(website_id)
        .keywords(options.keywords)
        .target_word_count(options.words)
        .language(options.language)
        .publish_at(options.publish_at)
        .auto_publish(options.auto_publish);
    if !options.metadata.is_empty() {
        request = request.metadata(options.metadata.into_iter().collect::<Metadata>());
    }
    request.check().map_err(|refused| unsendable(&refused))?;
    Ok(request)
}
