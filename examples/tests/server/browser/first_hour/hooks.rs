//! Webhooks: registered, delivered, failed while the receiver is broken, and sent again after the receiver is fixed.

use contentgen_sdk::test_util::HookSigner;

use crate::receiver::{Accepted, Address, Receiver};

use super::FirstHour;

/// A receiver and the secret of its endpoint.
pub(super) struct Registered {
    receiver: Receiver,
    secret: String,
}

impl FirstHour {
    pub(super) async fn registers_a_hook(&self) -> Registered {
        let address = Address::bind().await;
        self.user.press("Hooks").await;
        self.user.press("Register the first endpoint").await;
        self.user.fill("Address", &address.url()).await;
        self.user.tick("lead.captured").await;
        self.user.press("Register the endpoint").await;
        self.user.sees("Verify hooks with it").await;
        let secret = self.user.word_beginning_with("whsec_").await;
        let mut receiver = address.receive(&[&secret]);
        self.user.press("Send a test").await;
        assert_eq!(event_of(&receiver.next().await), "hook.test");
        Registered { receiver, secret }
    }

    pub(super) async fn sees_its_delivery(&self, registered: &mut Registered) {
        // Skips the webhooks about articles that were published meanwhile.
        while event_of(&registered.receiver.next().await) != "lead.captured" {}
        self.user.press("Hooks").await;
        self.user.press("Deliveries").await;
        self.user.sees_after_reloading("lead_").await;
        self.user.press("lead.captured").await;
        self.sees_in_time("204 No Content").await;
    }

    pub(super) async fn sees_the_failures_of_a_broken_receiver(&self, registered: &Registered) {
        // The receiver has a wrong secret, so that it refuses every webhook.
        registered.receiver.trust(&[HookSigner::new().secret()]);
        for name in ["grace", "linus"] {
            crate::capture(&self.server, format!(r#"{{"email":"{name}@example.com"}}"#)).await;
        }
        self.user.press("Hooks").await;
        self.user.press("Deliveries").await;
        self.user.choose("State", "exhausted (all attempts used up)").await;
        self.user.press("Filter").await;
        self.user.sees("Show all").await;
        // The filter contains every event type, but only a row contains the id of a lead.
        let both = "neither lead's hook has used up its attempts";
        self.user
            .waits(both, async |user| {
                let rows = user.text().await.matches("lead_").count();
                if rows < 2 {
                    user.reload().await;
                }
                rows >= 2
            })
            .await;
        self.user.press("lead.captured").await;
        self.user.sees("Attempts").await;
        self.user.press("What it answered").await;
        self.user.press("Hooks").await;
    }

    pub(super) async fn redelivers_all_that_failed(&self, registered: &mut Registered) {
        registered.receiver.trust(&[&registered.secret]);
        self.user.press("Deliveries").await;
        self.user.press("Redeliver all that failed").await;
        self.user.sees_after_reloading("Send 2 deliveries again?").await;
        self.user.press("Send 2 again").await;
        for _ in 0..2 {
            assert!(registered.receiver.next().await.is_new, "a hook that was refused was taken to be handled");
        }
        self.user.press("Hooks").await;
        self.user.press("Deliveries").await;
        self.user.choose("State", "exhausted (all attempts used up)").await;
        self.user.press("Filter").await;
        self.user.sees("Show all").await;
        self.user.sees_after_reloading("No delivery matches").await;
    }
}

/// Returns the event type of a webhook.
fn event_of(hook: &Accepted) -> String {
    let body: serde_json::Value = serde_json::from_slice(&hook.body).expect("hooks carry JSON");
    body["type"].as_str().expect("a hook names its event").to_owned()
}
