//! A request in a form that is independent of the provider's API.

use serde_json::Value;

use super::super::request_form::{OutputMode, RequestForm};

/// Author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Role {
    /// This server.
    User,
    /// The model, in an earlier response.
    Assistant,
}

impl Role {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// One message of a conversation.
#[derive(Debug, Clone)]
pub(in super::super) struct Message {
    pub(in super::super) role: Role,
    pub(in super::super) text: String,
}

impl Message {
    pub(in super::super) fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, text: text.into() }
    }

    pub(in super::super) fn assistant(text: impl Into<String>) -> Self {
        Self { role: Role::Assistant, text: text.into() }
    }
}

/// Shape of the requested JSON.
#[derive(Debug, Clone)]
pub(in super::super) struct OutputShape {
    /// Name, of letters and underscores.
    pub(in super::super) name: &'static str,
    /// Description in one sentence.
    pub(in super::super) description: &'static str,
    /// Schema in the subset of strict modes.
    pub(in super::super) schema: Value,
}

/// Content of a request to a model.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Request<'a> {
    pub(in super::super) model: &'a str,
    pub(in super::super) system: &'a str,
    pub(in super::super) messages: &'a [Message],
    pub(in super::super) shape: &'a OutputShape,
}

impl Request<'_> {
    /// Returns the system prompt. Includes the schema if the endpoint does not enforce it.
    pub(super) fn system_in(&self, form: RequestForm) -> String {
        let OutputShape { schema, .. } = self.shape;
        match form.mode {
            OutputMode::Schema => self.system.to_owned(),
            OutputMode::Json | OutputMode::Prompt => format!(
                "{}\n\nAnswer with one JSON object and nothing else: no words around it and no code fence. It keeps this JSON \
                 Schema:\n{schema}",
                self.system
            ),
        }
    }

    /// Returns the number of characters that the model reads.
    pub(in super::super) fn count_chars(&self) -> usize {
        let messages = self.messages.iter().map(|message| message.text.chars().count()).sum::<usize>();
        self.system.chars().count() + messages
    }
}
