//! Type names of events. The kinds of events are generated.

use crate::generated::types::HookEvent;

impl HookEvent {
    /// Type of the event, such as `article.published`: the field `type`, also of an event that this version does not know. Empty if an
    /// unknown event has no type.
    pub fn event_type(&self) -> &str {
        self.tag()
    }
}
