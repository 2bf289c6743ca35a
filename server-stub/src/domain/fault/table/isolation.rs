//! Slips between accounts.

broken! { "isolation":
    JOB_OF_ANYONE: "job-of-anyone", "A job is read without asking whose it is.", ["isolation.jobs.unknown"];
    JOB_IS_403: "job-is-403", "A foreign job is answered 403, which tells that it exists.", ["isolation.jobs.unknown"];
    JOB_DETAIL_TELLS: "job-detail-tells", "The detail for a foreign job differs from that for an unknown one.", ["isolation.jobs.unknown"];
    CANCEL_OF_ANYONE: "cancel-of-anyone", "A job is cancelled without asking whose it is.", ["isolation.jobs.cancel"];
    ARTICLE_OF_ANYONE: "article-of-anyone", "An article is read without asking whose it is.", ["isolation.articles.unknown"];
    ARTICLE_BY_FOREIGN_JOB: "article-by-foreign-job", "By its job's id a foreign article can be read.", ["isolation.articles.core", "isolation.articles.unknown"];
    TAG_BEFORE_OWNER: "tag-before-owner", "If-None-Match is answered before it is known whose article it is.", ["isolation.articles.unknown"];
    LEAD_OF_ANYONE: "lead-of-anyone", "A lead is read without asking whose it is.", ["isolation.leads.unknown"];
    ARTICLES_OF_ALL: "articles-of-all", "The list of articles forgets the account.", ["isolation.lists.rows"];
    LEADS_OF_ALL: "leads-of-all", "The list of leads forgets the account.", ["isolation.lists.rows", "isolation.leads.unknown"];
    POSTS_OF_ALL: "posts-of-all", "The pipeline forgets the account.", ["isolation.lists.rows"];
    WEBSITES_OF_ALL: "websites-of-all", "The list of websites forgets the account.", ["isolation.lists.rows"];
    FILTER_INSTEAD_OF_ACCOUNT: "filter-instead-of-account", "A filter by website replaces the condition on the account.", ["isolation.lists.filter"];
    WEBSITE_OF_ANYONE: "website-of-anyone", "Articles can be queued for another account's website.", ["isolation.websites.core", "isolation.websites.generate"];
    WEBSITE_IS_403: "website-is-403", "Another account's website is answered 403.", ["isolation.websites.generate"];
    KEYS_OF_ALL: "idempotency-of-all", "An idempotency key is looked up without its account.", ["isolation.idempotency.scope"];
    TOKEN_OF_ANYONE: "token-of-anyone", "A page token is accepted from another account.", ["isolation.tokens.account"];
    HOOKS_OF_ALL: "hooks-of-all", "Hooks go to the endpoints of every account.", ["hooks.isolation.own-only"];
}
