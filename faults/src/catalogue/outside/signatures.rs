//! Faulty signatures of webhooks that only a careful receiver detects.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::super::fault::{Fault, fault};
use super::super::sender::{is_of, sign_otherwise};
use crate::hooks::{authenticate, key_of, sign};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "outside.body-signed-too",
        "Webhooks have an additional signature over the body alone.",
        &["hooks.signature.verifies"],
    )
    .hook(|hook, endpoint, _| {
        sign_otherwise(hook, endpoint, |hook, secret| {
            let key = key_of(secret).unwrap_or_default();
            format!("{} v1,{}", sign(hook, secret), STANDARD.encode(authenticate(&key, &[&hook.body])))
        });
    }),
    fault(
        "outside.articles-signed-without-id",
        "The signature of a webhook about an article does not cover the id.",
        &["hooks.signature.verifies"],
    )
    .hook(|hook, endpoint, _| {
        if is_of(hook, "article.published") {
            sign_otherwise(hook, endpoint, |hook, secret| {
                let time = hook.header("webhook-timestamp").unwrap_or_default();
                let key = key_of(secret).unwrap_or_default();
                let parts: [&[u8]; 3] = [time.as_bytes(), b".", &hook.body];
                format!("v1,{}", STANDARD.encode(authenticate(&key, &parts)))
            });
        }
    }),
];
