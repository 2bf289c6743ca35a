//! What an event is called. The kinds of events are generated.

use crate::generated::types::HookEvent;

impl HookEvent {
    /// The type of the event, such as `article.published`: the member `type`, also of an event that this version does not know. Empty where
    /// that has none.
    pub fn event_type(&self) -> &str {
        self.tag()
    }
}
