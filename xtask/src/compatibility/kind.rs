//! Every kind of change that breaks the policy: which clause it breaks, and how the same is reached without breaking it.

use std::fmt;

/// What the policy says, clause by clause. The chapter "Versioning" of the document has these very words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// What clients rely on stays.
    NothingRemoved,
    /// What clients may send, and what they are promised, gets no narrower.
    NothingTightened,
    /// What is there means what it meant.
    NoOtherMeaning,
    /// What clients must be able to read grows in the named places only.
    NamedAdditions,
}

impl Rule {
    /// The clause, as the document has it.
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

/// Declares the kinds in one table, so that none can lack a name, a rule or an advice.
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

            /// The name that reports have.
            pub fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            /// The clause of the policy that it breaks.
            pub fn rule(self) -> Rule {
                match self { $( Self::$variant => Rule::$rule, )+ }
            }

            /// How the same is reached compatibly.
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
        "Keep the parameter and its effect; add another one beside it.";
    /// A parameter has to be sent that had not.
    ParameterRequired, "parameter-required", NothingTightened,
        "Make the parameter optional, and say what holds without it.";
    /// A parameter is written in another way.
    ParameterStyle, "parameter-style", NoOtherMeaning,
        "Keep the style; add a parameter that is written in the new one.";
    /// A body has to be sent that had not.
    BodyRequired, "body-required", NothingTightened,
        "Leave the body optional, and say what holds without it.";
    /// A body that could be sent is gone.
    BodyRemoved, "body-removed", NothingRemoved,
        "Keep the body; add an operation without one.";
    /// A media type of a body is gone.
    MediaTypeRemoved, "media-type-removed", NothingRemoved,
        "Keep the media type beside the new one.";
    /// A response has a media type that clients do not expect.
    MediaTypeAdded, "media-type-added", NamedAdditions,
        "Give the other form an operation of its own.";
    /// A status of a response is gone.
    StatusRemoved, "status-removed", NothingRemoved,
        "Keep the status for what it tells.";
    /// A status that clients do not expect: a success, or an error that `default` does not describe.
    StatusAdded, "status-added", NamedAdditions,
        "Keep the successes as they are. A new error has a status from 400 to 599 and the form of `default`.";
    /// A header of a response is gone.
    HeaderRemoved, "header-removed", NothingRemoved,
        "Go on sending the header.";
    /// A header that was always there may be absent.
    HeaderOptional, "header-optional", NothingRemoved,
        "Leave the header required.";
    /// A member that can be sent is gone.
    RequestMemberRemoved, "request-member-removed", NothingRemoved,
        "Keep the member and its effect; add another one beside it.";
    /// A member has to be sent that had not.
    RequestMemberRequired, "request-member-required", NothingTightened,
        "Make the member optional, and say what holds without it.";
    /// A member of answers is gone.
    AnswerMemberRemoved, "answer-member-removed", NothingRemoved,
        "Keep the member; add another one beside it.";
    /// A member that was always there may be absent.
    AnswerMemberOptional, "answer-member-optional", NothingRemoved,
        "Leave the member required.";
    /// A value has another type.
    TypeChanged, "type-changed", NoOtherMeaning,
        "Add a member of the new type beside it.";
    /// A value has another format.
    FormatChanged, "format-changed", NoOtherMeaning,
        "Add a member of the new format beside it.";
    /// `null` may no longer be sent.
    NullRefused, "null-refused", NothingTightened,
        "Go on taking `null`.";
    /// `null` stands where it could not.
    NullAnswered, "null-answered", NamedAdditions,
        "Always answer with a value; add a nullable member beside it.";
    /// Less may be sent than before.
    BoundNarrowed, "bound-narrowed", NothingTightened,
        "Keep the bound for what was allowed.";
    /// Answers may go beyond a bound that clients rely on.
    BoundWidened, "bound-widened", NamedAdditions,
        "Keep the bound; add a member with the wider one.";
    /// Texts have another pattern.
    PatternChanged, "pattern-changed", NoOtherMeaning,
        "Keep the pattern. That of a request may go away, that of an answer may be added.";
    /// A value of a vocabulary is gone.
    ValueRemoved, "value-removed", NothingRemoved,
        "Keep the value; describe it as no longer used.";
    /// A vocabulary of answers that may not grow has a new value.
    ValueAdded, "value-added", NamedAdditions,
        "Only `x-extensible-enum` may grow: answer with a known value, and tell the rest in a new member.";
    /// What may be sent is now one of some values.
    ValuesRestricted, "values-restricted", NothingTightened,
        "Go on taking every value.";
    /// What was one of some values is now anything.
    ValuesOpened, "values-opened", NamedAdditions,
        "Keep the values; a vocabulary that grows is an `x-extensible-enum` from its first version on.";
    /// What holds when a member is absent has changed.
    DefaultChanged, "default-changed", NoOtherMeaning,
        "Keep the default.";
    /// Members of other names, or other values of them, are refused.
    MapClosed, "map-closed", NothingTightened,
        "Go on taking members of any name.";
    /// A map of answers has values of any type.
    MapOpened, "map-opened", NamedAdditions,
        "Keep the type of the values.";
    /// A variant of a union is gone.
    VariantRemoved, "variant-removed", NothingRemoved,
        "Keep the variant.";
    /// A union in answers, that is none of event types, has a new variant.
    VariantAdded, "variant-added", NamedAdditions,
        "Answer with a known variant, and tell the rest in a new member.";
    /// A union is told apart in another way.
    DiscriminatorChanged, "discriminator-changed", NoOtherMeaning,
        "Keep the discriminator and what its values lead to.";
    /// An event type is gone.
    HookRemoved, "hook-removed", NothingRemoved,
        "Go on sending the event to those who chose it.";
    /// A call needs other credentials.
    SecurityTightened, "security-tightened", NothingTightened,
        "Go on taking the credentials that were enough.";
    /// Credentials are sent in another way.
    SchemeChanged, "scheme-changed", NoOtherMeaning,
        "Add a scheme beside it.";
    /// A call needs another scope.
    ScopeChanged, "scope-changed", NothingTightened,
        "Keep the scope: keys that were made for it have no other.";
    /// A call is charged to another quota.
    QuotaChanged, "quota-changed", NoOtherMeaning,
        "Keep the policy that calls are charged to.";
    /// A call may no longer be repeated.
    RepeatableRemoved, "repeatable-removed", NothingRemoved,
        "Keep the operation repeatable: clients repeat it by this promise.";
    /// A problem code is gone, from the table or from a response.
    ProblemCodeRemoved, "problem-code-removed", NothingRemoved,
        "Keep the code for what it tells.";
    /// A problem code has another status, type, title, or promise about trying again.
    ProblemCodeChanged, "problem-code-changed", NoOtherMeaning,
        "Add a code with the new meaning.";
    /// A named limit is gone.
    LimitRemoved, "limit-removed", NothingRemoved,
        "Keep the limit under its name.";
    /// A named limit allows less, or is counted in another way.
    LimitTightened, "limit-tightened", NothingTightened,
        "Keep what the limit allows.";
    /// Less is promised of servers that keep the service description alone.
    CorePromiseWeakened, "core-promise-weakened", NothingRemoved,
        "Keep `x-core-required` and `x-core-status`: they state the service description.";
    /// An invariant is gone.
    InvariantRemoved, "invariant-removed", NothingRemoved,
        "Keep the entry of `x-conformance` with its id.";
    /// What a person has told is no longer marked.
    PersonalDataUnmarked, "personal-data-unmarked", NothingRemoved,
        "Keep `x-personal-data`: clients keep out of logs what has it.";
    /// A server's address is gone.
    ServerRemoved, "server-removed", NothingRemoved,
        "Keep the address beside the new one.";
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
