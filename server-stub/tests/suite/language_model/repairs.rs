//! Drafts that break the profile: the feedback to the model, the number of repairs, and repairs without the model.

use contentgen_server_stub::domain::voice::Replacement;
use contentgen_server_stub::generation::{ArticleDraft, FailureCode};
use serde_json::Value;

use super::stub::{Stub, brief, chat, draft, write};

fn last_message(body: &Value) -> &str {
    body["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap()
}

/// Returns a draft with a sentence at the end of its first section.
fn with_sentence(draft: &ArticleDraft, sentence: &str) -> String {
    let mut draft = draft.clone();
    draft.sections[0].markdown += " ";
    draft.sections[0].markdown += sentence;
    serde_json::to_string(&draft).unwrap()
}

#[tokio::test]
async fn failed_checks_are_told_and_a_repaired_draft_is_taken() {
    let mut brief = brief();
    brief.voice.vocabulary.avoid = vec!["synergy".to_owned()];
    let good = draft(&brief).await;
    let (bad, good) = (with_sentence(&good, "It has synergy."), serde_json::to_string(&good).unwrap());
    let stub = Stub::start(move |number, _| chat(if number == 0 { &bad } else { &good })).await;
    let (written, usage) = write(&stub.writer(), &brief).await;
    assert!(written.unwrap().voice.passed);
    assert_eq!(usage.requests, 2);
    let bodies = stub.bodies().await;
    let told = last_message(&bodies[1]);
    assert!(told.contains("banned_terms: expected") && told.contains("synergy"), "{told}");
    let messages = bodies[1]["messages"].as_array().unwrap();
    assert!(messages[2]["content"].as_str().unwrap().contains("It has synergy."), "the model sees its draft");
}

#[tokio::test]
async fn what_was_taken_out_is_told_with_the_reason() {
    let mut brief = brief();
    brief.voice.vocabulary.avoid = vec!["synergy".to_owned()];
    let bad = with_sentence(&draft(&brief).await, "It has synergy. Studies show that it helps. It costs $40.");
    let stub = Stub::start(move |_, _| chat(&bad)).await;
    write(&stub.writer(), &brief).await.0.unwrap_err();
    let bodies = stub.bodies().await;
    let told = last_message(&bodies[1]);
    assert!(
        told.contains("evidence: Studies show that it helps.") && told.contains("a number: It costs $40."),
        "{told}"
    );
}

#[tokio::test]
async fn after_two_repairs_terms_and_marks_are_replaced_and_then_the_job_fails_with_the_rules() {
    let mut brief = brief();
    brief.voice.vocabulary.replace = vec![Replacement { from: "cheap".to_owned(), to: "affordable".to_owned() }];
    let repairable = with_sentence(&draft(&brief).await, "A cheap jar will do 🎉 at home!");
    let stub = Stub::start(move |_, _| chat(&repairable)).await;
    let (written, usage) = write(&stub.writer(), &brief).await;
    let article = written.unwrap();
    assert_eq!(usage.requests, 3, "a draft and two repairs");
    assert!(article.voice.passed, "{:?}", article.voice);
    assert!(article.content_markdown.contains("affordable jar will do"), "{}", article.content_markdown);

    brief.voice.vocabulary.avoid = vec!["synergy".to_owned()];
    let hopeless = with_sentence(&draft(&brief).await, "It has synergy.");
    let stub = Stub::start(move |_, _| chat(&hopeless)).await;
    let (written, usage) = write(&stub.writer(), &brief).await;
    let error = written.unwrap_err();
    assert_eq!((error.code, usage.requests), (FailureCode::VoiceUnsatisfiable, 3));
    assert!(error.message.contains("banned_terms") && error.message.contains("synergy"), "{error}");
}

#[tokio::test]
async fn what_is_too_long_or_too_many_is_shortened_without_the_model() {
    let brief = brief();
    let mut long = draft(&brief).await;
    for section in &mut long.sections {
        let more = "\n\nMore of the same stands here, so that the section is much longer than it was ordered to be.";
        section.markdown.push_str(&more.repeat(6));
    }
    for entry in &mut long.faq {
        entry.question = entry.question.trim_end_matches('?').to_owned();
    }
    long.faq.extend(long.faq.clone());
    let stub = Stub::writing(&long).await;
    let (written, usage) = write(&stub.writer(), &brief).await;
    let article = written.unwrap();
    assert!(article.voice.passed && usage.requests == 1, "{:?}", article.voice);
}
