//! Consent texts: the text that a form must show, and the text that leads keep.

use contentgen_server_stub::domain::lead_form::{DEFAULT_CONSENT_TEXT, LeadForm};
use contentgen_server_stub::server::{Running, Settings};
use serde_json::{Value, json};

use super::client::{ApiResponse, Caller};
use super::world::{World, own};

async fn set(running: &Running, world: &World, text: Option<&str>) {
    let account = running.app().account(&running.accounts()[0].name).await.unwrap();
    let form = LeadForm { consent_text: text.map(str::to_owned), ..LeadForm::default() };
    running.app().set_lead_form(&account, world.website_id(), form).await.unwrap();
}

async fn sent(visitor: &Caller, world: &World, email: &str, consent: Value) -> ApiResponse {
    let mut body = json!({ "email": email });
    if !consent.is_null() {
        body["consent"] = consent;
    }
    visitor.post_json(&format!("/capture/{}", world.website_id()), &body).await
}

async fn consents(caller: &Caller) -> Vec<Value> {
    let leads = caller.get("/api/v1/leads?limit=100").await.json()["items"].as_array().unwrap().clone();
    leads.iter().rev().map(|lead| lead["consent"]["text"].clone()).collect()
}

#[tokio::test]
async fn a_form_without_consent_to_the_websites_text_is_refused() {
    let (running, world) = own(Settings::demo()).await;
    let visitor = world.first().with_key(None);
    set(&running, &world, Some("You may write to me.")).await;
    let text = "You may write to me.";
    for (consent, code, place, told) in [
        (Value::Null, "required", "#/consent/given", "agree to the consent text"),
        (json!({ "given": false, "text": text }), "required", "#/consent/given", "agree to the consent text"),
        (json!({ "given": true }), "required", "#/consent/text", "that the form shows"),
        (
            json!({ "given": true, "text": "You may sell it." }),
            "invalid_format",
            "#/consent/text",
            "load the form again",
        ),
        (
            json!({ "given": true, "text": format!("{text} ") }),
            "invalid_format",
            "#/consent/text",
            "load the form again",
        ),
    ] {
        let refused = sent(&visitor, &world, "a@example.com", consent.clone()).await;
        assert_eq!((refused.status, refused.field_errors()), (422, vec![(code.to_owned(), place.to_owned())]));
        assert!(refused.text().contains(told) && !refused.text().contains("sell"), "{}", refused.text());
    }
    assert_eq!(consents(&world.first()).await, [Value::Null; 0]);
    let unticked = visitor
        .request("POST", &format!("/capture/{}", world.website_id()))
        .header("accept", "text/html")
        .header("content-type", "application/x-www-form-urlencoded");
    let page = visitor.send(unticked.body("email=a%40example.com&consent_text=You+may+write+to+me.")).await;
    assert_eq!(page.status, 422);
    assert!(page.text().contains("<p>consent: is required: agree to the consent text"), "{}", page.text());
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_lead_keeps_the_text_that_its_form_showed() {
    let (running, world) = own(Settings::demo()).await;
    let (visitor, owner) = (world.first().with_key(None), world.first());
    let agreed = |text: &str| json!({ "given": true, "text": text });
    set(&running, &world, Some("First.")).await;
    assert_eq!(sent(&visitor, &world, "a@example.com", agreed("First.")).await.status, 202);
    set(&running, &world, Some("Second \u{1f4ee}.")).await;
    // Three forms: opened before the change, after it, and when the website had no consent text.
    for (email, text) in
        [("b@example.com", "First."), ("c@example.com", "Second \u{1f4ee}."), ("d@example.com", DEFAULT_CONSENT_TEXT)]
    {
        assert_eq!(sent(&visitor, &world, email, agreed(text)).await.status, 202, "{text}");
    }
    let expected = ["First.", "First.", "Second \u{1f4ee}.", DEFAULT_CONSENT_TEXT];
    assert_eq!(consents(&owner).await, expected);
    // The text of another website is not accepted.
    let other =
        world.second().get("/api/v1/websites").await.json()["items"][0]["website_id"].as_str().unwrap().to_owned();
    let account = running.app().account(&running.accounts()[1].name).await.unwrap();
    let theirs = LeadForm { consent_text: Some("Theirs.".to_owned()), ..LeadForm::default() };
    running.app().set_lead_form(&account, &other, theirs).await.unwrap();
    assert_eq!(sent(&visitor, &world, "e@example.com", agreed("Theirs.")).await.status, 422);

    let websites = owner.get("/api/v1/websites?limit=100").await.json()["items"].as_array().unwrap().clone();
    let website = websites.iter().find(|one| one["website_id"] == world.website_id()).unwrap();
    assert_eq!(website["lead_form"]["consent_text"], "Second \u{1f4ee}.");
    set(&running, &world, None).await;
    assert_eq!(sent(&visitor, &world, "f@example.com", Value::Null).await.status, 202);
    assert!(running.stop().await);
}
