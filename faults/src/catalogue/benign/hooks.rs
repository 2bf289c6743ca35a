//! Other valid forms of webhooks.

use std::time::Duration;

use futures::future::{FutureExt, join};
use serde_json::json;

use super::super::fault::{Fault, Profile, variant};
use crate::hooks::sign_with_key;

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.two-signatures",
        "Webhooks have a signature of another version and one of a secret that is being replaced.",
        Profile::Full,
    )
    .hook(|hook, _, _| {
        let signatures = hook.header("webhook-signature").unwrap_or_default();
        let replaced = sign_with_key(hook, b"a secret that is being replaced");
        let more = format!("v1a,c2lnbmVkIHdpdGggYW4gYXN5bW1ldHJpYyBrZXk= {signatures} {replaced}");
        hook.set("webhook-signature", &more);
    }),
    variant("benign.hook-extras", "Webhooks have additional headers and fields.", Profile::Full).hook(|hook, _, _| {
        hook.set("x-trace", "7");
        hook.set("accept", "*/*");
        hook.edit(|event| {
            event["sequence"] = json!(7);
            event["data"]["note"] = json!({ "from": null });
        });
    }),
    variant("benign.hook-pretty", "Payloads of webhooks span many lines.", Profile::Full).hook(|hook, _, _| {
        if let Some(event) = hook.json() {
            hook.body = format!("{event:#}\n").into();
        }
    }),
    variant(
        "benign.hook-twice",
        "Every attempt is delivered twice, byte for byte: delivery is at least once.",
        Profile::Full,
    )
    .delivery(|delivery| async move { join(delivery.forward(), delivery.forward()).await.1 }.boxed()),
    // Delays only some webhooks. Delaying all would act like a slow receiver and fill the server's queue.
    variant("benign.hook-late", "Every third webhook is sent half a second later.", Profile::Full).delivery(
        |delivery| {
            async move {
                if delivery.memory.next_number("hooks") % 3 == 0 {
                    delivery.count_as_spoiled("waits");
                    tokio::time::sleep(Duration::from_millis(500)).await;
                }
                delivery.forward().await
            }
            .boxed()
        },
    ),
];
