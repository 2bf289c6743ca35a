//! Renders a new `conformance.toml`: the answers, and the other settings as comments.
//!
//! `ask` asks; `cli::file` defines the format of the file.

use std::fmt::Write as _;

use toml::Value;

use super::answers::{Answers, FormAnswers, HookAnswers, LentAnswers};

/// Renders the file.
pub(super) fn render(answers: &Answers) -> String {
    let mut file = File::default();
    file.comment("What the conformance suite needs to know about a server.");
    file.comment("This file contains no keys: it names the environment variables that contain them.");
    file.comment("`contentgen-conformance schema` prints the JSON Schema of this file.");
    target(&mut file, answers);
    file.section("article", true, "How the article of a job is found.");
    file.comment("\"job\": the job's article_id or its own id; \"job_id\": the job_id itself; \"hook\": from the webhook's payload.");
    file.entry("id_from", answers.id_from.as_str(), true);
    file.comment("Where a webhook's payload contains the article's id, as a JSON pointer.");
    let is_by_hook = answers.id_from == "hook";
    let pointer = if is_by_hook { answers.hook_id_pointer.as_str() } else { "/data/article/id" };
    file.entry("hook_id_pointer", pointer, is_by_hook);
    file.comment("Time within which articles are written, such as 500ms, 60s or 5m. A later article is a failure.");
    file.entry("ready_within", answers.ready_within.as_str(), true);
    hooks(&mut file, answers.hooks.as_ref());
    leads(&mut file, answers.form.as_ref());
    lent(&mut file, &answers.lent);
    file.section("limits", true, "Limits of the suite's requests.");
    file.comment("Maximum number of requests per second; 0 is no limit.");
    file.entry("requests_per_second", 0, true);
    file.comment("Time limit of one request.");
    file.entry("timeout", "15s", true);
    let is_named = !answers.organisation.is_empty() || !answers.contact.is_empty();
    file.section("report", is_named, "Who is responsible for the server; shown in the reports.");
    file.optional("organisation", &answers.organisation, "Example Ltd", is_named);
    file.optional("contact", &answers.contact, "api@example.com", is_named);
    let known = "A known failure does not fail the run; an outdated entry does.";
    file.section("[known_failures]", false, known);
    file.entry("id", "leads.page.limit-bounds", false);
    file.entry("reason", "ticket 4711", false);
    file.entry("expires", "2027-03-01", false);
    file.0
}

fn target(file: &mut File, answers: &Answers) {
    file.section("target", true, "The server under test.");
    file.entry("base_url", answers.base_url.as_str(), true);
    file.entry("api_key_env", answers.api_key_env.as_str(), true);
    file.comment("An active website; without it, the first that the server lists.");
    file.optional("website_id", &answers.website_id, "web_1", true);
    let inactive = &answers.lent.inactive_website_id;
    file.comment("A paused or archived website, which must be refused.");
    file.optional("inactive_website_id", inactive, "web_3", !inactive.is_empty());
    file.comment("A website with double opt-in, whose leads wait to be confirmed by a link.");
    file.optional("double_opt_in_website_id", "", "web_5", false);
    file.comment("For an access protection before the server: headers of every request, with values from variables.");
    let protection = [("CF-Access-Client-Id", "$CF_ACCESS_ID"), ("CF-Access-Client-Secret", "$CF_ACCESS_SECRET")];
    let protection = protection.into_iter().map(|(name, variable)| (name.to_owned(), text(variable))).collect();
    file.entry("headers", Value::Table(protection), false);
    file.comment("For a server that asks for a client's certificate: that and its private key, in PEM.");
    file.entry("client_certificate", "client.pem", false);
    file.comment("\"core\" checks the documented facts only, \"full\" the whole API document.");
    file.entry("profile", answers.profile.as_str(), true);
    let other = &answers.other_api_key_env;
    file.section("target.other_account", !other.is_empty(), "A second account: without it, isolation is skipped.");
    file.optional("api_key_env", other, "CONTENTGEN_OTHER_API_KEY", !other.is_empty());
    file.entry("website_id", "web_2", false);
    keys(file, &answers.lent);
    file.section("target.limits", false, "Limits that the operator configured, by their names in the API document.");
    file.entry("hook_timeout", 15, false);
}

/// Adds further keys.
fn keys(file: &mut File, lent: &LentAnswers) {
    let keys = [
        ("small_quota", &lent.small_quota_env, "LIMITED", "A key with a small quota: without it, 429 is skipped."),
        (
            "narrow_scope",
            &lent.narrow_scope_env,
            "NARROW",
            "A key with only the scope articles:read: without it, 403 insufficient_scope is skipped.",
        ),
        ("revoked_key", &lent.revoked_key_env, "REVOKED", "A key that was revoked, which must be refused."),
        ("expired_key", &lent.expired_key_env, "EXPIRED", "A key that has expired, which must be refused."),
        (
            "restricted_key",
            &lent.restricted_key_env,
            "RESTRICTED",
            "A key with every scope that may use only another active website, and not the one above.",
        ),
    ];
    for (name, variable, example, comment) in keys {
        let has_website = name != "restricted_key" || !lent.restricted_website_id.is_empty();
        let is_there = !variable.is_empty() && has_website;
        file.section(&format!("target.{name}"), is_there, comment);
        file.optional("api_key_env", variable, &format!("CONTENTGEN_{example}_API_KEY"), is_there);
    }
    file.optional("website_id", &lent.restricted_website_id, "web_4", !lent.restricted_key_env.is_empty());
}

