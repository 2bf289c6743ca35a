//! Slips in lists, page tokens and filters.

broken! { "paging":
    LIMIT_IGNORED: "limit-ignored", "limit is ignored.", ["pages.limit.respected"];
    DEFAULT_50: "default-50", "A page without a limit holds up to 50 rows.", ["pages.limit.default"];
    LIMIT_CLAMPED: "limit-clamped", "A limit out of range is moved into it.", ["pages.limit.refused"];
    LIMIT_0: "limit-0", "The limit 0 is accepted.", ["pages.limit.refused"];
    LIMIT_100: "limit-100", "The limit 100 is refused.", ["pages.limit.edges"];
    LIMIT_FLOAT: "limit-float", "The limit 1.0 is accepted.", ["pages.limit.refused"];
    LIMIT_UNREADABLE: "limit-unreadable", "A limit that is no number is ignored.", ["pages.limit.refused"];
    BY_OFFSET: "by-offset", "The token holds an offset.", ["pages.walk.rows-arriving"];
    BY_SECONDS: "by-seconds", "The token holds the time in whole seconds.", ["pages.walk.nothing-lost"];
    INCLUSIVE: "inclusive", "The next page begins with the last row of the one before.", ["pages.walk.nothing-lost"];
    ROW_SKIPPED: "row-skipped", "The row that is read to know whether there are more is lost.", ["pages.walk.nothing-lost"];
    NEVER_MORE: "never-more", "There is never a next page.", ["pages.walk.nothing-lost"];
    ALWAYS_MORE: "always-more", "The last page has a next page too.", ["pages.walk.ends"];
    OLDEST_FIRST: "oldest-first", "Rows come oldest first.", ["pages.order.newest-first"];
    BY_UPDATE: "by-update", "The pipeline is sorted by its last change.", ["pages.order.newest-first", "pages.walk.nothing-lost"];
    TOKEN_UNSIGNED: "token-unsigned", "Tokens are not protected against change.", ["pages.token.altered"];
    TOKEN_LOSES_FILTERS: "token-loses-filters", "The next page forgets the filters.", ["pages.token.carries-filters"];
    TOKEN_OTHER_FILTERS: "token-other-filters", "A token is accepted with other filters.", ["pages.token.other-filters"];
    TOKEN_OF_ANY_LIST: "token-of-any-list", "A token is accepted by other lists.", ["pages.token.other-list"];
    TOKEN_ONCE: "token-once", "A token can be used once.", ["pages.token.repeatable"];
    TOKEN_CARRIES_LIMIT: "token-carries-limit", "The limit of the first page counts for all.", ["pages.token.repeatable"];
    TOKEN_BAD_IS_FIRST: "token-bad-is-first", "A bad token gives the first page.", ["pages.token.made-up"];
    TOKEN_BAD_IS_422: "token-bad-is-422", "A bad token is answered 422.", ["pages.token.made-up"];
    TOKEN_BEFORE_LIMIT: "token-before-limit", "The token is checked before the limit.", ["pages.token.with-bad-limit"];
    NO_LINK: "no-link", "Pages have no Link.", ["pages.link.next"];
    LINK_DROPS_QUERY: "link-drops-query", "Link lacks the other parameters.", ["pages.link.next"];
    WEBSITE_IGNORED: "website-ignored", "The filter website_id is ignored.", ["pages.filter.website"];
    WEBSITE_UNKNOWN: "website-unknown", "A filter by an unknown website is answered 404.", ["pages.filter.website"];
    STATUS_IGNORED: "status-ignored", "The filter status is ignored.", ["pages.filter.status"];
    STATUS_ANY: "status-any", "A status outside the vocabulary gives an empty page.", ["pages.filter.refused"];
    STATUS_WITHOUT_CASE: "status-without-case", "The filter status is read without regard to case.", ["pages.filter.refused"];
    TIME_LENIENT: "time-lenient", "A filter by time accepts a date.", ["pages.filter.refused"];
    UPDATED_SINCE_IGNORED: "updated-since-ignored", "The filter updated_since is ignored.", ["pages.filter.updated-since"];
    ARTICLE_FILTER_IGNORED: "article-filter-ignored", "The filter article_id of leads is ignored.", ["leads.filter.article"];
    DOUBLED_LAST: "doubled-last", "Of a parameter given twice the last counts.", ["pages.parameter.doubled"];
    UNKNOWN_REFUSED: "unknown-refused", "Unknown parameters are refused.", ["pages.parameter.unknown"];
    NAMES_WITHOUT_CASE: "names-without-case", "Parameters are found without regard to case.", ["pages.parameter.unknown"];
    SINCE_EXCLUSIVE: "since-exclusive", "captured_since leaves out its own moment.", ["leads.filter.half-open"];
    UNTIL_INCLUSIVE: "until-inclusive", "captured_until takes in its own moment.", ["leads.filter.half-open"];
    REVERSED_REFUSED: "reversed-refused", "A range that ends before it begins is refused.", ["pages.range.reversed"];
}
