//! Slips around the platform key.

broken! { "auth":
    SIZE_FIRST: "size-first", "The announced size of a body is checked before the key.", ["generate.order.credentials-before-size"];
    SCOPE_LAST: "scope-last", "The scope is checked once the body is read.", ["generate.order.scope-before-json"];
    CALLER_KEPT: "caller-kept", "A request without a key is taken for one of the last caller.", ["auth.missing.refused"];
    ARTICLE_OPEN: "article-open", "Whoever knows the id of an article may read it without a key.", ["auth.articles.refused"];
    MISSING_IS_403: "missing-is-403", "A missing key is answered 403.", ["auth.missing.challenge"];
    MISSING_WITHOUT_CHALLENGE: "missing-without-challenge", "The 401 for a missing key has no WWW-Authenticate.", ["auth.missing.challenge"];
    KEY_WITHOUT_CASE: "key-without-case", "The key is compared without regard to case.", ["auth.wrong-key.refused"];
    KEY_PREFIX_ENOUGH: "key-prefix-enough", "Whatever begins with the key is accepted.", ["auth.wrong-key.refused"];
    KEY_CUT: "key-cut", "The last character of the key is not compared.", ["auth.wrong-key.refused"];
    KEY_IN_QUOTES: "key-in-quotes", "Quotation marks around the key are stripped.", ["auth.wrong-key.refused"];
    KEY_SEARCHED: "key-searched", "The key is searched for anywhere in the header.", ["auth.wrong-key.refused", "auth.scheme.others"];
    WRONG_IS_MISSING: "wrong-is-missing", "A wrong key is answered missing_credentials.", ["auth.wrong-key.challenge"];
    WRONG_IS_404: "wrong-is-404", "A wrong key is answered 404, as if nothing were there.", ["auth.wrong-key.challenge"];
    WRONG_WITHOUT_ERROR: "wrong-without-error", "The challenge for a wrong key lacks error=\"invalid_token\".", ["auth.wrong-key.challenge"];
    SCHEME_WITH_CASE: "scheme-with-case", "Only `Bearer` in this spelling is understood.", ["auth.scheme.case-insensitive"];
    ANY_SCHEME: "any-scheme", "The name of the scheme is not looked at.", ["auth.scheme.others"];
    KEY_ALONE: "key-alone", "The key is accepted without any scheme.", ["auth.scheme.others"];
    FIRST_HEADER_WINS: "first-header-wins", "Of two Authorization headers the first is taken.", ["auth.header.doubled-or-empty"];
    EMPTY_IS_MISSING: "empty-is-missing", "`Bearer` without a key counts as no credentials.", ["auth.header.doubled-or-empty"];
    BODY_FIRST: "body-first", "The body is parsed before the key is looked at.", ["auth.order.first"];
    SCOPES_IGNORED: "scopes-ignored", "What a key may be used for is not checked.", ["auth.scope.insufficient"];
    ANY_SCOPE: "any-scope", "A scope for reading one thing lets read everything.", ["auth.scope.insufficient"];
    ALL_SCOPES: "all-scopes", "A key without every scope may do nothing.", ["auth.scope.sufficient"];
    SCOPE_IS_404: "scope-is-404", "A missing scope is answered as if the job did not exist.", ["auth.scope.insufficient"];
    SCOPE_UNNAMED: "scope-unnamed", "WWW-Authenticate does not name the missing scope.", ["auth.scope.insufficient"];
    KEY_IN_DETAIL: "key-in-detail", "The problem for a wrong key repeats what was sent.", ["auth.key.never-echoed"];
    KEY_IN_HEADER: "key-in-header", "A header that was meant for debugging repeats the key.", ["auth.key.never-echoed"];
}
