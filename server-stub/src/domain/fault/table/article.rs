//! Slips in what an article says of itself.

broken! { "article":
    HEADINGS_WITHOUT_IDS: "headings-without-ids", "The sanitiser takes the ids of the headings away.", ["articles.html.outline"];
    MARKDOWN_DEEPER: "markdown-deeper", "Headings of the Markdown are a level deeper than those of the HTML.", ["articles.markdown.outline"];
    FAQ_PAGE_FIRST: "faq-page-first", "The FAQPage stands before the BlogPosting.", ["articles.json-ld.first-node"];
    HEADLINE_TOPIC: "headline-topic", "The headline of the structured data is the topic.", ["articles.json-ld.same-story"];
    FAQ_PAGE_SHORT: "faq-page-short", "The FAQPage lacks the last question.", ["articles.json-ld.same-story"];
    LINKS_TO_COME: "links-to-come", "internal_links name articles that are planned too.", ["articles.links.published"];
    LINKS_UNNAMED: "links-unnamed", "internal_links have no text.", ["articles.links.internal"];
    LANGUAGE_EN_US: "language-en-us", "A missing language is en-US, whatever the website's is.", ["generate.defaults.website"];
    DEFAULT_800: "default-800", "A missing number of words is 800.", ["generate.defaults.length"];
    WORDS_WITH_FAQ: "words-with-faq", "word_count counts title and FAQ too.", ["articles.text.word-count"];
    TIME_ROUNDED_DOWN: "time-rounded-down", "reading_time_minutes is rounded down.", ["articles.text.reading-time"];
    TIME_AT_200: "time-at-200", "reading_time_minutes is counted at 200 words a minute.", ["articles.text.reading-time"];
    DESCRIPTION_40: "description-40", "meta_description is cut at 40 characters.", ["articles.text.lengths"];
    TITLE_TAGGED: "title-tagged", "The title carries markup.", ["articles.text.lengths"];
    TOPIC_UNESCAPED: "topic-unescaped", "The topic is pasted into the HTML.", ["articles.html.hostile-topics"];
    TOPIC_ESCAPED: "topic-escaped", "The topic is kept escaped for HTML.", ["articles.html.hostile-topics"];
    TOPIC_COMPUTED: "topic-computed", "Template expressions in the topic are evaluated.", ["articles.html.hostile-topics"];
    UNSANITISED: "unsanitised", "Event handlers stay in the HTML.", ["articles.html.safe"];
    OUTLINE_SHORT: "outline-short", "The outline lacks its last heading.", ["articles.html.outline"];
    ANCHORS_TWICE: "anchors-twice", "Anchors of the outline are numbered from one in each section.", ["articles.html.outline"];
    ANCHORS_OTHER: "anchors-other", "Anchors of the outline are not those of the HTML.", ["articles.html.outline"];
    WITH_H1: "with-h1", "The Markdown begins with the title as an H1.", ["articles.markdown.plain"];
    NO_FAQ_PAGE: "no-faq-page", "json_ld lacks the FAQPage.", ["articles.json-ld.graph"];
    FAQ_WITHOUT_MARK: "faq-without-mark", "Questions lack their question mark.", ["articles.faq.questions"];
    KEYWORDS_LOST: "keywords-lost", "The writer does not get the keywords.", ["articles.keywords.used"];
    TARGET_LOST: "target-lost", "The writer does not get the number of words.", ["voice.length.near-target"];
    LANGUAGE_LOWER: "language-lower", "The language is kept in lower case.", ["articles.echo.what-was-sent"];
    METADATA_LOST: "metadata-lost", "The article does not get the metadata.", ["articles.echo.what-was-sent"];
    REPORT_ALWAYS_FAILED: "report-always-failed", "passed of the voice report is false.", ["voice.report.consistent", "voice.report.passed"];
    REPORT_RULE_TWICE: "report-rule-twice", "A rule stands in the voice report twice.", ["voice.report.consistent"];
    REPORT_NUMBERS: "report-numbers", "observed of a voice check is a number.", ["voice.report.consistent"];
    OTHER_TOPIC: "other-topic", "The writer gets the topic of another order.", ["voice.topic.used"];
}
