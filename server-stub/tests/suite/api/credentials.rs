//! API keys: accepted keys, and the response to rejected ones.

use contentgen_server_stub::app::NewKey;
use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::key::{ApiScope, KeyQuotas, Secret};
use contentgen_server_stub::randomness::SystemRandomness;

use super::contract;
use super::world::{World, without_worker};

#[tokio::test]
async fn a_key_that_is_not_sent_as_bearer_is_missing() {
    let caller = World::shared().first().with_key(None);
    let key = &World::shared().accounts[0].api_key;
    for value in [format!("Basic {key}"), key.clone(), format!("Token {key}"), String::new(), format!("Bearer{key}")] {
        let answer = caller.send(caller.request("GET", "/api/v1/websites").header("authorization", &value)).await;
        assert_eq!(answer.problem().1, "missing_credentials", "{value}");
        assert_eq!(answer.header("www-authenticate"), "Bearer realm=\"content-generation\"");
    }
    assert_eq!(caller.get("/api/v1/websites").await.problem(), (401, "missing_credentials".to_owned()));
}

#[tokio::test]
async fn every_refused_key_is_told_the_same() {
    let caller = World::shared().first().with_key(None);
    let key = World::shared().accounts[0].api_key.clone();
    let unknown = Secret::generate(&SystemRandomness);
    let mut answers = Vec::new();
    for value in
        ["", "x", &key[..key.len() - 1], &key.to_lowercase(), unknown.reveal(), &format!("{key} {key}"), "cg_live_é"]
    {
        let request =
            caller.request("GET", "/api/v1/websites").header("authorization", format!("Bearer {value}").into_bytes());
        let answer = caller.send(request).await;
        assert_eq!(answer.problem(), (401, "invalid_credentials".to_owned()), "{value}");
        assert!(answer.header("www-authenticate").contains("error=\"invalid_token\""));
        answers.push(answer.json()["detail"].clone());
    }
    answers.dedup();
    assert_eq!(answers.len(), 1);
    let twice = caller.with_key(Some(&key));
    let twice =
        twice.send(twice.request("GET", "/api/v1/websites").header("authorization", format!("Bearer {key}"))).await;
    assert_eq!(twice.problem().1, "invalid_credentials");
}

#[tokio::test]
async fn the_schemes_case_and_spaces_make_no_difference() {
    let caller = World::shared().first().with_key(None);
    let key = &World::shared().accounts[0].api_key;
    for value in [format!("bearer {key}"), format!("BEARER {key}"), format!("Bearer  {key}")] {
        let answer = caller.send(caller.request("GET", "/api/v1/websites").header("authorization", &value)).await;
        assert_eq!(answer.status, 200);
    }
}

#[tokio::test]
async fn an_expired_key_is_refused_and_no_problem_ever_holds_a_key() {
    let (running, world) = without_worker().await;
    let account = running.app().account(&world.accounts[0].name).await.unwrap();
    let expired = NewKey {
        name: "expired".to_owned(),
        scopes: ApiScope::ALL.to_vec(),
        website_ids: None,
        quotas: KeyQuotas::default(),
        expires_at: Some(Timestamp::from_millis(0)),
    };
    let (_, secret) = running.app().create_key(&account, expired).await.unwrap();
    let caller = world.first().with_key(Some(secret.reveal()));
    let answer = caller.get("/api/v1/websites").await;
    assert_eq!(answer.problem().1, "invalid_credentials");
    assert!(!answer.text().contains(secret.reveal()));
    assert!(running.stop().await);
}

#[tokio::test]
async fn each_operation_needs_the_scope_that_the_document_names() {
    let (running, world) = without_worker().await;
    let account = running.app().account(&world.accounts[0].name).await.unwrap();
    for missing in ApiScope::ALL {
        let scopes = ApiScope::ALL.into_iter().filter(|scope| *scope != missing).collect();
        let wanted = NewKey {
            name: missing.as_str().to_owned(),
            scopes,
            website_ids: None,
            quotas: KeyQuotas::default(),
            expires_at: None,
        };
        let (_, secret) = running.app().create_key(&account, wanted).await.unwrap();
        let caller = world.first().with_key(Some(secret.reveal()));
        for (template, method, operation) in contract::operations() {
            let path = template.replace("{id}", "art_x").replace("{job_id}", "job_x").replace("{lead_id}", "lead_x");
            let needed = &contract::DOCUMENT["paths"][&template][method.to_lowercase()]["x-required-scope"];
            let answer = caller.send(caller.request(&method, &path)).await;
            let is_refused = answer.problem() == (403, "insufficient_scope".to_owned());
            assert_eq!(is_refused, needed == missing.as_str(), "{operation} without {}", missing.as_str());
            if is_refused {
                let challenge = format!("error=\"insufficient_scope\", scope=\"{}\"", missing.as_str());
                assert!(answer.header("www-authenticate").contains(&challenge));
            }
        }
    }
    assert!(running.stop().await);
}
