//! All kinds of change that break the policy: the broken clause, and a compatible way to the same goal.

use std::fmt;

/// The clauses of the policy. The chapter "Versioning" of the document has the same words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Nothing that clients rely on is removed.
    NothingRemoved,
    /// Requests and promises do not get narrower.
    NothingTightened,
    /// Nothing changes its meaning.
    NoOtherMeaning,
    /// Values that clients must be able to read grow only in the named places.
    NamedAdditions,
}

impl Rule {
    /// Returns the clause in the document's words.
    pub fn clause(self) -> &'static str {
        match self {
            Self::NothingRemoved => "It removes nothing",
            Self::NothingTightened => "It removes nothing, tightens nothing",
            Self::NoOtherMeaning => "It removes nothing, tightens nothing and changes no meaning",
            Self::NamedAdditions => {
                "may add operations, optional request fields, response fields, event types and values of open vocabularies \
                 (`x-extensible-enum`)"
            }
        }
    }
}

/// Declares the kinds in one table, so that each has a name, a rule and an advice.
macro_rules! kinds {
    ($( $(#[doc = $doc:literal])+ $variant:ident, $name:literal, $rule:ident, $advice:literal; )+) => {
        /// A kind of change that breaks the policy.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Kind {
            $( $(#[doc = $doc])+ $variant, )+
        }

        impl Kind {
            /// All kinds, in the order of the table.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// Returns the name used in reports.
            pub fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            /// Returns the clause of the policy that the kind breaks.
            pub fn rule(self) -> Rule {
                match self { $( Self::$variant => Rule::$rule, )+ }
            }

            /// Returns a compatible way to the same goal.
            pub fn advice(self) -> &'static str {
                match self { $( Self::$variant => $advice, )+ }
            }
        }
    };
}

kinds! {
    /// A path or a method is gone.
    OperationRemoved, "operation-removed", NothingRemoved,
        "Keep the operation; announce its end by `Deprecation` and `Sunset`, and leave it out of the next major version.";
    /// An operation has another `operationId`.
    OperationRenamed, "operation-renamed", NothingRemoved,
        "Keep the operationId: generated clients name their methods after it.";
    /// A parameter is gone.
    ParameterRemoved, "parameter-removed", NothingRemoved,
        "Keep the parameter and its effect; add a new parameter.";
    /// A new required parameter, or one that was optional.
    ParameterRequired, "parameter-required", NothingTightened,
        "Make the parameter optional, and document the behaviour without it.";
    /// A parameter is serialised in another way.
    ParameterStyle, "parameter-style", NoOtherMeaning,
        "Keep the style; add a parameter with the new one.";
    /// A new required body, or one that was optional.
    BodyRequired, "body-required", NothingTightened,
        "Leave the body optional, and document the behaviour without it.";
    /// A body that could be sent is gone.
    BodyRemoved, "body-removed", NothingRemoved,
        "Keep the body; add an operation without one.";
    /// A media type of a body is gone.
    MediaTypeRemoved, "media-type-removed", NothingRemoved,
        "Keep the media type beside the new one.";
    /// A response has a media type that clients do not expect.
    MediaTypeAdded, "media-type-added", NamedAdditions,
        "Add a separate operation for the new media type.";
    /// A status of a response is gone.
    StatusRemoved, "status-removed", NothingRemoved,
        "Keep the status and its meaning.";
    /// A status that clients do not expect: a success, or an error that `default` does not describe.
    StatusAdded, "status-added", NamedAdditions,
        "Do not add success statuses. A new error has a status from 400 to 599 and the schema of `default`.";
    /// A header of a response is gone.
    HeaderRemoved, "header-removed", NothingRemoved,
        "Keep sending the header.";
    /// A header that was always there may be absent.
    HeaderOptional, "header-optional", NothingRemoved,
        "Keep the header required.";
    /// A member that can be sent is gone.
    RequestMemberRemoved, "request-member-removed", NothingRemoved,
        "Keep the field and its effect; add a new field.";
    /// A new required member, or one that was optional.
    RequestMemberRequired, "request-member-required", NothingTightened,
        "Make the field optional, and document the behaviour without it.";
    /// A member of answers is gone.
    AnswerMemberRemoved, "answer-member-removed", NothingRemoved,
        "Keep the field; add a new field.";
    /// A member that was always there may be absent.
    AnswerMemberOptional, "answer-member-optional", NothingRemoved,
        "Keep the field required.";
    /// A value has another type.
    TypeChanged, "type-changed", NoOtherMeaning,
        "Keep the field; add a new field of the new type.";
    /// A value has another format.
    FormatChanged, "format-changed", NoOtherMeaning,
        "Keep the field; add a new field of the new format.";
    /// `null` may no longer be sent.
    NullRefused, "null-refused", NothingTightened,
        "Keep accepting `null`.";
    /// A value of a response may be `null`, which it could not be before.
    NullAnswered, "null-answered", NamedAdditions,
        "Always return a value; add a new nullable field.";
    /// Less may be sent than before.
    BoundNarrowed, "bound-narrowed", NothingTightened,
        "Keep accepting every value that was allowed.";
    /// Answers may go beyond a bound that clients rely on.
    BoundWidened, "bound-widened", NamedAdditions,
        "Keep the bound; add a new field with the wider one.";
    /// Texts have another pattern.
    PatternChanged, "pattern-changed", NoOtherMeaning,
        "Keep the pattern. Requests may lose a pattern, responses may gain one.";
    /// A value of a vocabulary is gone.
    ValueRemoved, "value-removed", NothingRemoved,
        "Keep the value; describe it as no longer used.";
    /// A vocabulary of answers that may not grow has a new value.
    ValueAdded, "value-added", NamedAdditions,
        "Only `x-extensible-enum` may grow: return a known value, and add a new field for the rest.";
    /// A request value is restricted to a vocabulary.
    ValuesRestricted, "values-restricted", NothingTightened,
        "Keep accepting every value.";
    /// A value is no longer restricted to its vocabulary.
    ValuesOpened, "values-opened", NamedAdditions,
        "Keep the values; a vocabulary that may grow must be an `x-extensible-enum` from its first version on.";
    /// The default of an absent member has changed.
    DefaultChanged, "default-changed", NoOtherMeaning,
        "Keep the default.";
    /// Members of other names, or other values of them, are refused.
    MapClosed, "map-closed", NothingTightened,
        "Keep accepting fields of any name.";
    /// A map of answers has values of any type.
    MapOpened, "map-opened", NamedAdditions,
        "Keep the type of the values.";
    /// A variant of a union is gone.
    VariantRemoved, "variant-removed", NothingRemoved,
        "Keep the variant.";
    /// A union in responses, other than that of event types, has a new variant.
    VariantAdded, "variant-added", NamedAdditions,
        "Return a known variant, and add a new field for the rest.";
    /// A union has another discriminator.
    DiscriminatorChanged, "discriminator-changed", NoOtherMeaning,
        "Keep the discriminator and the schemas of its values.";
    /// An event type is gone.
    HookRemoved, "hook-removed", NothingRemoved,
        "Keep sending the event to the endpoints that subscribe to it.";
    /// A call needs other credentials.
    SecurityTightened, "security-tightened", NothingTightened,
        "Keep accepting the credentials that were enough.";
    /// Credentials are sent in another way.
    SchemeChanged, "scheme-changed", NoOtherMeaning,
        "Keep the scheme; add a new one.";
    /// A call needs another scope.
    ScopeChanged, "scope-changed", NothingTightened,
        "Keep the scope: existing keys have no other.";
    /// A call is charged to another quota.
    QuotaChanged, "quota-changed", NoOtherMeaning,
        "Keep the policy that calls are charged to.";
    /// A call may no longer be repeated.
    RepeatableRemoved, "repeatable-removed", NothingRemoved,
        "Keep the operation repeatable: clients retry it because of this promise.";
    /// A problem code is gone, from the table or from a response.
    ProblemCodeRemoved, "problem-code-removed", NothingRemoved,
        "Keep the code and its meaning.";
    /// A problem code has another status, type, title, or promise about retries.
    ProblemCodeChanged, "problem-code-changed", NoOtherMeaning,
        "Add a code with the new meaning.";
    /// A named limit is gone.
    LimitRemoved, "limit-removed", NothingRemoved,
        "Keep the limit under its name.";
    /// A named limit allows less, or is counted in another way.
    LimitTightened, "limit-tightened", NothingTightened,
        "Keep allowing what the limit allowed.";
    /// The profile `core` promises less.
    CorePromiseWeakened, "core-promise-weakened", NothingRemoved,
        "Keep `x-core-required` and `x-core-status`: they record the service description.";
    /// An invariant is gone.
    InvariantRemoved, "invariant-removed", NothingRemoved,
        "Keep the entry of `x-conformance` with its id.";
    /// Personal data is no longer marked.
    PersonalDataUnmarked, "personal-data-unmarked", NothingRemoved,
        "Keep `x-personal-data`: clients keep marked data out of logs.";
    /// A server's address is gone.
    ServerRemoved, "server-removed", NothingRemoved,
        "Keep the address beside the new one.";
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