fn hooks(file: &mut File, answers: Option<&HookAnswers>) {
    let is_there = answers.is_some();
    file.section("hooks", is_there, "The suite's webhook receiver: without it, webhooks are skipped.");
    file.entry("listen", "127.0.0.1:0", is_there);
    file.comment("URL at which the server reaches the receiver; {port} is replaced by the port.");
    let public_url = answers.map_or("http://127.0.0.1:{port}", |answers| &answers.public_url);
    file.entry("public_url", public_url, is_there);
    file.comment("Command that registers {url} and prints the secret, or a JSON object with \"id\" and \"secret\". Without it, register by hand.");
    let register = answers.map_or("./register-hook.sh {url}", |answers| &answers.register);
    file.entry("register", words(register), is_there);
    let remove = answers.map_or("", |answers| &answers.remove);
    file.comment("Command that removes the registration {id}.");
    let shown = if remove.is_empty() { "./remove-hook.sh {id}" } else { remove };
    file.entry("remove", words(shown), !remove.is_empty());
    file.comment("Commands: register for leads only, give {id} a new secret, send the event {event} to {id} again.");
    file.entry("register_leads", words("./register-hook.sh {url} leads"), false);
    file.entry("rotate", words("./rotate-hook.sh {id}"), false);
    file.entry("redeliver", words("./redeliver-hook.sh {id} {event}"), false);
    file.comment("Whether the suite may try to register private addresses such as 10.0.0.1, which must be refused.");
    file.entry("probe_private_addresses", true, false);
    file.comment(
        "Maximum time until a failed delivery is retried, up to 60s; leave it out if the server retries later.",
    );
    file.entry("retry_within", "30s", false);
    file.comment("Whether webhooks are signed as in Standard Webhooks.");
    let signs = answers.is_none_or(|answers| answers.standard_webhooks);
    file.entry("standard_webhooks", signs, is_there);
}

fn leads(file: &mut File, form: Option<&FormAnswers>) {
    file.section(
        "leads",
        form.is_some(),
        "How a lead is captured; without it, requirements that need a new lead are skipped.",
    );
    file.comment("{email}, {name} and {message} are filled in; `form` instead of `json` sends a form.");
    let url = form.map_or("{base_url}/capture/{website_id}", |form| &form.url);
    let fields = form.map_or(["email", "name", "message"], |form| [&form.email, &form.name, &form.message]);
    let fields = fields.into_iter().zip(["{email}", "{name}", "{message}"]).filter(|(field, _)| *field != "-");
    let body = fields.map(|(field, place)| (field.to_owned(), text(place))).collect();
    let kind = if form.is_some_and(|form| form.is_form) { "form" } else { "json" };
    let capture = [("method", text("POST")), ("url", text(url)), (kind, Value::Table(body))];
    let capture = capture.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    file.entry("capture", Value::Table(capture), form.is_some());
}

/// Adds the other settings that the set-up may provide.
fn lent(file: &mut File, lent: &LentAnswers) {
    let (topic, pausing) = (&lent.failing_topic, lent.pausing.as_ref());
    let failing = "A request whose job fails permanently: a topic, a website_id, or both.";
    file.section("failing_job", !topic.is_empty(), failing);
    file.optional("topic", topic, "Synergy", !topic.is_empty());
    file.entry("website_id", "web_1", false);
    let there = pausing.is_some();
    file.section("pausing", there, "A website that nothing else uses, and commands that pause and resume it.");
    file.entry("website_id", pausing.map_or("web_5", |pausing| &pausing.website_id), there);
    let command = |given: Option<&String>, example| words(given.map_or(example, String::as_str));
    let pause = command(pausing.map(|pausing| &pausing.pause), "./pause-website.sh {website_id}");
    file.entry("pause", pause, there);
    let resume = command(pausing.map(|pausing| &pausing.resume), "./resume-website.sh {website_id}");
    file.entry("resume", resume, there);
}

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

/// Returns a command line as a list of words.
fn words(line: &str) -> Value {
    let words = shlex::split(line).unwrap_or_else(|| vec![line.to_owned()]);
    Value::Array(words.into_iter().map(Value::String).collect())
}

/// The text so far.
#[derive(Default)]
struct File(String);

impl File {
    fn comment(&mut self, comment: &str) {
        // Writing to a `String` never fails.
        let _ = writeln!(self.0, "# {comment}");
    }

    /// Adds a table with a comment above it. An unused table becomes a comment itself.
    fn section(&mut self, name: &str, is_there: bool, comment: &str) {
        self.0.push('\n');
        self.comment(comment);
        let mark = if is_there { "" } else { "# " };
        // Writing to a `String` never fails.
        let _ = writeln!(self.0, "{mark}[{name}]");
    }

    fn entry(&mut self, name: &str, value: impl Into<Value>, is_there: bool) {
        let mark = if is_there { "" } else { "# " };
        let _ = writeln!(self.0, "{mark}{name} = {}", value.into());
    }

    /// Adds the answer, or an example as a comment.
    fn optional(&mut self, name: &str, answer: &str, example: &str, is_there: bool) {
        let shown = if answer.is_empty() { example } else { answer };
        self.entry(name, shown, is_there && !answer.is_empty());
    }
}
