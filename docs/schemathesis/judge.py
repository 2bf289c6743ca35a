"""Compares the findings of schemathesis with `refusals.yaml`.

Usage: judge.py REPORTS READY_FILE, with the folder of the reports and the ready file of the server. Fails if the run is not complete, if
schemathesis warns, if a finding is not in the list, or if an entry of the list did not occur.
"""

import base64
import collections
import json
import sys
import urllib.error
import urllib.request
from pathlib import Path

import yaml

HERE = Path(__file__).parent
DOCUMENT = HERE / "../../openapi.yaml"
# The one check that the document may contradict.
ACCEPTANCE = "positive_data_acceptance"


def words(text):
    """Returns the text with every run of white space as one space."""
    return " ".join(text.split())


def fits(entry, operation, status, problem, error, headers):
    """Returns true if an entry explains one error of a refusal; `error` is None if the problem lists none."""
    place = error and (error.get("pointer") or error.get("parameter") or error.get("header"))
    return (
        (entry["operation"], entry["status"], entry["code"]) == (operation, status, problem.get("code"))
        and entry.get("error") == (error and error["code"])
        and entry.get("at", place) == place
        and all(value in headers.get(name, "") for name, value in entry.get("header", {}).items())
    )


def explain(entries, operation, status, problem, headers):
    """Returns the positions of the entries that explain a refusal, or None if an error of it has no entry."""
    used = set()
    for error in problem.get("errors") or [None]:
        found = [at for at, entry in enumerate(entries) if fits(entry, operation, status, problem, error, headers)]
        if not found:
            return None
        used.update(found)
    return used


def failures(path):
    """Yields every failed check: operation, check, message, request, status, problem."""
    for line in path.read_text().splitlines():
        scenario = json.loads(line).get("ScenarioFinished")
        recorder = (scenario or {}).get("recorder") or {}
        for case, checks in (recorder.get("checks") or {}).items():
            for check in checks:
                if check["status"] == "success":
                    continue
                failure = check["failure_info"]["failure"]
                response = (recorder["interactions"].get(case) or {}).get("response") or {}
                content = (response.get("content") or {}).get("$base64", "")
                try:
                    problem = json.loads(base64.b64decode(content))
                except ValueError:
                    problem = {}
                request = recorder["cases"][case]["value"]
                yield failure["operation"], check["name"], failure["message"], request, response.get("status_code"), problem


def refused(entry, ready):
    """Returns true if the server refuses the last request of an entry as the entry says."""
    account = ready["accounts"][0]
    method, path = entry["operation"].split(" ")
    path = path.replace("{website_id}", account["website_id"])
    used = None
    for wanted in entry["requests"]:
        body = json.dumps(wanted["body"]).replace("$website_id", account["website_id"])
        headers = {"Authorization": f"Bearer {account['api_key']}", "Content-Type": "application/json"}
        headers |= wanted.get("headers", {})
        request = urllib.request.Request(ready["base_url"] + path, body.encode(), headers, method=method)
        try:
            urllib.request.urlopen(request, timeout=60)
            used = None
        except urllib.error.HTTPError as error:
            used = explain([entry], entry["operation"], error.code, json.load(error), headers)
    return bool(used)


def report_file(folder, pattern):
    """Returns the report that matches the pattern."""
    return next(folder.glob(pattern), None) or sys.exit(f"error: schemathesis wrote no {pattern}; see schemathesis.log")


def main(folder, ready):
    entries = yaml.safe_load((HERE / "refusals.yaml").read_text())
    document = words(DOCUMENT.read_text())
    faults = [f"openapi.yaml does not say: {entry['sentence']}" for entry in entries if words(entry["sentence"]) not in document]

    report = json.loads(report_file(folder, "json-*.json").read_text())
    if not report["complete"] or report["errors"] or not report["operations"]["tested"]:
        faults.append(f"the run is not complete: {report['stop_reason']}, {report['errors']}")
    # Pages have no schema that could be checked.
    warnings = {name: what for name, what in report["warnings"].items() if what and name != "missing_deserializer"}
    faults += [f"schemathesis warns of {name}: {', '.join(map(str, what))}" for name, what in warnings.items()]

    occurred = collections.Counter()
    unexplained = {}
    for operation, check, message, request, status, problem in failures(report_file(folder, "ndjson-*.ndjson")):
        # The size of a body is checked before its schema.
        if check == "negative_data_rejection" and status == 413:
            continue
        used = explain(entries, operation, status, problem, request.get("headers") or {}) if check == ACCEPTANCE else None
        if used is None:
            errors = sorted({error.get("code", "") for error in problem.get("errors") or []})
            key = (operation, check, status, problem.get("code"), *errors)
            unexplained.setdefault(key, f"{message}\n{json.dumps(request)[:2000]}\n{json.dumps(problem)[:2000]}")
        else:
            occurred.update(used)
    for key, what in unexplained.items():
        faults.append(f"{' '.join(map(str, key))} is not in refusals.yaml:\n{what}")
    for at, entry in enumerate(entries):
        if not occurred[at] and not ("requests" in entry and refused(entry, ready)):
            name = [entry[name] for name in ("operation", "status", "code", "error", "at") if name in entry]
            faults.append(f"{' '.join(map(str, name))} is in refusals.yaml and did not occur: remove it")
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    cases = report["test_cases"]["generated"]
    print(f"schemathesis: {cases} requests to {report['operations']['tested']} operations, {sum(occurred.values())} refusals of {len(entries)} kinds")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text())))
