// @generated from openapi.yaml by `cargo xtask codegen`. Do not edit: change the document and run that command.

//! The client's operations and types, generated from the document. Requests are put together here, and sent in `call`.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    missing_docs,
    missing_debug_implementations,
    unused_qualifications,
    unreachable_pub,
    reason = "generated code"
)]
#[allow(unused_imports)]
use progenitor_client::{ByteStream, ClientInfo, Error, ResponseValue};
#[allow(unused_imports)]
use progenitor_client::{encode_path, ClientHooks, OperationInfo, RequestBuilderExt};
/// Types used as operation parameters and responses.
#[allow(clippy::all)]
pub mod types {
    ///An article with its text and everything that is derived from it.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Article {
        ///The address that search engines should index.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub canonical_url: ::std::option::Option<::std::string::String>,
        ///The text as sanitised HTML.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub content_html: ::std::option::Option<::std::string::String>,
        ///The text as CommonMark with tables.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub content_markdown: ::std::option::Option<::std::string::String>,
        ///When it was written.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub created_at: ::std::option::Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///A few sentences in plain text.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub excerpt: ::std::option::Option<::std::string::String>,
        ///Questions and answers on the topic.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub faq: ::std::vec::Vec<FaqEntry>,
        ///Who wrote it: `offline`, or `llm:` with provider and model.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub generator: ::std::option::Option<::std::string::String>,
        ///The picture above the text.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub hero_image: ::std::option::Option<HeroImage>,
        ///Names the article.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub id: ::std::option::Option<::std::string::String>,
        ///Other published articles of the website that belong to the topic.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub internal_links: ::std::vec::Vec<InternalLink>,
        ///The job that wrote it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub job_id: ::std::option::Option<::std::string::String>,
        ///Structured data for search engines.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub json_ld: ::std::option::Option<JsonLd>,
        ///The words that the article is meant to be found by.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub keywords: ::std::vec::Vec<::std::string::String>,
        ///Language of the text.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub language: ::std::option::Option<::std::string::String>,
        ///Description for search engines.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub meta_description: ::std::option::Option<::std::string::String>,
        ///Title for search engines.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub meta_title: ::std::option::Option<::std::string::String>,
        ///The metadata of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub metadata: ::std::option::Option<Metadata>,
        ///The headings of the text, in order.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub outline: ::std::vec::Vec<OutlineEntry>,
        ///When it was published.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub published_at: ::std::option::Option<
            ::chrono::DateTime<::chrono::offset::Utc>,
        >,
        ///How long it takes to read. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub reading_time_minutes: ::std::option::Option<u32>,
        ///Last part of the address, unique per website.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub slug: ::std::option::Option<::std::string::String>,
        ///Where the article stands.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub status: ::std::option::Option<crate::generated::types::ArticleStatus>,
        ///What it is filed under.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub tags: ::std::vec::Vec<::std::string::String>,
        ///Title in plain text.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub title: ::std::option::Option<::std::string::String>,
        ///The topic, as it was sent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub topic: ::std::option::Option<::std::string::String>,
        ///When it last changed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub updated_at: ::std::option::Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///Where it is published. Answers 200.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub url: ::std::option::Option<::std::string::String>,
        ///How well the text keeps the voice profile.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub voice: ::std::option::Option<VoiceReport>,
        ///The website that it belongs to.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub website_id: ::std::option::Option<::std::string::String>,
        ///Number of words of the text. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub word_count: ::std::option::Option<u32>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///One page of articles.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ArticlePage {
        ///The articles, newest first by creation, then by id.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub items: ::std::vec::Vec<ArticleSummary>,
        ///Token of the next page; null or absent on the last one.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_page: ::std::option::Option<::std::string::String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///The article that was published. An endpoint may ask in the dashboard for the text too.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ArticlePublishedData {
        ///The article without its text.
        pub article: ArticleSummary,
        ///The text as HTML, where the endpoint asked for it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub content_html: ::std::option::Option<::std::string::String>,
        ///The text as CommonMark, where the endpoint asked for it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub content_markdown: ::std::option::Option<::std::string::String>,
        ///The job that wrote it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub job_id: ::std::option::Option<::std::string::String>,
        ///How many parts of the article were left out because the body would have been over 20 KiB: the excerpt, each keyword and each tag count as one. Absent when it is whole; read the rest through the API. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub left_out: ::std::option::Option<u32>,
        ///Its entry in the pipeline.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub scheduled_post_id: ::std::option::Option<::std::string::String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///An article finished publishing.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ArticlePublishedEvent {
        ///Version of the payload.
        pub api_version: ::std::string::String,
        ///The article.
        pub data: ArticlePublishedData,
        ///Names the event; the same on every retry and equal to the header `webhook-id`.
        pub id: ::std::string::String,
        ///When it happened, the same on every retry.
        pub timestamp: ::chrono::DateTime<::chrono::offset::Utc>,
        ///What happened.
        #[serde(rename = "type")]
        pub type_: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///The states that articles can be filtered by.
    #[derive(
        ::serde::Deserialize,
        ::serde::Serialize,
        Clone,
        Copy,
        Debug,
        Eq,
        Hash,
        Ord,
        PartialEq,
        PartialOrd
    )]
    #[non_exhaustive]
    pub enum ArticleStatusFilter {
        #[serde(rename = "draft")]
        Draft,
        #[serde(rename = "scheduled")]
        Scheduled,
        #[serde(rename = "published")]
        Published,
        #[serde(rename = "archived")]
        Archived,
    }
    impl ::std::fmt::Display for ArticleStatusFilter {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Draft => f.write_str("draft"),
                Self::Scheduled => f.write_str("scheduled"),
                Self::Published => f.write_str("published"),
                Self::Archived => f.write_str("archived"),
            }
        }
    }
    impl ::std::str::FromStr for ArticleStatusFilter {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "draft" => Ok(Self::Draft),
                "scheduled" => Ok(Self::Scheduled),
                "published" => Ok(Self::Published),
                "archived" => Ok(Self::Archived),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for ArticleStatusFilter {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ArticleStatusFilter {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///An article without its text.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ArticleSummary {
        ///When it was written.
        pub created_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///A few sentences in plain text.
        pub excerpt: ::std::string::String,
        ///Names the article.
        pub id: ::std::string::String,
        ///The job that wrote it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub job_id: ::std::option::Option<::std::string::String>,
        ///Language of the text.
        pub language: ::std::string::String,
        ///When it was published.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub published_at: ::std::option::Option<
            ::chrono::DateTime<::chrono::offset::Utc>,
        >,
        ///How long it takes to read. Written without fraction and exponent.
        pub reading_time_minutes: u32,
        ///Last part of the address, unique per website.
        pub slug: ::std::string::String,
        ///Where the article stands.
        pub status: crate::generated::types::ArticleStatus,
        ///What it is filed under.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub tags: ::std::vec::Vec<::std::string::String>,
        ///Title in plain text.
        pub title: ::std::string::String,
        ///When it last changed.
        pub updated_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Where it is published. Answers 200.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub url: ::std::option::Option<::std::string::String>,
        ///The website that it belongs to.
        pub website_id: ::std::string::String,
        ///Number of words of the text. Written without fraction and exponent.
        pub word_count: u32,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///Campaign parameters by name, without the prefix `utm_`.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[serde(transparent)]
    pub struct CampaignTags(
        pub ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
    );
    impl ::std::ops::Deref for CampaignTags {
        type Target = ::std::collections::BTreeMap<
            ::std::string::String,
            ::std::string::String,
        >;
        fn deref(
            &self,
        ) -> &::std::collections::BTreeMap<
            ::std::string::String,
            ::std::string::String,
        > {
            &self.0
        }
    }
    impl ::std::convert::From<CampaignTags>
    for ::std::collections::BTreeMap<::std::string::String, ::std::string::String> {
        fn from(value: CampaignTags) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<
        ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
    > for CampaignTags {
        fn from(
            value: ::std::collections::BTreeMap<
                ::std::string::String,
                ::std::string::String,
            >,
        ) -> Self {
            Self(value)
        }
    }
    ///A question and its answer.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct FaqEntry {
        ///The answer in plain text.
        pub answer: ::std::string::String,
        ///The question.
        pub question: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///One violation of the schema by the request, with exactly one of `pointer`, `parameter` and `header`.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct FieldError {
        ///The stable machine key.
        pub code: crate::generated::types::FieldErrorCode,
        ///What is wrong, for people.
        pub detail: ::std::string::String,
        ///The header.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub header: ::std::option::Option<::std::string::String>,
        ///The query or path parameter.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub parameter: ::std::option::Option<::std::string::String>,
        ///The member of the body: a JSON pointer as URI fragment.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub pointer: ::std::option::Option<::std::string::String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///What to write, for which website, and optionally how and when.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct GenerateRequest {
        ///Publish without waiting for approval. Default is the website's setting.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub auto_publish: ::std::option::Option<bool>,
        ///Words that the article should use, each 1 to 80 code points. They are not trimmed.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub keywords: ::std::vec::Vec<::std::string::String>,
        ///Language of the article, a tag well-formed by RFC 5646. Default is the website's language.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub language: ::std::option::Option<::std::string::String>,
        ///Your own labels; echoed in the job, the article and hooks.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub metadata: ::std::option::Option<Metadata>,
        /**When to publish: RFC 3339 with a zone, at most the same date next year. A moment in the past means as soon as it is ready.
With `auto_publish` false it is kept and does nothing.
*/
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub publish_at: ::std::option::Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///How many words the article should have. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub target_word_count: ::std::option::Option<u32>,
        /**What the article is about, in free text: 1 to 1000 code points after trimming Unicode White_Space, without control characters
except tab and newline. It is kept as sent; trimming serves counting only.
*/
        pub topic: ::std::string::String,
        ///The website to write for. It must be active and belong to the key's account.
        pub website_id: ::std::string::String,
    }
    impl GenerateRequest {
        ///A builder with nothing set.
        pub fn builder() -> builder::GenerateRequest {
            Default::default()
        }
    }
    ///The picture above an article. The alternative text is given even when there is no picture yet.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct HeroImage {
        ///Alternative text.
        pub alt: ::std::string::String,
        ///Height in pixels. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub height: ::std::option::Option<u32>,
        ///Address of the picture.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub url: ::std::option::Option<::std::string::String>,
        ///Width in pixels. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub width: ::std::option::Option<u32>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///The data of an event of any type.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[serde(transparent)]
    pub struct HookData(
        pub ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    );
    impl ::std::ops::Deref for HookData {
        type Target = ::serde_json::Map<::std::string::String, ::serde_json::Value>;
        fn deref(
            &self,
        ) -> &::serde_json::Map<::std::string::String, ::serde_json::Value> {
            &self.0
        }
    }
    impl ::std::convert::From<HookData>
    for ::serde_json::Map<::std::string::String, ::serde_json::Value> {
        fn from(value: HookData) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<
        ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    > for HookData {
        fn from(
            value: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
        ) -> Self {
            Self(value)
        }
    }
    ///The envelope of every hook, also of types that a receiver does not know yet.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct HookEnvelope {
        ///Version of the payload.
        pub api_version: ::std::string::String,
        ///What it happened to; depends on `type`.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub data: HookData,
        ///Names the event; the same on every retry and equal to the header `webhook-id`.
        pub id: ::std::string::String,
        ///When it happened, the same on every retry.
        pub timestamp: ::chrono::DateTime<::chrono::offset::Utc>,
        ///What happened.
        #[serde(rename = "type")]
        pub type_: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///A test carries no data.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[serde(transparent)]
    pub struct HookTestData(
        pub ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    );
    impl ::std::ops::Deref for HookTestData {
        type Target = ::serde_json::Map<::std::string::String, ::serde_json::Value>;
        fn deref(
            &self,
        ) -> &::serde_json::Map<::std::string::String, ::serde_json::Value> {
            &self.0
        }
    }
    impl ::std::convert::From<HookTestData>
    for ::serde_json::Map<::std::string::String, ::serde_json::Value> {
        fn from(value: HookTestData) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<
        ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    > for HookTestData {
        fn from(
            value: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
        ) -> Self {
            Self(value)
        }
    }
    ///Somebody pressed "send test" in the dashboard.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct HookTestEvent {
        ///Version of the payload.
        pub api_version: ::std::string::String,
        ///Nothing.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub data: HookTestData,
        ///Names the event; the same on every retry and equal to the header `webhook-id`.
        pub id: ::std::string::String,
        ///When it happened, the same on every retry.
        pub timestamp: ::chrono::DateTime<::chrono::offset::Utc>,
        ///What happened.
        #[serde(rename = "type")]
        pub type_: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///A link to another published article of the same website.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct InternalLink {
        ///Text of the link.
        pub anchor_text: ::std::string::String,
        ///Address of the other article.
        pub url: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///One piece of generation work and how far it has come.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Job {
        ///The article, once the job has completed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub article_id: ::std::option::Option<::std::string::String>,
        ///How many times the writing was begun. Written without fraction and exponent.
        pub attempts: u32,
        ///When the job was queued.
        pub created_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///When the job will have ended at the latest. May move while the job runs.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub deadline_at: ::std::option::Option<
            ::chrono::DateTime<::chrono::offset::Utc>,
        >,
        ///True once the job has ended. The one way out of a loop that survives new states.
        pub done: bool,
        ///Why the job failed; given if and only if it did.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub error: ::std::option::Option<JobError>,
        ///When the job ended.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub finished_at: ::std::option::Option<
            ::chrono::DateTime<::chrono::offset::Utc>,
        >,
        ///Names the job.
        pub job_id: ::std::string::String,
        ///The metadata, as it was sent; empty if none was.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub metadata: Metadata,
        ///Share of the work that is done, in percent; kept at failed and cancelled. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub progress: ::std::option::Option<u32>,
        ///The job's entry in the pipeline.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub scheduled_post_id: ::std::option::Option<::std::string::String>,
        ///When the writing first began.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub started_at: ::std::option::Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///Where the job stands.
        pub status: crate::generated::types::JobStatus,
        ///The topic, as it was sent.
        pub topic: ::std::string::String,
        ///The website that the article is for.
        pub website_id: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///Why a job failed.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct JobError {
        ///The stable machine key.
        pub code: crate::generated::types::JobErrorCode,
        ///A sentence for people.
        pub message: ::std::string::String,
        ///Whether the same request may succeed later.
        pub retryable: bool,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///The job that failed.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct JobFailedData {
        ///The job.
        pub job: Job,
        ///How many parts of the job were left out because the body would have been over 20 KiB: each member of its metadata counts as one. Absent when it is whole; read the rest through the API. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub left_out: ::std::option::Option<u32>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///A job failed for good. Sent only to endpoints that chose it.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct JobFailedEvent {
        ///Version of the payload.
        pub api_version: ::std::string::String,
        ///The job.
        pub data: JobFailedData,
        ///Names the event; the same on every retry and equal to the header `webhook-id`.
        pub id: ::std::string::String,
        ///When it happened, the same on every retry.
        pub timestamp: ::chrono::DateTime<::chrono::offset::Utc>,
        ///What happened.
        #[serde(rename = "type")]
        pub type_: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///A JSON-LD document with a graph. The first node is a `BlogPosting`; a `FAQPage` follows where the article has questions.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct JsonLd {
        ///The vocabulary.
        #[serde(rename = "@context")]
        pub context: ::std::string::String,
        ///The nodes.
        #[serde(rename = "@graph")]
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub graph: ::std::vec::Vec<JsonLdNode>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///One node of the graph, with whatever members its type has.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct JsonLdNode {
        ///The node's type.
        #[serde(rename = "@type")]
        pub type_: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///Somebody who left their particulars in a form on a published page.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct Lead {
        ///The article that it was captured on.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub article_id: ::std::option::Option<::std::string::String>,
        ///When it was captured.
        pub captured_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Company.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub company: ::std::option::Option<::std::string::String>,
        ///What they agreed to.
        pub consent: LeadConsent,
        ///E-mail address.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub email: ::std::option::Option<::std::string::String>,
        ///Whatever else the form asked for.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub fields: LeadFields,
        ///Names the lead.
        pub id: ::std::string::String,
        ///What they wrote.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub message: ::std::option::Option<::std::string::String>,
        ///Name.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub name: ::std::option::Option<::std::string::String>,
        ///Telephone number, in E.164 where it could be parsed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub phone: ::std::option::Option<::std::string::String>,
        ///Where it came from.
        pub source: LeadSource,
        ///The website that captured it.
        pub website_id: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///The lead that was captured.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadCapturedData {
        ///The lead.
        pub lead: Lead,
        ///How many parts of the lead were left out because the body would have been over 20 KiB: the message, each field, each part of the source and the words of consent count as one. Absent when it is whole; read the rest through the API. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub left_out: ::std::option::Option<u32>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///A lead was captured.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadCapturedEvent {
        ///Version of the payload.
        pub api_version: ::std::string::String,
        ///The lead.
        pub data: LeadCapturedData,
        ///Names the event; the same on every retry and equal to the header `webhook-id`.
        pub id: ::std::string::String,
        ///When it happened, the same on every retry.
        pub timestamp: ::chrono::DateTime<::chrono::offset::Utc>,
        ///What happened.
        #[serde(rename = "type")]
        pub type_: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///What a lead agreed to.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadConsent {
        ///When consent was given.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub at: ::std::option::Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///Whether consent was given.
        pub given: bool,
        ///The words that were agreed to.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub text: ::std::option::Option<::std::string::String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///Further fields of the form, by name. At most 32, values of at most 1000 code points.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[serde(transparent)]
    pub struct LeadFields(
        pub ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
    );
    impl ::std::ops::Deref for LeadFields {
        type Target = ::std::collections::BTreeMap<
            ::std::string::String,
            ::std::string::String,
        >;
        fn deref(
            &self,
        ) -> &::std::collections::BTreeMap<
            ::std::string::String,
            ::std::string::String,
        > {
            &self.0
        }
    }
    impl ::std::convert::From<LeadFields>
    for ::std::collections::BTreeMap<::std::string::String, ::std::string::String> {
        fn from(value: LeadFields) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<
        ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
    > for LeadFields {
        fn from(
            value: ::std::collections::BTreeMap<
                ::std::string::String,
                ::std::string::String,
            >,
        ) -> Self {
            Self(value)
        }
    }
    ///One page of leads.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadPage {
        ///The leads, newest first by capture, then by id.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub items: ::std::vec::Vec<Lead>,
        ///Token of the next page; null or absent on the last one.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_page: ::std::option::Option<::std::string::String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///Where a lead came from.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadSource {
        ///Which form it was.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub form_id: ::std::option::Option<::std::string::String>,
        ///Address of the page with the form.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub page_url: ::std::option::Option<::std::string::String>,
        ///Address that led to the page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub referrer: ::std::option::Option<::std::string::String>,
        ///Campaign parameters of the page's address.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub utm: CampaignTags,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    /**Labels of the caller's own: at most 16 members, names of 1 to 40 code points, values of at most 500. Neither trimmed nor searched.
*/
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[serde(transparent)]
    pub struct Metadata(
        pub ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
    );
    impl ::std::ops::Deref for Metadata {
        type Target = ::std::collections::BTreeMap<
            ::std::string::String,
            ::std::string::String,
        >;
        fn deref(
            &self,
        ) -> &::std::collections::BTreeMap<
            ::std::string::String,
            ::std::string::String,
        > {
            &self.0
        }
    }
    impl ::std::convert::From<Metadata>
    for ::std::collections::BTreeMap<::std::string::String, ::std::string::String> {
        fn from(value: Metadata) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<
        ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
    > for Metadata {
        fn from(
            value: ::std::collections::BTreeMap<
                ::std::string::String,
                ::std::string::String,
            >,
        ) -> Self {
            Self(value)
        }
    }
    ///One heading of an article.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct OutlineEntry {
        ///The heading's id in the HTML, unique in the article.
        pub anchor: ::std::string::String,
        ///Level of the heading. Written without fraction and exponent.
        pub level: u32,
        ///Text of the heading.
        pub text: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    /**Every error of the service. All members are optional in the schema, so that a sparse body of another server still parses; this
service always sends `type`, `title`, `status`, `detail`, `code` and `request_id`.
*/
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Problem {
        ///The stable machine key.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub code: ::std::option::Option<crate::generated::types::ProblemCode>,
        ///What happened this time, for people. Never holds the key.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub detail: ::std::option::Option<::std::string::String>,
        ///What is wrong with which part of the request, 100 entries at most. `detail` says when there is more.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub errors: ::std::vec::Vec<FieldError>,
        ///Path of the request, without the query.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub instance: ::std::option::Option<::std::string::String>,
        ///The request's `X-Request-Id`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub request_id: ::std::option::Option<::std::string::String>,
        ///The HTTP status. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub status: ::std::option::Option<u32>,
        ///The kind of problem in a few words, always the same for a code.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub title: ::std::option::Option<::std::string::String>,
        ///Names the kind of problem.
        #[serde(rename = "type", skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub type_: ::std::option::Option<::std::string::String>,
        ///The quotas that were exceeded; with `rate_limited` only.
        #[serde(
            rename = "violated-policies",
            default,
            skip_serializing_if = "::std::vec::Vec::is_empty"
        )]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub violated_policies: ::std::vec::Vec<::std::string::String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///The job that was queued. May carry further members of `Job`, with the same meaning.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct QueuedJob {
        ///When the job was queued.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub created_at: ::std::option::Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///Names the job.
        pub job_id: ::std::string::String,
        ///The metadata, as it was sent; empty if none was.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub metadata: ::std::option::Option<Metadata>,
        ///The job's entry in the pipeline.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub scheduled_post_id: ::std::option::Option<::std::string::String>,
        ///`queued`, or already further if the answer is a replay.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub status: ::std::option::Option<crate::generated::types::JobStatus>,
        ///The topic, as it was sent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub topic: ::std::option::Option<::std::string::String>,
        ///The website that was asked for.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub website_id: ::std::option::Option<::std::string::String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///An entry of the pipeline `scheduled_posts`. It exists as soon as its job does.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ScheduledPost {
        ///The article, once it is written.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub article_id: ::std::option::Option<::std::string::String>,
        ///How many times publishing was tried. Written without fraction and exponent.
        pub attempts: u32,
        ///Whether it is published without approval.
        pub auto_publish: bool,
        ///When the entry was made.
        pub created_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Why it failed, or why the last try to publish did.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub error: ::std::option::Option<ScheduledPostError>,
        ///Names the entry.
        pub id: ::std::string::String,
        ///The job that writes it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub job_id: ::std::option::Option<::std::string::String>,
        ///When it is to be published.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub publish_at: ::std::option::Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///When it was published.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub published_at: ::std::option::Option<
            ::chrono::DateTime<::chrono::offset::Utc>,
        >,
        ///Where the entry stands.
        pub status: crate::generated::types::ScheduledPostStatus,
        ///The topic, as it was sent.
        pub topic: ::std::string::String,
        ///When the entry last changed.
        pub updated_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///The website that it is for.
        pub website_id: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///Why an entry failed.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ScheduledPostError {
        ///The stable machine key.
        pub code: crate::generated::types::ScheduledPostErrorCode,
        ///A sentence for people.
        pub message: ::std::string::String,
        ///Whether another try may succeed.
        pub retryable: bool,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///One page of the pipeline.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ScheduledPostPage {
        ///The entries, newest first by creation, then by id.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub items: ::std::vec::Vec<ScheduledPost>,
        ///Token of the next page; null or absent on the last one.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_page: ::std::option::Option<::std::string::String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///The states that the pipeline can be filtered by.
    #[derive(
        ::serde::Deserialize,
        ::serde::Serialize,
        Clone,
        Copy,
        Debug,
        Eq,
        Hash,
        Ord,
        PartialEq,
        PartialOrd
    )]
    #[non_exhaustive]
    pub enum ScheduledPostStatusFilter {
        #[serde(rename = "queued")]
        Queued,
        #[serde(rename = "generating")]
        Generating,
        #[serde(rename = "ready")]
        Ready,
        #[serde(rename = "scheduled")]
        Scheduled,
        #[serde(rename = "publishing")]
        Publishing,
        #[serde(rename = "published")]
        Published,
        #[serde(rename = "failed")]
        Failed,
        #[serde(rename = "cancelled")]
        Cancelled,
    }
    impl ::std::fmt::Display for ScheduledPostStatusFilter {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Queued => f.write_str("queued"),
                Self::Generating => f.write_str("generating"),
                Self::Ready => f.write_str("ready"),
                Self::Scheduled => f.write_str("scheduled"),
                Self::Publishing => f.write_str("publishing"),
                Self::Published => f.write_str("published"),
                Self::Failed => f.write_str("failed"),
                Self::Cancelled => f.write_str("cancelled"),
            }
        }
    }
    impl ::std::str::FromStr for ScheduledPostStatusFilter {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "queued" => Ok(Self::Queued),
                "generating" => Ok(Self::Generating),
                "ready" => Ok(Self::Ready),
                "scheduled" => Ok(Self::Scheduled),
                "publishing" => Ok(Self::Publishing),
                "published" => Ok(Self::Published),
                "failed" => Ok(Self::Failed),
                "cancelled" => Ok(Self::Cancelled),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for ScheduledPostStatusFilter {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ScheduledPostStatusFilter {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///One measurable rule of the voice profile and how the text fared.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct VoiceCheck {
        ///What the rule asks for.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub expected: ::std::option::Option<::std::string::String>,
        ///What the text has; null where the rule does not apply.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub observed: ::std::option::Option<::std::string::String>,
        ///Whether the text keeps the rule.
        pub passed: bool,
        ///Name of the rule, such as `banned_terms` or `reading_grade`.
        pub rule: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///How well the text keeps the voice profile (Brand DNA), rule by rule.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct VoiceReport {
        ///The profile that was applied.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub brand_voice_id: ::std::option::Option<::std::string::String>,
        ///Version of the profile. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub brand_voice_version: ::std::option::Option<u32>,
        ///The checks, one for each measurable rule.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub checks: ::std::vec::Vec<VoiceCheck>,
        ///Whether every check passed.
        pub passed: bool,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///A website that articles are written for. Configured in the dashboard.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Website {
        ///Whether articles are published without approval.
        pub auto_publish: bool,
        ///Its voice profile; null means the account's default.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub brand_voice_id: ::std::option::Option<::std::string::String>,
        ///When it was made.
        pub created_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Language of its articles.
        pub language: ::std::string::String,
        ///Name.
        pub name: ::std::string::String,
        ///Whether it can be written for.
        pub status: crate::generated::types::WebsiteStatus,
        ///IANA name of its time zone.
        pub time_zone: ::std::string::String,
        ///When it last changed.
        pub updated_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Where it is: the base of its articles' addresses. https, or http on localhost.
        pub url: ::std::string::String,
        ///Names the website.
        pub website_id: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///One page of websites.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct WebsitePage {
        ///The websites, newest first by creation, then by id.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub items: ::std::vec::Vec<Website>,
        ///Token of the next page; null or absent on the last one.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_page: ::std::option::Option<::std::string::String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    /// Types for composing complex structures.
    pub mod builder {
        #[derive(Clone, Debug)]
        ///Builds a [`GenerateRequest`](super::GenerateRequest).
        #[must_use = "a builder does nothing until it is sent or converted"]
        pub struct GenerateRequest {
            auto_publish: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            keywords: ::std::result::Result<
                ::std::vec::Vec<::std::string::String>,
                ::std::string::String,
            >,
            language: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            metadata: ::std::result::Result<
                ::std::option::Option<super::Metadata>,
                ::std::string::String,
            >,
            publish_at: ::std::result::Result<
                ::std::option::Option<::chrono::DateTime<::chrono::offset::Utc>>,
                ::std::string::String,
            >,
            target_word_count: ::std::result::Result<
                ::std::option::Option<u32>,
                ::std::string::String,
            >,
            topic: ::std::result::Result<::std::string::String, ::std::string::String>,
            website_id: ::std::result::Result<
                ::std::string::String,
                ::std::string::String,
            >,
        }
        impl ::std::default::Default for GenerateRequest {
            fn default() -> Self {
                Self {
                    auto_publish: Ok(Default::default()),
                    keywords: Ok(Default::default()),
                    language: Ok(Default::default()),
                    metadata: Ok(Default::default()),
                    publish_at: Ok(Default::default()),
                    target_word_count: Ok(Default::default()),
                    topic: Err("no value supplied for topic".to_string()),
                    website_id: Err("no value supplied for website_id".to_string()),
                }
            }
        }
        impl GenerateRequest {
            ///Publish without waiting for approval. Default is the website's setting.
            pub fn auto_publish<T>(mut self, value: T) -> Self
            where
                T: ::std::convert::TryInto<bool>,
                T::Error: ::std::fmt::Display,
            {
                self.auto_publish = value
                    .try_into()
                    .map(Some)
                    .map_err(|e| {
                        format!("error converting supplied value for auto_publish: {e}")
                    });
                self
            }
            ///Words that the article should use, each 1 to 80 code points. They are not trimmed.
            pub fn keywords<T>(mut self, value: T) -> Self
            where
                T: ::std::iter::IntoIterator,
                T::Item: ::std::convert::Into<::std::string::String>,
            {
                self.keywords = Ok(
                    value.into_iter().map(::std::convert::Into::into).collect(),
                );
                self
            }
            ///Language of the article, a tag well-formed by RFC 5646. Default is the website's language.
            pub fn language<T>(mut self, value: T) -> Self
            where
                T: ::std::convert::TryInto<::std::string::String>,
                T::Error: ::std::fmt::Display,
            {
                self.language = value
                    .try_into()
                    .map(Some)
                    .map_err(|e| {
                        format!("error converting supplied value for language: {e}")
                    });
                self
            }
            ///Your own labels; echoed in the job, the article and hooks.
            pub fn metadata<T>(mut self, value: T) -> Self
            where
                T: ::std::convert::TryInto<super::Metadata>,
                T::Error: ::std::fmt::Display,
            {
                self.metadata = value
                    .try_into()
                    .map(Some)
                    .map_err(|e| {
                        format!("error converting supplied value for metadata: {e}")
                    });
                self
            }
            /**When to publish: RFC 3339 with a zone, at most the same date next year. A moment in the past means as soon as it is ready.
With `auto_publish` false it is kept and does nothing.
*/
            pub fn publish_at<T>(mut self, value: T) -> Self
            where
                T: ::std::convert::TryInto<::chrono::DateTime<::chrono::offset::Utc>>,
                T::Error: ::std::fmt::Display,
            {
                self.publish_at = value
                    .try_into()
                    .map(Some)
                    .map_err(|e| {
                        format!("error converting supplied value for publish_at: {e}")
                    });
                self
            }
            ///How many words the article should have. Written without fraction and exponent.
            pub fn target_word_count<T>(mut self, value: T) -> Self
            where
                T: ::std::convert::TryInto<u32>,
                T::Error: ::std::fmt::Display,
            {
                self.target_word_count = value
                    .try_into()
                    .map(Some)
                    .map_err(|e| {
                        format!(
                            "error converting supplied value for target_word_count: {e}"
                        )
                    });
                self
            }
            /**What the article is about, in free text: 1 to 1000 code points after trimming Unicode White_Space, without control characters
except tab and newline. It is kept as sent; trimming serves counting only.
*/
            pub fn topic<T>(mut self, value: T) -> Self
            where
                T: ::std::convert::TryInto<::std::string::String>,
                T::Error: ::std::fmt::Display,
            {
                self.topic = value
                    .try_into()
                    .map_err(|e| {
                        format!("error converting supplied value for topic: {e}")
                    });
                self
            }
            ///The website to write for. It must be active and belong to the key's account.
            pub fn website_id<T>(mut self, value: T) -> Self
            where
                T: ::std::convert::TryInto<::std::string::String>,
                T::Error: ::std::fmt::Display,
            {
                self.website_id = value
                    .try_into()
                    .map_err(|e| {
                        format!("error converting supplied value for website_id: {e}")
                    });
                self
            }
        }
        impl ::std::convert::TryFrom<GenerateRequest> for super::GenerateRequest {
            type Error = super::error::ConversionError;
            fn try_from(
                value: GenerateRequest,
            ) -> ::std::result::Result<Self, super::error::ConversionError> {
                let built: ::std::result::Result<Self, super::error::ConversionError> = {
                    Ok(Self {
                        auto_publish: value.auto_publish?,
                        keywords: value.keywords?,
                        language: value.language?,
                        metadata: value.metadata?,
                        publish_at: value.publish_at?,
                        target_word_count: value.target_word_count?,
                        topic: value.topic?,
                        website_id: value.website_id?,
                    })
                };
                let built = built?;
                built.check()?;
                Ok(built)
            }
        }
        impl ::std::convert::From<super::GenerateRequest> for GenerateRequest {
            fn from(value: super::GenerateRequest) -> Self {
                Self {
                    auto_publish: Ok(value.auto_publish),
                    keywords: Ok(value.keywords),
                    language: Ok(value.language),
                    metadata: Ok(value.metadata),
                    publish_at: Ok(value.publish_at),
                    target_word_count: Ok(value.target_word_count),
                    topic: Ok(value.topic),
                    website_id: Ok(value.website_id),
                }
            }
        }
    }
    /// Error types.
    pub mod error {
        /// Error from a `TryFrom` or `FromStr` implementation.
        pub struct ConversionError(::std::borrow::Cow<'static, str>);
        impl ::std::error::Error for ConversionError {}
        impl ::std::fmt::Display for ConversionError {
            fn fmt(
                &self,
                f: &mut ::std::fmt::Formatter<'_>,
            ) -> Result<(), ::std::fmt::Error> {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }
        impl ::std::fmt::Debug for ConversionError {
            fn fmt(
                &self,
                f: &mut ::std::fmt::Formatter<'_>,
            ) -> Result<(), ::std::fmt::Error> {
                ::std::fmt::Debug::fmt(&self.0, f)
            }
        }
        impl From<&'static str> for ConversionError {
            fn from(value: &'static str) -> Self {
                Self(value.into())
            }
        }
        impl From<String> for ConversionError {
            fn from(value: String) -> Self {
                Self(value.into())
            }
        }
    }
    impl ::std::default::Default for CampaignTags {
        fn default() -> Self {
            Self(::std::default::Default::default())
        }
    }
    impl ::std::default::Default for HookData {
        fn default() -> Self {
            Self(::std::default::Default::default())
        }
    }
    impl ::std::default::Default for HookTestData {
        fn default() -> Self {
            Self(::std::default::Default::default())
        }
    }
    impl ::std::default::Default for LeadFields {
        fn default() -> Self {
            Self(::std::default::Default::default())
        }
    }
    impl ::std::default::Default for Metadata {
        fn default() -> Self {
            Self(::std::default::Default::default())
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for CampaignTags {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter.debug_struct("CampaignTags").finish_non_exhaustive()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for HookData {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_tuple("HookData")
                .field(&self.0.keys().collect::<::std::vec::Vec<_>>())
                .finish()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for HookEnvelope {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("HookEnvelope")
                .field("api_version", &self.api_version)
                .field("data", &self.data)
                .field("id", &self.id)
                .field("timestamp", &self.timestamp)
                .field("type_", &self.type_)
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
                .finish()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for HookTestData {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_tuple("HookTestData")
                .field(&self.0.keys().collect::<::std::vec::Vec<_>>())
                .finish()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for HookTestEvent {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("HookTestEvent")
                .field("api_version", &self.api_version)
                .field("data", &self.data)
                .field("id", &self.id)
                .field("timestamp", &self.timestamp)
                .field("type_", &self.type_)
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
                .finish()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for Lead {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("Lead")
                .field("article_id", &self.article_id)
                .field("captured_at", &self.captured_at)
                .field("consent", &self.consent)
                .field("fields", &self.fields)
                .field("id", &self.id)
                .field("source", &self.source)
                .field("website_id", &self.website_id)
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
                .finish_non_exhaustive()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for LeadCapturedData {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("LeadCapturedData")
                .field("lead", &self.lead)
                .field("left_out", &self.left_out)
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
                .finish()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for LeadCapturedEvent {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("LeadCapturedEvent")
                .field("api_version", &self.api_version)
                .field("data", &self.data)
                .field("id", &self.id)
                .field("timestamp", &self.timestamp)
                .field("type_", &self.type_)
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
                .finish()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for LeadConsent {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("LeadConsent")
                .field("at", &self.at)
                .field("given", &self.given)
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
                .finish_non_exhaustive()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for LeadFields {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter.debug_struct("LeadFields").finish_non_exhaustive()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for LeadPage {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("LeadPage")
                .field("items", &self.items)
                .field("next_page", &self.next_page)
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
                .finish()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for LeadSource {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("LeadSource")
                .field("form_id", &self.form_id)
                .field("utm", &self.utm)
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
                .finish_non_exhaustive()
        }
    }
    ///State of an article. `draft` is written, `scheduled` has a time, `published` is on the website, `archived` was taken down.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum ArticleStatus {
        ///`draft`
        Draft,
        ///`scheduled`
        Scheduled,
        ///`published`
        Published,
        ///`archived`
        Archived,
        /// A value that this version of the crate does not know, as it was received.
        Unknown(String),
    }
    impl ArticleStatus {
        /// The value as it stands on the wire.
        pub fn as_str(&self) -> &str {
            match self {
                Self::Draft => "draft",
                Self::Scheduled => "scheduled",
                Self::Published => "published",
                Self::Archived => "archived",
                Self::Unknown(value) => value,
            }
        }
    }
    impl ::std::fmt::Display for ArticleStatus {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter.write_str(self.as_str())
        }
    }
    impl ::std::convert::From<&str> for ArticleStatus {
        fn from(value: &str) -> Self {
            match value {
                "draft" => Self::Draft,
                "scheduled" => Self::Scheduled,
                "published" => Self::Published,
                "archived" => Self::Archived,
                other => Self::Unknown(other.to_owned()),
            }
        }
    }
    impl ::std::convert::From<String> for ArticleStatus {
        fn from(value: String) -> Self {
            Self::from(value.as_str())
        }
    }
    impl ::std::str::FromStr for ArticleStatus {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self::from(value))
        }
    }
    impl ::serde::Serialize for ArticleStatus {
        fn serialize<S: ::serde::Serializer>(
            &self,
            serializer: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            serializer.serialize_str(self.as_str())
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ArticleStatus {
        fn deserialize<D: ::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::std::result::Result<Self, D::Error> {
            <::std::borrow::Cow<
                'de,
                str,
            > as ::serde::Deserialize>::deserialize(deserializer)
                .map(|value| Self::from(value.as_ref()))
        }
    }
    /**What is wrong. `required`: absent. `too_short`, `too_long`: strings. `out_of_range`: numbers and times. `too_many`: items and
members. `invalid_format`: wrong type, null, a value outside a vocabulary, or a control character. `unknown_field`: with
`Prefer: handling=strict`. `not_found`: a website.
*/
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum FieldErrorCode {
        ///`required`
        Required,
        ///`too_short`
        TooShort,
        ///`too_long`
        TooLong,
        ///`invalid_format`
        InvalidFormat,
        ///`out_of_range`
        OutOfRange,
        ///`too_many`
        TooMany,
        ///`unknown_field`
        UnknownField,
        ///`not_found`
        NotFound,
        /// A value that this version of the crate does not know, as it was received.
        Unknown(String),
    }
    impl FieldErrorCode {
        /// The value as it stands on the wire.
        pub fn as_str(&self) -> &str {
            match self {
                Self::Required => "required",
                Self::TooShort => "too_short",
                Self::TooLong => "too_long",
                Self::InvalidFormat => "invalid_format",
                Self::OutOfRange => "out_of_range",
                Self::TooMany => "too_many",
                Self::UnknownField => "unknown_field",
                Self::NotFound => "not_found",
                Self::Unknown(value) => value,
            }
        }
    }
    impl ::std::fmt::Display for FieldErrorCode {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter.write_str(self.as_str())
        }
    }
    impl ::std::convert::From<&str> for FieldErrorCode {
        fn from(value: &str) -> Self {
            match value {
                "required" => Self::Required,
                "too_short" => Self::TooShort,
                "too_long" => Self::TooLong,
                "invalid_format" => Self::InvalidFormat,
                "out_of_range" => Self::OutOfRange,
                "too_many" => Self::TooMany,
                "unknown_field" => Self::UnknownField,
                "not_found" => Self::NotFound,
                other => Self::Unknown(other.to_owned()),
            }
        }
    }
    impl ::std::convert::From<String> for FieldErrorCode {
        fn from(value: String) -> Self {
            Self::from(value.as_str())
        }
    }
    impl ::std::str::FromStr for FieldErrorCode {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self::from(value))
        }
    }
    impl ::serde::Serialize for FieldErrorCode {
        fn serialize<S: ::serde::Serializer>(
            &self,
            serializer: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            serializer.serialize_str(self.as_str())
        }
    }
    impl<'de> ::serde::Deserialize<'de> for FieldErrorCode {
        fn deserialize<D: ::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::std::result::Result<Self, D::Error> {
            <::std::borrow::Cow<
                'de,
                str,
            > as ::serde::Deserialize>::deserialize(deserializer)
                .map(|value| Self::from(value.as_ref()))
        }
    }
    /**Why a job failed. `generator_unavailable`, `generation_timeout` and `internal` are retryable; `content_rejected`,
`voice_unsatisfiable` and `website_inactive` are not.
*/
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum JobErrorCode {
        ///`generator_unavailable`
        GeneratorUnavailable,
        ///`generation_timeout`
        GenerationTimeout,
        ///`internal`
        Internal,
        ///`content_rejected`
        ContentRejected,
        ///`voice_unsatisfiable`
        VoiceUnsatisfiable,
        ///`website_inactive`
        WebsiteInactive,
        /// A value that this version of the crate does not know, as it was received.
        Unknown(String),
    }
    impl JobErrorCode {
        /// The value as it stands on the wire.
        pub fn as_str(&self) -> &str {
            match self {
                Self::GeneratorUnavailable => "generator_unavailable",
                Self::GenerationTimeout => "generation_timeout",
                Self::Internal => "internal",
                Self::ContentRejected => "content_rejected",
                Self::VoiceUnsatisfiable => "voice_unsatisfiable",
                Self::WebsiteInactive => "website_inactive",
                Self::Unknown(value) => value,
            }
        }
    }
    impl ::std::fmt::Display for JobErrorCode {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter.write_str(self.as_str())
        }
    }
    impl ::std::convert::From<&str> for JobErrorCode {
        fn from(value: &str) -> Self {
            match value {
                "generator_unavailable" => Self::GeneratorUnavailable,
                "generation_timeout" => Self::GenerationTimeout,
                "internal" => Self::Internal,
                "content_rejected" => Self::ContentRejected,
                "voice_unsatisfiable" => Self::VoiceUnsatisfiable,
                "website_inactive" => Self::WebsiteInactive,
                other => Self::Unknown(other.to_owned()),
            }
        }
    }
    impl ::std::convert::From<String> for JobErrorCode {
        fn from(value: String) -> Self {
            Self::from(value.as_str())
        }
    }
    impl ::std::str::FromStr for JobErrorCode {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self::from(value))
        }
    }
    impl ::serde::Serialize for JobErrorCode {
        fn serialize<S: ::serde::Serializer>(
            &self,
            serializer: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            serializer.serialize_str(self.as_str())
        }
    }
    impl<'de> ::serde::Deserialize<'de> for JobErrorCode {
        fn deserialize<D: ::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::std::result::Result<Self, D::Error> {
            <::std::borrow::Cow<
                'de,
                str,
            > as ::serde::Deserialize>::deserialize(deserializer)
                .map(|value| Self::from(value.as_ref()))
        }
    }
    /**State of a job. `queued` waits, `in_progress` is being written, `completed` has an article, `failed` has an `error`,
`cancelled` was stopped. `queued` and `completed` are documented, the others are extensions.
*/
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum JobStatus {
        ///`queued`
        Queued,
        ///`in_progress`
        InProgress,
        ///`completed`
        Completed,
        ///`failed`
        Failed,
        ///`cancelled`
        Cancelled,
        /// A value that this version of the crate does not know, as it was received.
        Unknown(String),
    }
    impl JobStatus {
        /// The value as it stands on the wire.
        pub fn as_str(&self) -> &str {
            match self {
                Self::Queued => "queued",
                Self::InProgress => "in_progress",
                Self::Completed => "completed",
                Self::Failed => "failed",
                Self::Cancelled => "cancelled",
                Self::Unknown(value) => value,
            }
        }
    }
    impl ::std::fmt::Display for JobStatus {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter.write_str(self.as_str())
        }
    }
    impl ::std::convert::From<&str> for JobStatus {
        fn from(value: &str) -> Self {
            match value {
                "queued" => Self::Queued,
                "in_progress" => Self::InProgress,
                "completed" => Self::Completed,
                "failed" => Self::Failed,
                "cancelled" => Self::Cancelled,
                other => Self::Unknown(other.to_owned()),
            }
        }
    }
    impl ::std::convert::From<String> for JobStatus {
        fn from(value: String) -> Self {
            Self::from(value.as_str())
        }
    }
    impl ::std::str::FromStr for JobStatus {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self::from(value))
        }
    }
    impl ::serde::Serialize for JobStatus {
        fn serialize<S: ::serde::Serializer>(
            &self,
            serializer: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            serializer.serialize_str(self.as_str())
        }
    }
    impl<'de> ::serde::Deserialize<'de> for JobStatus {
        fn deserialize<D: ::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::std::result::Result<Self, D::Error> {
            <::std::borrow::Cow<
                'de,
                str,
            > as ::serde::Deserialize>::deserialize(deserializer)
                .map(|value| Self::from(value.as_ref()))
        }
    }
    ///The stable machine key of a problem. `x-problem-codes` tells what each one means.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum ProblemCode {
        ///`invalid_json`
        InvalidJson,
        ///`invalid_header`
        InvalidHeader,
        ///`invalid_page_token`
        InvalidPageToken,
        ///`missing_credentials`
        MissingCredentials,
        ///`invalid_credentials`
        InvalidCredentials,
        ///`insufficient_scope`
        InsufficientScope,
        ///`website_inactive`
        WebsiteInactive,
        ///`route_not_found`
        RouteNotFound,
        ///`article_not_found`
        ArticleNotFound,
        ///`job_not_found`
        JobNotFound,
        ///`lead_not_found`
        LeadNotFound,
        ///`article_not_ready`
        ArticleNotReady,
        ///`generation_failed`
        GenerationFailed,
        ///`generation_cancelled`
        GenerationCancelled,
        ///`method_not_allowed`
        MethodNotAllowed,
        ///`request_timeout`
        RequestTimeout,
        ///`idempotency_in_flight`
        IdempotencyInFlight,
        ///`job_not_cancellable`
        JobNotCancellable,
        ///`payload_too_large`
        PayloadTooLarge,
        ///`unsupported_media_type`
        UnsupportedMediaType,
        ///`validation_failed`
        ValidationFailed,
        ///`website_not_found`
        WebsiteNotFound,
        ///`idempotency_mismatch`
        IdempotencyMismatch,
        ///`rate_limited`
        RateLimited,
        ///`queue_full`
        QueueFull,
        ///`headers_too_large`
        HeadersTooLarge,
        ///`internal_error`
        InternalError,
        ///`unavailable`
        Unavailable,
        /// A value that this version of the crate does not know, as it was received.
        Unknown(String),
    }
    impl ProblemCode {
        /// The value as it stands on the wire.
        pub fn as_str(&self) -> &str {
            match self {
                Self::InvalidJson => "invalid_json",
                Self::InvalidHeader => "invalid_header",
                Self::InvalidPageToken => "invalid_page_token",
                Self::MissingCredentials => "missing_credentials",
                Self::InvalidCredentials => "invalid_credentials",
                Self::InsufficientScope => "insufficient_scope",
                Self::WebsiteInactive => "website_inactive",
                Self::RouteNotFound => "route_not_found",
                Self::ArticleNotFound => "article_not_found",
                Self::JobNotFound => "job_not_found",
                Self::LeadNotFound => "lead_not_found",
                Self::ArticleNotReady => "article_not_ready",
                Self::GenerationFailed => "generation_failed",
                Self::GenerationCancelled => "generation_cancelled",
                Self::MethodNotAllowed => "method_not_allowed",
                Self::RequestTimeout => "request_timeout",
                Self::IdempotencyInFlight => "idempotency_in_flight",
                Self::JobNotCancellable => "job_not_cancellable",
                Self::PayloadTooLarge => "payload_too_large",
                Self::UnsupportedMediaType => "unsupported_media_type",
                Self::ValidationFailed => "validation_failed",
                Self::WebsiteNotFound => "website_not_found",
                Self::IdempotencyMismatch => "idempotency_mismatch",
                Self::RateLimited => "rate_limited",
                Self::QueueFull => "queue_full",
                Self::HeadersTooLarge => "headers_too_large",
                Self::InternalError => "internal_error",
                Self::Unavailable => "unavailable",
                Self::Unknown(value) => value,
            }
        }
    }
    impl ::std::fmt::Display for ProblemCode {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter.write_str(self.as_str())
        }
    }
    impl ::std::convert::From<&str> for ProblemCode {
        fn from(value: &str) -> Self {
            match value {
                "invalid_json" => Self::InvalidJson,
                "invalid_header" => Self::InvalidHeader,
                "invalid_page_token" => Self::InvalidPageToken,
                "missing_credentials" => Self::MissingCredentials,
                "invalid_credentials" => Self::InvalidCredentials,
                "insufficient_scope" => Self::InsufficientScope,
                "website_inactive" => Self::WebsiteInactive,
                "route_not_found" => Self::RouteNotFound,
                "article_not_found" => Self::ArticleNotFound,
                "job_not_found" => Self::JobNotFound,
                "lead_not_found" => Self::LeadNotFound,
                "article_not_ready" => Self::ArticleNotReady,
                "generation_failed" => Self::GenerationFailed,
                "generation_cancelled" => Self::GenerationCancelled,
                "method_not_allowed" => Self::MethodNotAllowed,
                "request_timeout" => Self::RequestTimeout,
                "idempotency_in_flight" => Self::IdempotencyInFlight,
                "job_not_cancellable" => Self::JobNotCancellable,
                "payload_too_large" => Self::PayloadTooLarge,
                "unsupported_media_type" => Self::UnsupportedMediaType,
                "validation_failed" => Self::ValidationFailed,
                "website_not_found" => Self::WebsiteNotFound,
                "idempotency_mismatch" => Self::IdempotencyMismatch,
                "rate_limited" => Self::RateLimited,
                "queue_full" => Self::QueueFull,
                "headers_too_large" => Self::HeadersTooLarge,
                "internal_error" => Self::InternalError,
                "unavailable" => Self::Unavailable,
                other => Self::Unknown(other.to_owned()),
            }
        }
    }
    impl ::std::convert::From<String> for ProblemCode {
        fn from(value: String) -> Self {
            Self::from(value.as_str())
        }
    }
    impl ::std::str::FromStr for ProblemCode {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self::from(value))
        }
    }
    impl ::serde::Serialize for ProblemCode {
        fn serialize<S: ::serde::Serializer>(
            &self,
            serializer: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            serializer.serialize_str(self.as_str())
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ProblemCode {
        fn deserialize<D: ::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::std::result::Result<Self, D::Error> {
            <::std::borrow::Cow<
                'de,
                str,
            > as ::serde::Deserialize>::deserialize(deserializer)
                .map(|value| Self::from(value.as_ref()))
        }
    }
    ///`publish_failed` (retryable), `publish_rejected`, or the code of the job that failed.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum ScheduledPostErrorCode {
        ///`publish_failed`
        PublishFailed,
        ///`publish_rejected`
        PublishRejected,
        ///`generator_unavailable`
        GeneratorUnavailable,
        ///`generation_timeout`
        GenerationTimeout,
        ///`internal`
        Internal,
        ///`content_rejected`
        ContentRejected,
        ///`voice_unsatisfiable`
        VoiceUnsatisfiable,
        ///`website_inactive`
        WebsiteInactive,
        /// A value that this version of the crate does not know, as it was received.
        Unknown(String),
    }
    impl ScheduledPostErrorCode {
        /// The value as it stands on the wire.
        pub fn as_str(&self) -> &str {
            match self {
                Self::PublishFailed => "publish_failed",
                Self::PublishRejected => "publish_rejected",
                Self::GeneratorUnavailable => "generator_unavailable",
                Self::GenerationTimeout => "generation_timeout",
                Self::Internal => "internal",
                Self::ContentRejected => "content_rejected",
                Self::VoiceUnsatisfiable => "voice_unsatisfiable",
                Self::WebsiteInactive => "website_inactive",
                Self::Unknown(value) => value,
            }
        }
    }
    impl ::std::fmt::Display for ScheduledPostErrorCode {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter.write_str(self.as_str())
        }
    }
    impl ::std::convert::From<&str> for ScheduledPostErrorCode {
        fn from(value: &str) -> Self {
            match value {
                "publish_failed" => Self::PublishFailed,
                "publish_rejected" => Self::PublishRejected,
                "generator_unavailable" => Self::GeneratorUnavailable,
                "generation_timeout" => Self::GenerationTimeout,
                "internal" => Self::Internal,
                "content_rejected" => Self::ContentRejected,
                "voice_unsatisfiable" => Self::VoiceUnsatisfiable,
                "website_inactive" => Self::WebsiteInactive,
                other => Self::Unknown(other.to_owned()),
            }
        }
    }
    impl ::std::convert::From<String> for ScheduledPostErrorCode {
        fn from(value: String) -> Self {
            Self::from(value.as_str())
        }
    }
    impl ::std::str::FromStr for ScheduledPostErrorCode {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self::from(value))
        }
    }
    impl ::serde::Serialize for ScheduledPostErrorCode {
        fn serialize<S: ::serde::Serializer>(
            &self,
            serializer: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            serializer.serialize_str(self.as_str())
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ScheduledPostErrorCode {
        fn deserialize<D: ::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::std::result::Result<Self, D::Error> {
            <::std::borrow::Cow<
                'de,
                str,
            > as ::serde::Deserialize>::deserialize(deserializer)
                .map(|value| Self::from(value.as_ref()))
        }
    }
    /**State of an entry. `queued` and `generating` follow the job; `ready` waits for approval, `scheduled` for its time; `publishing`,
`published`, `failed`, `cancelled`. `queued` is documented, the others are extensions.
*/
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum ScheduledPostStatus {
        ///`queued`
        Queued,
        ///`generating`
        Generating,
        ///`ready`
        Ready,
        ///`scheduled`
        Scheduled,
        ///`publishing`
        Publishing,
        ///`published`
        Published,
        ///`failed`
        Failed,
        ///`cancelled`
        Cancelled,
        /// A value that this version of the crate does not know, as it was received.
        Unknown(String),
    }
    impl ScheduledPostStatus {
        /// The value as it stands on the wire.
        pub fn as_str(&self) -> &str {
            match self {
                Self::Queued => "queued",
                Self::Generating => "generating",
                Self::Ready => "ready",
                Self::Scheduled => "scheduled",
                Self::Publishing => "publishing",
                Self::Published => "published",
                Self::Failed => "failed",
                Self::Cancelled => "cancelled",
                Self::Unknown(value) => value,
            }
        }
    }
    impl ::std::fmt::Display for ScheduledPostStatus {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter.write_str(self.as_str())
        }
    }
    impl ::std::convert::From<&str> for ScheduledPostStatus {
        fn from(value: &str) -> Self {
            match value {
                "queued" => Self::Queued,
                "generating" => Self::Generating,
                "ready" => Self::Ready,
                "scheduled" => Self::Scheduled,
                "publishing" => Self::Publishing,
                "published" => Self::Published,
                "failed" => Self::Failed,
                "cancelled" => Self::Cancelled,
                other => Self::Unknown(other.to_owned()),
            }
        }
    }
    impl ::std::convert::From<String> for ScheduledPostStatus {
        fn from(value: String) -> Self {
            Self::from(value.as_str())
        }
    }
    impl ::std::str::FromStr for ScheduledPostStatus {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self::from(value))
        }
    }
    impl ::serde::Serialize for ScheduledPostStatus {
        fn serialize<S: ::serde::Serializer>(
            &self,
            serializer: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            serializer.serialize_str(self.as_str())
        }
    }
    impl<'de> ::serde::Deserialize<'de> for ScheduledPostStatus {
        fn deserialize<D: ::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::std::result::Result<Self, D::Error> {
            <::std::borrow::Cow<
                'de,
                str,
            > as ::serde::Deserialize>::deserialize(deserializer)
                .map(|value| Self::from(value.as_ref()))
        }
    }
    ///State of a website. Only an `active` one can be written for; the word is documented, the others are extensions.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum WebsiteStatus {
        ///`active`
        Active,
        ///`paused`
        Paused,
        ///`archived`
        Archived,
        /// A value that this version of the crate does not know, as it was received.
        Unknown(String),
    }
    impl WebsiteStatus {
        /// The value as it stands on the wire.
        pub fn as_str(&self) -> &str {
            match self {
                Self::Active => "active",
                Self::Paused => "paused",
                Self::Archived => "archived",
                Self::Unknown(value) => value,
            }
        }
    }
    impl ::std::fmt::Display for WebsiteStatus {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter.write_str(self.as_str())
        }
    }
    impl ::std::convert::From<&str> for WebsiteStatus {
        fn from(value: &str) -> Self {
            match value {
                "active" => Self::Active,
                "paused" => Self::Paused,
                "archived" => Self::Archived,
                other => Self::Unknown(other.to_owned()),
            }
        }
    }
    impl ::std::convert::From<String> for WebsiteStatus {
        fn from(value: String) -> Self {
            Self::from(value.as_str())
        }
    }
    impl ::std::str::FromStr for WebsiteStatus {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            Ok(Self::from(value))
        }
    }
    impl ::serde::Serialize for WebsiteStatus {
        fn serialize<S: ::serde::Serializer>(
            &self,
            serializer: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            serializer.serialize_str(self.as_str())
        }
    }
    impl<'de> ::serde::Deserialize<'de> for WebsiteStatus {
        fn deserialize<D: ::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::std::result::Result<Self, D::Error> {
            <::std::borrow::Cow<
                'de,
                str,
            > as ::serde::Deserialize>::deserialize(deserializer)
                .map(|value| Self::from(value.as_ref()))
        }
    }
    ///A hook of one of the types known today. `type` tells which.
    #[derive(Clone, PartialEq)]
    #[non_exhaustive]
    pub enum HookEvent {
        ///`lead.captured`
        LeadCaptured(Box<LeadCapturedEvent>),
        ///`article.published`
        ArticlePublished(Box<ArticlePublishedEvent>),
        ///`job.failed`
        JobFailed(Box<JobFailedEvent>),
        ///`hook.test`
        HookTest(Box<HookTestEvent>),
        /// A kind that this version of the crate does not know, as it was received.
        Unknown(::serde_json::Value),
    }
    impl HookEvent {
        ///The `type` that tells the variants apart, as it stands on the wire; empty where there is none.
        pub fn tag(&self) -> &str {
            match self {
                Self::LeadCaptured(_) => "lead.captured",
                Self::ArticlePublished(_) => "article.published",
                Self::JobFailed(_) => "job.failed",
                Self::HookTest(_) => "hook.test",
                Self::Unknown(value) => {
                    value
                        .get("type")
                        .and_then(::serde_json::Value::as_str)
                        .unwrap_or_default()
                }
            }
        }
    }
    /// Of an unknown kind nothing but the kind, since it may have personal data in it.
    impl ::std::fmt::Debug for HookEvent {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match self {
                Self::LeadCaptured(value) => ::std::fmt::Debug::fmt(value, formatter),
                Self::ArticlePublished(value) => ::std::fmt::Debug::fmt(value, formatter),
                Self::JobFailed(value) => ::std::fmt::Debug::fmt(value, formatter),
                Self::HookTest(value) => ::std::fmt::Debug::fmt(value, formatter),
                Self::Unknown(_) => {
                    formatter.debug_tuple("Unknown").field(&self.tag()).finish()
                }
            }
        }
    }
    impl ::serde::Serialize for HookEvent {
        fn serialize<S: ::serde::Serializer>(
            &self,
            serializer: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            match self {
                Self::LeadCaptured(value) => value.serialize(serializer),
                Self::ArticlePublished(value) => value.serialize(serializer),
                Self::JobFailed(value) => value.serialize(serializer),
                Self::HookTest(value) => value.serialize(serializer),
                Self::Unknown(value) => value.serialize(serializer),
            }
        }
    }
    impl<'de> ::serde::Deserialize<'de> for HookEvent {
        fn deserialize<D: ::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::std::result::Result<Self, D::Error> {
            let value = <::serde_json::Value as ::serde::Deserialize>::deserialize(
                deserializer,
            )?;
            let read = match value.get("type").and_then(::serde_json::Value::as_str) {
                Some("lead.captured") => {
                    ::serde_json::from_value(value).map(Self::LeadCaptured)
                }
                Some("article.published") => {
                    ::serde_json::from_value(value).map(Self::ArticlePublished)
                }
                Some("job.failed") => {
                    ::serde_json::from_value(value).map(Self::JobFailed)
                }
                Some("hook.test") => ::serde_json::from_value(value).map(Self::HookTest),
                _ => Ok(Self::Unknown(value)),
            };
            read.map_err(<D::Error as ::serde::de::Error>::custom)
        }
    }
    impl GenerateRequest {
        /// Checks the bounds that the document states; the message names the member.
        pub(crate) fn check(&self) -> ::std::result::Result<(), String> {
            crate::bounds::texts("keywords", &self.keywords, 10u64, 1u64, 80u64)?;
            if let Some(value) = &self.metadata {
                crate::bounds::map("metadata", value, 16u64, 500u64)?;
            }
            if let Some(value) = &self.target_word_count {
                crate::bounds::integer(
                    "target_word_count",
                    u64::from(*value),
                    200u64,
                    5000u64,
                )?;
            }
            {
                let value = &self.topic;
                crate::bounds::text("topic", value, 1u64, 1000u64, true)?;
            }
            {
                let value = &self.website_id;
                crate::bounds::text("website_id", value, 1u64, 128u64, false)?;
            }
            Ok(())
        }
    }
    /// What this version of the crate does not know cannot be asked for; the error names it.
    impl ::std::convert::TryFrom<&ArticleStatus> for ArticleStatusFilter {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &ArticleStatus,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value
                .as_str()
                .parse()
                .map_err(|_| {
                    let value = crate::error_words::excerpt(value.as_str());
                    format!(
                        "{value:?} cannot be asked for, since this version of the crate does not know it"
                    )
                        .into()
                })
        }
    }
    /// What this version of the crate does not know cannot be asked for; the error names it.
    impl ::std::convert::TryFrom<ArticleStatus> for ArticleStatusFilter {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ArticleStatus,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            Self::try_from(&value)
        }
    }
    /// What this version of the crate does not know cannot be asked for; the error names it.
    impl ::std::convert::TryFrom<&ScheduledPostStatus> for ScheduledPostStatusFilter {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &ScheduledPostStatus,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value
                .as_str()
                .parse()
                .map_err(|_| {
                    let value = crate::error_words::excerpt(value.as_str());
                    format!(
                        "{value:?} cannot be asked for, since this version of the crate does not know it"
                    )
                        .into()
                })
        }
    }
    /// What this version of the crate does not know cannot be asked for; the error names it.
    impl ::std::convert::TryFrom<ScheduledPostStatus> for ScheduledPostStatusFilter {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ScheduledPostStatus,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            Self::try_from(&value)
        }
    }
    impl<
        K: Into<String>,
        V: Into<String>,
        const N: usize,
    > ::std::convert::From<[(K, V); N]> for Metadata {
        fn from(pairs: [(K, V); N]) -> Self {
            pairs.into_iter().collect()
        }
    }
    impl<
        K: Into<String>,
        V: Into<String>,
        S,
    > ::std::convert::From<::std::collections::HashMap<K, V, S>> for Metadata {
        fn from(pairs: ::std::collections::HashMap<K, V, S>) -> Self {
            pairs.into_iter().collect()
        }
    }
    impl<K: Into<String>, V: Into<String>> ::std::iter::FromIterator<(K, V)>
    for Metadata {
        fn from_iter<I: ::std::iter::IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
            Self(
                pairs
                    .into_iter()
                    .map(|(key, value)| (key.into(), value.into()))
                    .collect(),
            )
        }
    }
}
#[derive(Clone, Debug)]
#[doc = include_str!("client.md")]
pub struct Client {
    pub(crate) baseurl: String,
    pub(crate) client: reqwest::Client,
    pub(crate) inner: crate::settings::Settings,
}
impl Client {
    /// Construct a new client with an existing `reqwest::Client`,
    /// allowing more control over its configuration.
    ///
    /// `baseurl` is the base URL provided to the internal
    /// `reqwest::Client`, and should include a scheme and hostname,
    /// as well as port and a path stem if applicable.
    pub(crate) fn new_with_client(
        baseurl: &str,
        client: reqwest::Client,
        inner: crate::settings::Settings,
    ) -> Self {
        Self {
            baseurl: baseurl.to_string(),
            client,
            inner,
        }
    }
}
impl Client {
    /**List articles

Lists the account's articles, newest first by creation. Use `updated_since` to catch up after a hook was missed.


Sends a `GET` request to `/api/v1/articles`

Arguments:
- `limit`: Largest number of items on the page. Written without fraction and exponent.
- `page_token`: The `next_page` of the page before. Opaque; valid for at least 24 hours, for this list and account, and with the same filters.
Anything else is refused with 400 `invalid_page_token`.

- `status`: Only articles in this state.
- `updated_since`: Only articles changed at this time or later (RFC 3339 with a zone).
- `website_id`: Only what belongs to this website. An unknown or foreign id gives an empty page.

```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let mut items = client.list_articles().website_id("web_01KB0A4T6N8Q2R5V7X9ZC3E1GH").items();
while let Some(article_summary) = items.next().await {
    println!("{:?}", article_summary?);
}
# Ok(())
# }
```*/
    pub fn list_articles(&self) -> builder::ListArticles<'_> {
        builder::ListArticles::new(self)
    }
    /**Read an article

Answers with the article once its generation has completed. `id` may be the article's id or the id of the job that wrote it;
`id` in the body is always the article's, and `Content-Location` holds its canonical address. While the job is not
finished the answer is 404 `article_not_ready` with `Retry-After`; a job that ended otherwise answers
`generation_failed` or `generation_cancelled`.


Sends a `GET` request to `/api/v1/articles/{id}`

Arguments:
- `id`: The article's id, or the id of the job that wrote it.
- `if_none_match`: The `ETag` of the copy you hold. If it is still current the answer is 304 without a body.

```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let article = client.get_article().id("art_01KB0A5JH3K5M7P9Q1S3T5V7X9").send().await?;
println!("{article:?}");
# Ok(())
# }
```*/
    pub fn get_article(&self) -> builder::GetArticle<'_> {
        builder::GetArticle::new(self)
    }
    /**Queue an article

Queues a job that writes an article on `topic` for the website, and answers at once. An entry for the job stands in
`scheduled_posts` when the answer arrives. Poll the job at `Location`, or wait for the hook `article.published`.


Sends a `POST` request to `/api/v1/generate`

Arguments:
- `idempotency_key`: Names this logical call, so that it can be repeated without queueing twice. 1 to 255 visible ASCII characters, bare or as a quoted
string (`k` and `"k"` are one key), without parameters; one header line.

- `prefer`: `handling=strict` refuses unknown members of the body with 422 `validation_failed`. A malformed or unknown preference is ignored.

- `body`: What to write, and for which website.

```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let queued_job = client
    .generate()
    .topic("Keeping a rye starter alive through winter")
    .website_id("web_01KB0A4T6N8Q2R5V7X9ZC3E1GH")
    .send()
    .await?;
println!("{queued_job:?}");
# Ok(())
# }
```*/
    pub fn generate(&self) -> builder::Generate<'_> {
        builder::Generate::new(self)
    }
    /**Follow a job

Answers with the job as it stands. With `Prefer: wait=N` the server answers when the job has ended or N seconds have passed;
N above 60 counts as 60. With `If-None-Match` it answers 304 if nothing has changed by then.


Sends a `GET` request to `/api/v1/jobs/{job_id}`

Arguments:
- `job_id`: The job's id.
- `if_none_match`: The `ETag` of the copy you hold. If it is still current the answer is 304 without a body.
- `prefer`: `wait=N` waits up to N seconds for the job to end (1 to 60; more counts as 60). A malformed or unknown preference is ignored.

```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let job = client.get_job().job_id("job_01KB0A5B2M4P6R8T0V2X4Z6A8C").send().await?;
println!("{job:?}");
# Ok(())
# }
```*/
    pub fn get_job(&self) -> builder::GetJob<'_> {
        builder::GetJob::new(self)
    }
    /**Cancel a job

Stops a job that has not ended. Cancelling a cancelled job answers the same again; a job that completed or failed answers
409 `job_not_cancellable`. No article appears after `cancelled`. A request body is ignored.


Sends a `POST` request to `/api/v1/jobs/{job_id}/cancel`

Arguments:
- `job_id`: The job's id.

```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let job = client.cancel_job().job_id("job_01KB0A5B2M4P6R8T0V2X4Z6A8C").send().await?;
println!("{job:?}");
# Ok(())
# }
```*/
    pub fn cancel_job(&self) -> builder::CancelJob<'_> {
        builder::CancelJob::new(self)
    }
    /**List leads

Lists the captured leads, newest first by capture. The range is half-open: `captured_since` ≤ t < `captured_until`.


Sends a `GET` request to `/api/v1/leads`

Arguments:
- `article_id`: Only leads captured on this article. An unknown or foreign id gives an empty page.
- `captured_since`: Only leads captured at this time or later (RFC 3339 with a zone).
- `captured_until`: Only leads captured before this time (RFC 3339 with a zone). Before `captured_since` it gives an empty page.
- `limit`: Largest number of items on the page. Written without fraction and exponent.
- `page_token`: The `next_page` of the page before. Opaque; valid for at least 24 hours, for this list and account, and with the same filters.
Anything else is refused with 400 `invalid_page_token`.

- `website_id`: Only what belongs to this website. An unknown or foreign id gives an empty page.

```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let mut items = client
    .list_leads()
    .website_id("web_01KB0A4T6N8Q2R5V7X9ZC3E1GH")
    .article_id("art_01KB0A5JH3K5M7P9Q1S3T5V7X9")
    .items();
while let Some(lead) = items.next().await {
    println!("{:?}", lead?);
}
# Ok(())
# }
```*/
    pub fn list_leads(&self) -> builder::ListLeads<'_> {
        builder::ListLeads::new(self)
    }
    /**Read a lead

Answers with one lead, as it was captured.

Sends a `GET` request to `/api/v1/leads/{lead_id}`

Arguments:
- `lead_id`: The lead's id.

```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let lead = client.get_lead().lead_id("lead_01KB1C7W4E6R8T0Y2P4A6S8D0F").send().await?;
println!("{lead:?}");
# Ok(())
# }
```*/
    pub fn get_lead(&self) -> builder::GetLead<'_> {
        builder::GetLead::new(self)
    }
    /**List the pipeline

Lists the entries of the `scheduled_posts` pipeline, newest first by creation. An entry appears together with its job and
stays when it is published.


Sends a `GET` request to `/api/v1/scheduled_posts`

Arguments:
- `limit`: Largest number of items on the page. Written without fraction and exponent.
- `page_token`: The `next_page` of the page before. Opaque; valid for at least 24 hours, for this list and account, and with the same filters.
Anything else is refused with 400 `invalid_page_token`.

- `status`: Only entries in this state.
- `website_id`: Only what belongs to this website. An unknown or foreign id gives an empty page.

```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let mut items = client.list_scheduled_posts().website_id("web_01KB0A4T6N8Q2R5V7X9ZC3E1GH").items();
while let Some(scheduled_post) = items.next().await {
    println!("{:?}", scheduled_post?);
}
# Ok(())
# }
```*/
    pub fn list_scheduled_posts(&self) -> builder::ListScheduledPosts<'_> {
        builder::ListScheduledPosts::new(self)
    }
    /**List websites

Lists the websites that the key may see, newest first by creation. They are configured in the dashboard.

Sends a `GET` request to `/api/v1/websites`

Arguments:
- `limit`: Largest number of items on the page. Written without fraction and exponent.
- `page_token`: The `next_page` of the page before. Opaque; valid for at least 24 hours, for this list and account, and with the same filters.
Anything else is refused with 400 `invalid_page_token`.

```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let mut items = client.list_websites().items();
while let Some(website) = items.next().await {
    println!("{:?}", website?);
}
# Ok(())
# }
```*/
    pub fn list_websites(&self) -> builder::ListWebsites<'_> {
        builder::ListWebsites::new(self)
    }
}
/// Types for composing operation parameters.
#[allow(clippy::all)]
pub mod builder {
    use crate::segment::encode_segment;
    #[allow(unused_imports)]
    use super::types;
    #[allow(unused_imports)]
    use super::{
        encode_path, ByteStream, ClientInfo, ClientHooks, Error, OperationInfo,
        RequestBuilderExt, ResponseValue,
    };
    /**Builder for [`Client::list_articles`]

[`Client::list_articles`]: super::Client::list_articles*/
    #[derive(Debug, Clone)]
    #[must_use = "a request does nothing until it is sent"]
    pub struct ListArticles<'a> {
        client: &'a super::Client,
        limit: Result<Option<u32>, String>,
        page_token: Result<Option<::std::string::String>, String>,
        status: Result<Option<types::ArticleStatusFilter>, String>,
        updated_since: Result<Option<::chrono::DateTime<::chrono::offset::Utc>>, String>,
        website_id: Result<Option<::std::string::String>, String>,
    }
    impl<'a> ListArticles<'a> {
        pub(crate) fn new(client: &'a super::Client) -> Self {
            Self {
                client: client,
                limit: Ok(None),
                page_token: Ok(None),
                status: Ok(None),
                updated_since: Ok(None),
                website_id: Ok(None),
            }
        }
        ///Largest number of items on the page. Written without fraction and exponent.
        pub fn limit<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<u32>,
            V::Error: ::std::fmt::Display,
        {
            self.limit = value
                .try_into()
                .map(Some)
                .map_err(|e| format!("error converting supplied value for limit: {e}"));
            self
        }
        /**The `next_page` of the page before. Opaque; valid for at least 24 hours, for this list and account, and with the same filters.
Anything else is refused with 400 `invalid_page_token`.
*/
        pub fn page_token<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.page_token = value
                .try_into()
                .map(Some)
                .map_err(|e| {
                    format!("error converting supplied value for page_token: {e}")
                });
            self
        }
        ///Only articles in this state.
        pub fn status<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<types::ArticleStatusFilter>,
            V::Error: ::std::fmt::Display,
        {
            self.status = value
                .try_into()
                .map(Some)
                .map_err(|e| format!("error converting supplied value for status: {e}"));
            self
        }
        ///Only articles changed at this time or later (RFC 3339 with a zone).
        pub fn updated_since<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::chrono::DateTime<::chrono::offset::Utc>>,
            V::Error: ::std::fmt::Display,
        {
            self.updated_since = value
                .try_into()
                .map(Some)
                .map_err(|e| {
                    format!("error converting supplied value for updated_since: {e}")
                });
            self
        }
        ///Only what belongs to this website. An unknown or foreign id gives an empty page.
        pub fn website_id<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.website_id = value
                .try_into()
                .map(Some)
                .map_err(|e| {
                    format!("error converting supplied value for website_id: {e}")
                });
            self
        }
        ///Sends a `GET` request to `/api/v1/articles`
        /**

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, an answer that cannot be read.*/
        pub async fn send(
            self,
        ) -> ::std::result::Result<crate::Response<types::ArticlePage>, crate::Error> {
            let Self { client, limit, page_token, status, updated_since, website_id } = self;
            let limit = limit
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("list_articles")
                })?;
            let page_token = page_token
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("list_articles")
                })?;
            let status = status
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("list_articles")
                })?;
            let updated_since = updated_since
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("list_articles")
                })?;
            let website_id = website_id
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("list_articles")
                })?;
            let build = || -> ::std::result::Result<::reqwest::Request, Error<()>> {
                let url = format!("{}/api/v1/articles", client.baseurl,);
                #[allow(unused_mut)]
                let mut header_map = ::reqwest::header::HeaderMap::new();
                #[allow(unused_mut)]
                let mut request = client
                    .client
                    .get(url)
                    .query(&progenitor_client::QueryParam::new("limit", &limit))
                    .query(
                        &progenitor_client::QueryParam::new("page_token", &page_token),
                    )
                    .query(&progenitor_client::QueryParam::new("status", &status))
                    .query(
                        &progenitor_client::QueryParam::new(
                            "updated_since",
                            &updated_since,
                        ),
                    )
                    .query(
                        &progenitor_client::QueryParam::new("website_id", &website_id),
                    )
                    .headers(header_map)
                    .build()?;
                Ok(request)
            };
            let response = crate::call::send(client, "list_articles", &build).await?;
            match response.status().as_u16() {
                200u16 => crate::Response::decode(response),
                _ => Err(response.unexpected()),
            }
        }
    }
    /**Builder for [`Client::get_article`]

[`Client::get_article`]: super::Client::get_article*/
    #[derive(Debug, Clone)]
    #[must_use = "a request does nothing until it is sent"]
    pub struct GetArticle<'a> {
        client: &'a super::Client,
        id: Result<::std::string::String, String>,
        if_none_match: Result<Option<::std::string::String>, String>,
    }
    impl<'a> GetArticle<'a> {
        pub(crate) fn new(client: &'a super::Client) -> Self {
            Self {
                client: client,
                id: Err("id was not initialized".to_string()),
                if_none_match: Ok(None),
            }
        }
        ///The article's id, or the id of the job that wrote it.
        pub fn id<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.id = value
                .try_into()
                .map_err(|e| format!("error converting supplied value for id: {e}"));
            self
        }
        ///The `ETag` of the copy you hold. If it is still current the answer is 304 without a body.
        pub fn if_none_match<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.if_none_match = value
                .try_into()
                .map(Some)
                .map_err(|e| {
                    format!("error converting supplied value for if_none_match: {e}")
                });
            self
        }
        ///Sends a `GET` request to `/api/v1/articles/{id}`
        /**

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, an answer that cannot be read.*/
        pub async fn send(
            self,
        ) -> ::std::result::Result<crate::Response<types::Article>, crate::Error> {
            let Self { client, id, if_none_match } = self;
            let id = id
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("get_article")
                })?;
            let if_none_match = if_none_match
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("get_article")
                })?;
            let build = || -> ::std::result::Result<::reqwest::Request, Error<()>> {
                let url = format!(
                    "{}/api/v1/articles/{}", client.baseurl, encode_segment(& id) ?,
                );
                #[allow(unused_mut)]
                let mut header_map = ::reqwest::header::HeaderMap::new();
                if let Some(value) = &if_none_match {
                    header_map.append("If-None-Match", value.to_string().try_into()?);
                }
                #[allow(unused_mut)]
                let mut request = client.client.get(url).headers(header_map).build()?;
                Ok(request)
            };
            let response = crate::call::send(client, "get_article", &build).await?;
            match response.status().as_u16() {
                200u16 => crate::Response::decode(response),
                _ => Err(response.unexpected()),
            }
        }
    }
    /**Builder for [`Client::generate`]

[`Client::generate`]: super::Client::generate*/
    #[derive(Debug, Clone)]
    #[must_use = "a request does nothing until it is sent"]
    pub struct Generate<'a> {
        client: &'a super::Client,
        idempotency_key: Result<Option<::std::string::String>, String>,
        prefer: Result<Option<::std::string::String>, String>,
        body: Result<types::builder::GenerateRequest, String>,
    }
    impl<'a> Generate<'a> {
        pub(crate) fn new(client: &'a super::Client) -> Self {
            Self {
                client: client,
                idempotency_key: Ok(None),
                prefer: Ok(None),
                body: Ok(::std::default::Default::default()),
            }
        }
        /**Names this logical call, so that it can be repeated without queueing twice. 1 to 255 visible ASCII characters, bare or as a quoted
string (`k` and `"k"` are one key), without parameters; one header line.
*/
        pub fn idempotency_key<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.idempotency_key = value
                .try_into()
                .map(Some)
                .map_err(|e| {
                    format!("error converting supplied value for idempotency_key: {e}")
                });
            self
        }
        /**`handling=strict` refuses unknown members of the body with 422 `validation_failed`. A malformed or unknown preference is ignored.
*/
        pub fn prefer<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.prefer = value
                .try_into()
                .map(Some)
                .map_err(|e| format!("error converting supplied value for prefer: {e}"));
            self
        }
        pub fn body<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<types::GenerateRequest>,
            <V as std::convert::TryInto<
                types::GenerateRequest,
            >>::Error: std::fmt::Display,
        {
            self.body = value
                .try_into()
                .map(From::from)
                .map_err(|s| {
                    format!("conversion to `GenerateRequest` for body failed: {}", s)
                });
            self
        }
        pub fn body_map<F>(mut self, f: F) -> Self
        where
            F: std::ops::FnOnce(
                types::builder::GenerateRequest,
            ) -> types::builder::GenerateRequest,
        {
            self.body = self.body.map(f);
            self
        }
        ///Sends a `POST` request to `/api/v1/generate`
        /**

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, an answer that cannot be read.*/
        pub async fn send(
            self,
        ) -> ::std::result::Result<crate::Response<types::QueuedJob>, crate::Error> {
            let Self { client, idempotency_key, prefer, body } = self;
            let idempotency_key = idempotency_key
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("generate")
                })?;
            let prefer = prefer
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("generate")
                })?;
            let body = body
                .and_then(|v| {
                    types::GenerateRequest::try_from(v).map_err(|e| e.to_string())
                })
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("generate")
                })?;
            let build = || -> ::std::result::Result<::reqwest::Request, Error<()>> {
                let url = format!("{}/api/v1/generate", client.baseurl,);
                #[allow(unused_mut)]
                let mut header_map = ::reqwest::header::HeaderMap::new();
                if let Some(value) = &idempotency_key {
                    header_map.append("Idempotency-Key", value.to_string().try_into()?);
                }
                if let Some(value) = &prefer {
                    header_map.append("Prefer", value.to_string().try_into()?);
                }
                #[allow(unused_mut)]
                let mut request = client
                    .client
                    .post(url)
                    .json(&body)
                    .headers(header_map)
                    .build()?;
                Ok(request)
            };
            let response = crate::call::send(client, "generate", &build).await?;
            match response.status().as_u16() {
                200..=299 => crate::Response::decode(response),
                _ => Err(response.unexpected()),
            }
        }
        ///Publish without waiting for approval. Default is the website's setting.
        pub fn auto_publish<T>(self, value: T) -> Self
        where
            T: ::std::convert::TryInto<bool>,
            T::Error: ::std::fmt::Display,
        {
            self.body_map(|body| body.auto_publish(value))
        }
        ///Words that the article should use, each 1 to 80 code points. They are not trimmed.
        pub fn keywords<T>(self, value: T) -> Self
        where
            T: ::std::iter::IntoIterator,
            T::Item: ::std::convert::Into<::std::string::String>,
        {
            self.body_map(|body| body.keywords(value))
        }
        ///Language of the article, a tag well-formed by RFC 5646. Default is the website's language.
        pub fn language<T>(self, value: T) -> Self
        where
            T: ::std::convert::TryInto<::std::string::String>,
            T::Error: ::std::fmt::Display,
        {
            self.body_map(|body| body.language(value))
        }
        ///Your own labels; echoed in the job, the article and hooks.
        pub fn metadata<T>(self, value: T) -> Self
        where
            T: ::std::convert::TryInto<types::Metadata>,
            T::Error: ::std::fmt::Display,
        {
            self.body_map(|body| body.metadata(value))
        }
        /**When to publish: RFC 3339 with a zone, at most the same date next year. A moment in the past means as soon as it is ready.
With `auto_publish` false it is kept and does nothing.
*/
        pub fn publish_at<T>(self, value: T) -> Self
        where
            T: ::std::convert::TryInto<::chrono::DateTime<::chrono::offset::Utc>>,
            T::Error: ::std::fmt::Display,
        {
            self.body_map(|body| body.publish_at(value))
        }
        ///How many words the article should have. Written without fraction and exponent.
        pub fn target_word_count<T>(self, value: T) -> Self
        where
            T: ::std::convert::TryInto<u32>,
            T::Error: ::std::fmt::Display,
        {
            self.body_map(|body| body.target_word_count(value))
        }
        /**What the article is about, in free text: 1 to 1000 code points after trimming Unicode White_Space, without control characters
except tab and newline. It is kept as sent; trimming serves counting only.
*/
        pub fn topic<T>(self, value: T) -> Self
        where
            T: ::std::convert::TryInto<::std::string::String>,
            T::Error: ::std::fmt::Display,
        {
            self.body_map(|body| body.topic(value))
        }
        ///The website to write for. It must be active and belong to the key's account.
        pub fn website_id<T>(self, value: T) -> Self
        where
            T: ::std::convert::TryInto<::std::string::String>,
            T::Error: ::std::fmt::Display,
        {
            self.body_map(|body| body.website_id(value))
        }
    }
    /**Builder for [`Client::get_job`]

[`Client::get_job`]: super::Client::get_job*/
    #[derive(Debug, Clone)]
    #[must_use = "a request does nothing until it is sent"]
    pub struct GetJob<'a> {
        client: &'a super::Client,
        job_id: Result<::std::string::String, String>,
        if_none_match: Result<Option<::std::string::String>, String>,
        prefer: Result<Option<::std::string::String>, String>,
    }
    impl<'a> GetJob<'a> {
        pub(crate) fn new(client: &'a super::Client) -> Self {
            Self {
                client: client,
                job_id: Err("job_id was not initialized".to_string()),
                if_none_match: Ok(None),
                prefer: Ok(None),
            }
        }
        ///The job's id.
        pub fn job_id<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.job_id = value
                .try_into()
                .map_err(|e| format!("error converting supplied value for job_id: {e}"));
            self
        }
        ///The `ETag` of the copy you hold. If it is still current the answer is 304 without a body.
        pub fn if_none_match<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.if_none_match = value
                .try_into()
                .map(Some)
                .map_err(|e| {
                    format!("error converting supplied value for if_none_match: {e}")
                });
            self
        }
        /**`wait=N` waits up to N seconds for the job to end (1 to 60; more counts as 60). A malformed or unknown preference is ignored.
*/
        pub fn prefer<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.prefer = value
                .try_into()
                .map(Some)
                .map_err(|e| format!("error converting supplied value for prefer: {e}"));
            self
        }
        ///Sends a `GET` request to `/api/v1/jobs/{job_id}`
        /**

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, an answer that cannot be read.*/
        pub async fn send(
            self,
        ) -> ::std::result::Result<crate::Response<types::Job>, crate::Error> {
            let Self { client, job_id, if_none_match, prefer } = self;
            let job_id = job_id
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("get_job")
                })?;
            let if_none_match = if_none_match
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("get_job")
                })?;
            let prefer = prefer
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("get_job")
                })?;
            let build = || -> ::std::result::Result<::reqwest::Request, Error<()>> {
                let url = format!(
                    "{}/api/v1/jobs/{}", client.baseurl, encode_segment(& job_id) ?,
                );
                #[allow(unused_mut)]
                let mut header_map = ::reqwest::header::HeaderMap::new();
                if let Some(value) = &if_none_match {
                    header_map.append("If-None-Match", value.to_string().try_into()?);
                }
                if let Some(value) = &prefer {
                    header_map.append("Prefer", value.to_string().try_into()?);
                }
                #[allow(unused_mut)]
                let mut request = client.client.get(url).headers(header_map).build()?;
                Ok(request)
            };
            let response = crate::call::send(client, "get_job", &build).await?;
            match response.status().as_u16() {
                200u16 => crate::Response::decode(response),
                _ => Err(response.unexpected()),
            }
        }
    }
    /**Builder for [`Client::cancel_job`]

[`Client::cancel_job`]: super::Client::cancel_job*/
    #[derive(Debug, Clone)]
    #[must_use = "a request does nothing until it is sent"]
    pub struct CancelJob<'a> {
        client: &'a super::Client,
        job_id: Result<::std::string::String, String>,
    }
    impl<'a> CancelJob<'a> {
        pub(crate) fn new(client: &'a super::Client) -> Self {
            Self {
                client: client,
                job_id: Err("job_id was not initialized".to_string()),
            }
        }
        ///The job's id.
        pub fn job_id<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.job_id = value
                .try_into()
                .map_err(|e| format!("error converting supplied value for job_id: {e}"));
            self
        }
        ///Sends a `POST` request to `/api/v1/jobs/{job_id}/cancel`
        /**

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, an answer that cannot be read.*/
        pub async fn send(
            self,
        ) -> ::std::result::Result<crate::Response<types::Job>, crate::Error> {
            let Self { client, job_id } = self;
            let job_id = job_id
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("cancel_job")
                })?;
            let build = || -> ::std::result::Result<::reqwest::Request, Error<()>> {
                let url = format!(
                    "{}/api/v1/jobs/{}/cancel", client.baseurl, encode_segment(& job_id)
                    ?,
                );
                #[allow(unused_mut)]
                let mut header_map = ::reqwest::header::HeaderMap::new();
                #[allow(unused_mut)]
                let mut request = client.client.post(url).headers(header_map).build()?;
                Ok(request)
            };
            let response = crate::call::send(client, "cancel_job", &build).await?;
            match response.status().as_u16() {
                200u16 => crate::Response::decode(response),
                _ => Err(response.unexpected()),
            }
        }
    }
    /**Builder for [`Client::list_leads`]

[`Client::list_leads`]: super::Client::list_leads*/
    #[derive(Debug, Clone)]
    #[must_use = "a request does nothing until it is sent"]
    pub struct ListLeads<'a> {
        client: &'a super::Client,
        article_id: Result<Option<::std::string::String>, String>,
        captured_since: Result<
            Option<::chrono::DateTime<::chrono::offset::Utc>>,
            String,
        >,
        captured_until: Result<
            Option<::chrono::DateTime<::chrono::offset::Utc>>,
            String,
        >,
        limit: Result<Option<u32>, String>,
        page_token: Result<Option<::std::string::String>, String>,
        website_id: Result<Option<::std::string::String>, String>,
    }
    impl<'a> ListLeads<'a> {
        pub(crate) fn new(client: &'a super::Client) -> Self {
            Self {
                client: client,
                article_id: Ok(None),
                captured_since: Ok(None),
                captured_until: Ok(None),
                limit: Ok(None),
                page_token: Ok(None),
                website_id: Ok(None),
            }
        }
        ///Only leads captured on this article. An unknown or foreign id gives an empty page.
        pub fn article_id<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.article_id = value
                .try_into()
                .map(Some)
                .map_err(|e| {
                    format!("error converting supplied value for article_id: {e}")
                });
            self
        }
        ///Only leads captured at this time or later (RFC 3339 with a zone).
        pub fn captured_since<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::chrono::DateTime<::chrono::offset::Utc>>,
            V::Error: ::std::fmt::Display,
        {
            self.captured_since = value
                .try_into()
                .map(Some)
                .map_err(|e| {
                    format!("error converting supplied value for captured_since: {e}")
                });
            self
        }
        ///Only leads captured before this time (RFC 3339 with a zone). Before `captured_since` it gives an empty page.
        pub fn captured_until<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::chrono::DateTime<::chrono::offset::Utc>>,
            V::Error: ::std::fmt::Display,
        {
            self.captured_until = value
                .try_into()
                .map(Some)
                .map_err(|e| {
                    format!("error converting supplied value for captured_until: {e}")
                });
            self
        }
        ///Largest number of items on the page. Written without fraction and exponent.
        pub fn limit<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<u32>,
            V::Error: ::std::fmt::Display,
        {
            self.limit = value
                .try_into()
                .map(Some)
                .map_err(|e| format!("error converting supplied value for limit: {e}"));
            self
        }
        /**The `next_page` of the page before. Opaque; valid for at least 24 hours, for this list and account, and with the same filters.
Anything else is refused with 400 `invalid_page_token`.
*/
        pub fn page_token<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.page_token = value
                .try_into()
                .map(Some)
                .map_err(|e| {
                    format!("error converting supplied value for page_token: {e}")
                });
            self
        }
        ///Only what belongs to this website. An unknown or foreign id gives an empty page.
        pub fn website_id<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.website_id = value
                .try_into()
                .map(Some)
                .map_err(|e| {
                    format!("error converting supplied value for website_id: {e}")
                });
            self
        }
        ///Sends a `GET` request to `/api/v1/leads`
        /**

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, an answer that cannot be read.*/
        pub async fn send(
            self,
        ) -> ::std::result::Result<crate::Response<types::LeadPage>, crate::Error> {
            let Self {
                client,
                article_id,
                captured_since,
                captured_until,
                limit,
                page_token,
                website_id,
            } = self;
            let article_id = article_id
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("list_leads")
                })?;
            let captured_since = captured_since
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("list_leads")
                })?;
            let captured_until = captured_until
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("list_leads")
                })?;
            let limit = limit
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("list_leads")
                })?;
            let page_token = page_token
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("list_leads")
                })?;
            let website_id = website_id
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("list_leads")
                })?;
            let build = || -> ::std::result::Result<::reqwest::Request, Error<()>> {
                let url = format!("{}/api/v1/leads", client.baseurl,);
                #[allow(unused_mut)]
                let mut header_map = ::reqwest::header::HeaderMap::new();
                #[allow(unused_mut)]
                let mut request = client
                    .client
                    .get(url)
                    .query(
                        &progenitor_client::QueryParam::new("article_id", &article_id),
                    )
                    .query(
                        &progenitor_client::QueryParam::new(
                            "captured_since",
                            &captured_since,
                        ),
                    )
                    .query(
                        &progenitor_client::QueryParam::new(
                            "captured_until",
                            &captured_until,
                        ),
                    )
                    .query(&progenitor_client::QueryParam::new("limit", &limit))
                    .query(
                        &progenitor_client::QueryParam::new("page_token", &page_token),
                    )
                    .query(
                        &progenitor_client::QueryParam::new("website_id", &website_id),
                    )
                    .headers(header_map)
                    .build()?;
                Ok(request)
            };
            let response = crate::call::send(client, "list_leads", &build).await?;
            match response.status().as_u16() {
                200u16 => crate::Response::decode(response),
                _ => Err(response.unexpected()),
            }
        }
    }
    /**Builder for [`Client::get_lead`]

[`Client::get_lead`]: super::Client::get_lead*/
    #[derive(Debug, Clone)]
    #[must_use = "a request does nothing until it is sent"]
    pub struct GetLead<'a> {
        client: &'a super::Client,
        lead_id: Result<::std::string::String, String>,
    }
    impl<'a> GetLead<'a> {
        pub(crate) fn new(client: &'a super::Client) -> Self {
            Self {
                client: client,
                lead_id: Err("lead_id was not initialized".to_string()),
            }
        }
        ///The lead's id.
        pub fn lead_id<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.lead_id = value
                .try_into()
                .map_err(|e| {
                    format!("error converting supplied value for lead_id: {e}")
                });
            self
        }
        ///Sends a `GET` request to `/api/v1/leads/{lead_id}`
        /**

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, an answer that cannot be read.*/
        pub async fn send(
            self,
        ) -> ::std::result::Result<crate::Response<types::Lead>, crate::Error> {
            let Self { client, lead_id } = self;
            let lead_id = lead_id
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("get_lead")
                })?;
            let build = || -> ::std::result::Result<::reqwest::Request, Error<()>> {
                let url = format!(
                    "{}/api/v1/leads/{}", client.baseurl, encode_segment(& lead_id) ?,
                );
                #[allow(unused_mut)]
                let mut header_map = ::reqwest::header::HeaderMap::new();
                #[allow(unused_mut)]
                let mut request = client.client.get(url).headers(header_map).build()?;
                Ok(request)
            };
            let response = crate::call::send(client, "get_lead", &build).await?;
            match response.status().as_u16() {
                200u16 => crate::Response::decode(response),
                _ => Err(response.unexpected()),
            }
        }
    }
    /**Builder for [`Client::list_scheduled_posts`]

[`Client::list_scheduled_posts`]: super::Client::list_scheduled_posts*/
    #[derive(Debug, Clone)]
    #[must_use = "a request does nothing until it is sent"]
    pub struct ListScheduledPosts<'a> {
        client: &'a super::Client,
        limit: Result<Option<u32>, String>,
        page_token: Result<Option<::std::string::String>, String>,
        status: Result<Option<types::ScheduledPostStatusFilter>, String>,
        website_id: Result<Option<::std::string::String>, String>,
    }
    impl<'a> ListScheduledPosts<'a> {
        pub(crate) fn new(client: &'a super::Client) -> Self {
            Self {
                client: client,
                limit: Ok(None),
                page_token: Ok(None),
                status: Ok(None),
                website_id: Ok(None),
            }
        }
        ///Largest number of items on the page. Written without fraction and exponent.
        pub fn limit<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<u32>,
            V::Error: ::std::fmt::Display,
        {
            self.limit = value
                .try_into()
                .map(Some)
                .map_err(|e| format!("error converting supplied value for limit: {e}"));
            self
        }
        /**The `next_page` of the page before. Opaque; valid for at least 24 hours, for this list and account, and with the same filters.
Anything else is refused with 400 `invalid_page_token`.
*/
        pub fn page_token<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.page_token = value
                .try_into()
                .map(Some)
                .map_err(|e| {
                    format!("error converting supplied value for page_token: {e}")
                });
            self
        }
        ///Only entries in this state.
        pub fn status<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<types::ScheduledPostStatusFilter>,
            V::Error: ::std::fmt::Display,
        {
            self.status = value
                .try_into()
                .map(Some)
                .map_err(|e| format!("error converting supplied value for status: {e}"));
            self
        }
        ///Only what belongs to this website. An unknown or foreign id gives an empty page.
        pub fn website_id<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.website_id = value
                .try_into()
                .map(Some)
                .map_err(|e| {
                    format!("error converting supplied value for website_id: {e}")
                });
            self
        }
        ///Sends a `GET` request to `/api/v1/scheduled_posts`
        /**

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, an answer that cannot be read.*/
        pub async fn send(
            self,
        ) -> ::std::result::Result<
            crate::Response<types::ScheduledPostPage>,
            crate::Error,
        > {
            let Self { client, limit, page_token, status, website_id } = self;
            let limit = limit
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("list_scheduled_posts")
                })?;
            let page_token = page_token
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("list_scheduled_posts")
                })?;
            let status = status
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("list_scheduled_posts")
                })?;
            let website_id = website_id
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("list_scheduled_posts")
                })?;
            let build = || -> ::std::result::Result<::reqwest::Request, Error<()>> {
                let url = format!("{}/api/v1/scheduled_posts", client.baseurl,);
                #[allow(unused_mut)]
                let mut header_map = ::reqwest::header::HeaderMap::new();
                #[allow(unused_mut)]
                let mut request = client
                    .client
                    .get(url)
                    .query(&progenitor_client::QueryParam::new("limit", &limit))
                    .query(
                        &progenitor_client::QueryParam::new("page_token", &page_token),
                    )
                    .query(&progenitor_client::QueryParam::new("status", &status))
                    .query(
                        &progenitor_client::QueryParam::new("website_id", &website_id),
                    )
                    .headers(header_map)
                    .build()?;
                Ok(request)
            };
            let response = crate::call::send(client, "list_scheduled_posts", &build)
                .await?;
            match response.status().as_u16() {
                200u16 => crate::Response::decode(response),
                _ => Err(response.unexpected()),
            }
        }
    }
    /**Builder for [`Client::list_websites`]

[`Client::list_websites`]: super::Client::list_websites*/
    #[derive(Debug, Clone)]
    #[must_use = "a request does nothing until it is sent"]
    pub struct ListWebsites<'a> {
        client: &'a super::Client,
        limit: Result<Option<u32>, String>,
        page_token: Result<Option<::std::string::String>, String>,
    }
    impl<'a> ListWebsites<'a> {
        pub(crate) fn new(client: &'a super::Client) -> Self {
            Self {
                client: client,
                limit: Ok(None),
                page_token: Ok(None),
            }
        }
        ///Largest number of items on the page. Written without fraction and exponent.
        pub fn limit<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<u32>,
            V::Error: ::std::fmt::Display,
        {
            self.limit = value
                .try_into()
                .map(Some)
                .map_err(|e| format!("error converting supplied value for limit: {e}"));
            self
        }
        /**The `next_page` of the page before. Opaque; valid for at least 24 hours, for this list and account, and with the same filters.
Anything else is refused with 400 `invalid_page_token`.
*/
        pub fn page_token<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.page_token = value
                .try_into()
                .map(Some)
                .map_err(|e| {
                    format!("error converting supplied value for page_token: {e}")
                });
            self
        }
        ///Sends a `GET` request to `/api/v1/websites`
        /**

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, an answer that cannot be read.*/
        pub async fn send(
            self,
        ) -> ::std::result::Result<crate::Response<types::WebsitePage>, crate::Error> {
            let Self { client, limit, page_token } = self;
            let limit = limit
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("list_websites")
                })?;
            let page_token = page_token
                .map_err(|reason| {
                    crate::Error::not_sent(reason).before_sending("list_websites")
                })?;
            let build = || -> ::std::result::Result<::reqwest::Request, Error<()>> {
                let url = format!("{}/api/v1/websites", client.baseurl,);
                #[allow(unused_mut)]
                let mut header_map = ::reqwest::header::HeaderMap::new();
                #[allow(unused_mut)]
                let mut request = client
                    .client
                    .get(url)
                    .query(&progenitor_client::QueryParam::new("limit", &limit))
                    .query(
                        &progenitor_client::QueryParam::new("page_token", &page_token),
                    )
                    .headers(header_map)
                    .build()?;
                Ok(request)
            };
            let response = crate::call::send(client, "list_websites", &build).await?;
            match response.status().as_u16() {
                200u16 => crate::Response::decode(response),
                _ => Err(response.unexpected()),
            }
        }
    }
    impl<'a> ListArticles<'a> {
        /// All pages from here on, fetched one after the other as they are asked for.
        pub fn pages(self) -> crate::pagination::Pages<'a, Self> {
            crate::pagination::Pages::new(self)
        }
        /// All items from here on, over all pages.
        pub fn items(self) -> crate::pagination::Items<'a, Self> {
            crate::pagination::Items::new(self)
        }
    }
    impl crate::sealed::Sealed for ListArticles<'_> {}
    impl<'a> crate::pagination::Paged<'a> for ListArticles<'a> {
        type Page = types::ArticlePage;
        type Item = types::ArticleSummary;
        fn fetch(
            &self,
            page_token: Option<String>,
        ) -> crate::pagination::Fetch<'a, Self::Page> {
            let mut request = self.clone();
            if let Some(page_token) = page_token {
                request = request.page_token(page_token);
            }
            Box::pin(request.send())
        }
        fn next_page(page: &Self::Page) -> Option<&str> {
            page.next_page.as_deref()
        }
        fn into_items(page: Self::Page) -> Vec<Self::Item> {
            page.items
        }
    }
    impl<'a> ListLeads<'a> {
        /// All pages from here on, fetched one after the other as they are asked for.
        pub fn pages(self) -> crate::pagination::Pages<'a, Self> {
            crate::pagination::Pages::new(self)
        }
        /// All items from here on, over all pages.
        pub fn items(self) -> crate::pagination::Items<'a, Self> {
            crate::pagination::Items::new(self)
        }
    }
    impl crate::sealed::Sealed for ListLeads<'_> {}
    impl<'a> crate::pagination::Paged<'a> for ListLeads<'a> {
        type Page = types::LeadPage;
        type Item = types::Lead;
        fn fetch(
            &self,
            page_token: Option<String>,
        ) -> crate::pagination::Fetch<'a, Self::Page> {
            let mut request = self.clone();
            if let Some(page_token) = page_token {
                request = request.page_token(page_token);
            }
            Box::pin(request.send())
        }
        fn next_page(page: &Self::Page) -> Option<&str> {
            page.next_page.as_deref()
        }
        fn into_items(page: Self::Page) -> Vec<Self::Item> {
            page.items
        }
    }
    impl<'a> ListScheduledPosts<'a> {
        /// All pages from here on, fetched one after the other as they are asked for.
        pub fn pages(self) -> crate::pagination::Pages<'a, Self> {
            crate::pagination::Pages::new(self)
        }
        /// All items from here on, over all pages.
        pub fn items(self) -> crate::pagination::Items<'a, Self> {
            crate::pagination::Items::new(self)
        }
    }
    impl crate::sealed::Sealed for ListScheduledPosts<'_> {}
    impl<'a> crate::pagination::Paged<'a> for ListScheduledPosts<'a> {
        type Page = types::ScheduledPostPage;
        type Item = types::ScheduledPost;
        fn fetch(
            &self,
            page_token: Option<String>,
        ) -> crate::pagination::Fetch<'a, Self::Page> {
            let mut request = self.clone();
            if let Some(page_token) = page_token {
                request = request.page_token(page_token);
            }
            Box::pin(request.send())
        }
        fn next_page(page: &Self::Page) -> Option<&str> {
            page.next_page.as_deref()
        }
        fn into_items(page: Self::Page) -> Vec<Self::Item> {
            page.items
        }
    }
    impl<'a> ListWebsites<'a> {
        /// All pages from here on, fetched one after the other as they are asked for.
        pub fn pages(self) -> crate::pagination::Pages<'a, Self> {
            crate::pagination::Pages::new(self)
        }
        /// All items from here on, over all pages.
        pub fn items(self) -> crate::pagination::Items<'a, Self> {
            crate::pagination::Items::new(self)
        }
    }
    impl crate::sealed::Sealed for ListWebsites<'_> {}
    impl<'a> crate::pagination::Paged<'a> for ListWebsites<'a> {
        type Page = types::WebsitePage;
        type Item = types::Website;
        fn fetch(
            &self,
            page_token: Option<String>,
        ) -> crate::pagination::Fetch<'a, Self::Page> {
            let mut request = self.clone();
            if let Some(page_token) = page_token {
                request = request.page_token(page_token);
            }
            Box::pin(request.send())
        }
        fn next_page(page: &Self::Page) -> Option<&str> {
            page.next_page.as_deref()
        }
        fn into_items(page: Self::Page) -> Vec<Self::Item> {
            page.items
        }
    }
}
/// The operations by whose idempotency key a server recognises a repeated request.
pub(crate) const ACCEPT_IDEMPOTENCY_KEY: &[&str] = &["generate"];
