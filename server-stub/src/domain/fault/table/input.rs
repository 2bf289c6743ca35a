//! Slips in media types, sizes and their order.

broken! { "input":
    SIZE_BEFORE_MEDIA_TYPE: "size-before-media-type", "The size is checked before the media type.", ["generate.order.media-type-before-size"];
    PARSED_AS_IT_COMES: "parsed-as-it-comes", "The JSON is parsed while it is read, before its size is known.", ["generate.order.size-before-json"];
    LENGTH_REQUIRED: "length-required", "A body without Content-Length is refused.", ["http.raw.chunked"];
    ANY_MEDIA_TYPE: "any-media-type", "The media type is not looked at.", ["generate.media-type.required"];
    MEDIA_TYPE_PREFIX: "media-type-prefix", "Whatever begins with application/json is accepted.", ["generate.media-type.required"];
    NO_MEDIA_TYPE: "no-media-type", "A body without a media type is taken for JSON.", ["generate.media-type.required"];
    CHARSET_REFUSED: "charset-refused", "A charset parameter is refused.", ["generate.media-type.charset"];
    MEDIA_TYPE_WITH_CASE: "media-type-with-case", "The media type is compared with regard to case.", ["generate.media-type.charset"];
    NO_SIZE_LIMIT: "no-size-limit", "Bodies up to 1 MiB are read.", ["generate.size.too-large"];
    SIZE_OFF_BY_ONE: "size-off-by-one", "A body of exactly 64 KiB is too large.", ["generate.size.at-the-limit"];
    SIZE_DECIMAL: "size-decimal", "The limit is 64,000 bytes.", ["generate.size.at-the-limit"];
    SIZE_IS_400: "size-is-400", "A body that is too large is answered 400.", ["generate.size.too-large"];
    JSON_BEFORE_MEDIA_TYPE: "json-before-media-type", "The JSON is checked before the media type.", ["generate.order.media-type-before-json"];
}
