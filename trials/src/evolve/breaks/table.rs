//! Maps each kind of change to the function that makes it.

use serde_json::Value;
use xtask::compatibility::Kind;

use super::super::places::Change;
use super::super::random::Random;
use super::{promises, requests, responses, schemas};

/// Makes one change and returns its place and description. Returns `None` if the document has no place for it.
pub(super) type Maker = fn(&mut Value, &mut Random) -> Option<(String, String)>;

/// Makes a change of a kind. Returns `None` if the document has no place for it.
pub(in super::super) fn make(document: &mut Value, kind: Kind, random: &mut Random) -> Option<Change<Kind>> {
    let (place, what) = maker(kind)(document, random)?;
    Some(Change { kind, place, what })
}

/// Returns the document before a change of a kind. Adds the part that the change breaks if today's document lacks it.
pub(in super::super) fn prepared(today: &Value, kind: Kind, random: &mut Random) -> Option<Value> {
    let mut document = today.clone();
    match kind {
        Kind::NullRefused => schemas::prepare_null(&mut document, random)?,
        Kind::VariantAdded => schemas::prepare_union(&mut document)?,
        _ => {}
    }
    Some(document)
}

fn maker(kind: Kind) -> Maker {
    match kind {
        Kind::OperationRemoved => requests::operation_removed,
        Kind::OperationRenamed => requests::operation_renamed,
        Kind::ParameterRemoved => requests::parameter_removed,
        Kind::ParameterRequired => requests::parameter_required,
        Kind::ParameterStyle => requests::parameter_style,
        Kind::BodyRequired => requests::body_required,
        Kind::BodyRemoved => requests::body_removed,
        Kind::MediaTypeRemoved => responses::media_type_removed,
        Kind::MediaTypeAdded => responses::media_type_added,
        Kind::StatusRemoved => responses::status_removed,
        Kind::StatusAdded => responses::status_added,
        Kind::HeaderRemoved => responses::header_removed,
        Kind::HeaderOptional => responses::header_optional,
        Kind::RequestMemberRemoved => requests::member_removed,
        Kind::RequestMemberRequired => requests::member_required,
        Kind::AnswerMemberRemoved => responses::member_removed,
        Kind::AnswerMemberOptional => responses::member_optional,
        Kind::TypeChanged => schemas::type_changed,
        Kind::FormatChanged => schemas::format_changed,
        Kind::NullRefused => schemas::null_refused,
        Kind::NullAnswered => schemas::null_answered,
        Kind::BoundNarrowed => schemas::bound_narrowed,
        Kind::BoundWidened => schemas::bound_widened,
        Kind::PatternChanged => schemas::pattern_changed,
        Kind::ValueRemoved => schemas::value_removed,
        Kind::ValueAdded => schemas::value_added,
        Kind::ValuesRestricted => schemas::values_restricted,
        Kind::ValuesOpened => schemas::values_opened,
        Kind::DefaultChanged => schemas::default_changed,
        Kind::MapClosed => schemas::map_closed,
        Kind::MapOpened => schemas::map_opened,
        Kind::VariantRemoved => schemas::variant_removed,
        Kind::VariantAdded => schemas::variant_added,
        Kind::DiscriminatorChanged => schemas::discriminator_changed,
        Kind::HookRemoved => promises::hook_removed,
        Kind::SecurityTightened => promises::security_tightened,
        Kind::SchemeChanged => promises::scheme_changed,
        Kind::ScopeChanged => promises::scope_changed,
        Kind::QuotaChanged => promises::quota_changed,
        Kind::RepeatableRemoved => promises::repeatable_removed,
        Kind::ProblemCodeRemoved => promises::problem_code_removed,
        Kind::ProblemCodeChanged => promises::problem_code_changed,
        Kind::LimitRemoved => promises::limit_removed,
        Kind::LimitTightened => promises::limit_tightened,
        Kind::CorePromiseWeakened => promises::core_promise_weakened,
        Kind::InvariantRemoved => promises::invariant_removed,
        Kind::PersonalDataUnmarked => promises::personal_data_unmarked,
        Kind::ServerRemoved => promises::server_removed,
    }
}
