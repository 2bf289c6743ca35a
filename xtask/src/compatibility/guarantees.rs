//! Guarantees of the document beside the form of messages: credentials, quotas, idempotency and invariants.

use std::collections::BTreeSet;

use serde_json::Value;

use super::comparison::Comparison;
use super::kind::Kind;
use super::part::Part;
use super::schema::Schema;

/// The fields that decide how credentials are sent.
const SCHEME: [&str; 5] = ["type", "scheme", "in", "name", "openIdConnectUrl"];

impl<'a> Comparison<'a> {
    /// Addresses and ways to send credentials.
    pub(super) fn guarantees_of_the_document(&mut self) {
        let (old, new) = self.both("/servers");
        let urls: BTreeSet<&str> = new.items().iter().filter_map(|server| server.text("url")).collect();
        for server in old.items() {
            let url = server.text("url").unwrap_or_default();
            if !urls.contains(url) {
                self.breaks(Kind::ServerRemoved, server.place, format!("the server {url} is gone"));
            }
        }
        let (old, new) = self.both("/components/securitySchemes");
        for (name, before) in old.members() {
            let Some(now) = new.member(&name) else {
                self.breaks(Kind::SchemeChanged, before.place, format!("the scheme {name} is gone"));
                continue;
            };
            for member in SCHEME.iter().filter(|member| before.value.get(**member) != now.value.get(**member)) {
                let what = format!("`{member}` of the scheme {name} has changed");
                self.breaks(Kind::SchemeChanged, before.place_of(member), what);
            }
        }
    }

    /// Credentials, scope, quota and repetition of an operation, and its invariants.
    pub(super) fn guarantees_of_an_operation(&mut self, old: &Part<'a>, new: &Part<'a>) {
        self.credentials(old, new);
        let changed = |name: &str| (old.text(name) != new.text(name)).then(|| (old.text(name), new.text(name)));
        if let Some((before, Some(now))) = changed("x-required-scope") {
            let what = format!("the scope {} became {now}", before.unwrap_or("none"));
            self.breaks(Kind::ScopeChanged, old.place_of("x-required-scope"), what);
        }
        if let Some((before, now)) = changed("x-rate-limit-policy") {
            let what = format!("the policy {} became {}", before.unwrap_or("none"), now.unwrap_or("none"));
            self.breaks(Kind::QuotaChanged, old.place_of("x-rate-limit-policy"), what);
        }
        if old.is("x-repeatable") && !new.is("x-repeatable") {
            let what = "a repeated call may no longer have the same effect as one call";
            self.breaks(Kind::RepeatableRemoved, old.place_of("x-repeatable"), what);
        }
        self.invariants(old, new);
    }

    /// Checks that all credentials that were sufficient are still sufficient.
    fn credentials(&mut self, old: &Part<'a>, new: &Part<'a>) {
        let accepted = |operation: &Part<'a>, root: &'a Value| -> Vec<&'a Value> {
            let own = operation.value.get("security").or_else(|| root.get("security"));
            own.and_then(Value::as_array).into_iter().flatten().collect()
        };
        let before = accepted(old, self.old.root());
        let now = accepted(new, self.new.root());
        // Without an entry, no credentials are needed.
        let is_open = |ways: &[&Value]| {
            ways.is_empty() || ways.iter().any(|way| way.as_object().is_some_and(serde_json::Map::is_empty))
        };
        if is_open(&now) {
            return;
        }
        let place = old.place_of("security");
        if is_open(&before) {
            self.breaks(Kind::SecurityTightened, place, "the call needs credentials now");
            return;
        }
        for way in before.into_iter().filter(|way| !now.iter().any(|other| is_covered(other, way))) {
            self.breaks(Kind::SecurityTightened, place.clone(), format!("{way} is no longer enough"));
        }
    }

    /// The marks of a schema.
    pub(super) fn guarantees_of_a_schema(&mut self, old: &Schema<'a>, new: &Schema<'a>) {
        if old.is("x-personal-data") && !new.is("x-personal-data") {
            let place = old.place_of("x-personal-data");
            self.breaks(Kind::PersonalDataUnmarked, place, "personal data is no longer marked");
        }
        let promised = |schema: &Schema<'a>| schema.keyword("x-core-required");
        if let Some(before) = promised(old) {
            let now = promised(new).map(|_| new.texts("x-core-required")).unwrap_or_default();
            for name in old.texts("x-core-required").difference(&now) {
                self.breaks(Kind::CorePromiseWeakened, before.place.clone(), format!("{name} is no longer promised"));
            }
        } else if let Some(now) = promised(new) {
            let what = "servers may leave out fields that are not listed";
            self.breaks(Kind::CorePromiseWeakened, now.place, what);
        }
        for (one, other) in old.layers().iter().zip(new.layers()) {
            self.invariants(one, other);
        }
    }

    /// Compares the invariants, by id.
    pub(super) fn invariants(&mut self, old: &Part<'a>, new: &Part<'a>) {
        let entries = |part: &Part<'a>| part.member("x-conformance").map(|list| list.items()).unwrap_or_default();
        let kept = entries(new);
        for entry in entries(old) {
            let id = entry.text("id").unwrap_or_default();
            if !kept.iter().any(|other| other.text("id") == Some(id)) {
                self.breaks(Kind::InvariantRemoved, entry.place, format!("the invariant {id} is gone"));
            }
        }
    }
}

/// Returns true if credentials that satisfy `before` satisfy `now`: `now` requires no other scheme and no other scope.
fn is_covered(now: &Value, before: &Value) -> bool {
    let scopes = |way: &Value, scheme: &str| -> Option<BTreeSet<String>> {
        let list = way.get(scheme)?.as_array()?;
        Some(list.iter().map(Value::to_string).collect())
    };
    let needed = now.as_object().into_iter().flatten();
    needed.map(|(scheme, _)| scheme).all(|scheme| match (scopes(now, scheme), scopes(before, scheme)) {
        (Some(now), Some(before)) => now.is_subset(&before),
        _ => false,
    })
}
