//! An article that is there, asked for without the key: what is refused elsewhere might just not exist.

use serde_json::{Value, json};

use crate::check::{Cases, Context, Credential, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::articles;

/// Headers that a stranger sends; none at all is the first case.
const STRANGERS: [&str; 3] = ["", "Bearer wrong", "Bearer {key}x"];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "auth.articles.refused",
            "Every call carries Authorization: Bearer <API_KEY>; without the key a finished article is not handed out.",
            "service description, section 5",
            refused,
        )
        .core()
        .drawn("no key and wrong ones", Cases::Exactly(1), |_, _| json!("Sharing a garden fence")),
    ]
}

async fn refused(context: Context, topic: Value) -> Verdict {
    for id in articles::readable_about(&context, topic.as_str().unwrap_or_default()).await? {
        for header in STRANGERS {
            let credential = match header {
                "" => Credential::None,
                header => Credential::Literal(vec![header.to_owned()]),
            };
            demand::refusal(&*context.send(steps::get_article(&id).by(credential)).await?)?;
        }
    }
    Ok(())
}
