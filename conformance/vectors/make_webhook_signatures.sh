#!/bin/sh
# Writes webhook_signatures.json beside this file: hooks with their signatures, computed by openssl and nothing of this
# project. Run it by hand after adding a case: sh conformance/vectors/make_webhook_signatures.sh
#
# The signature of Standard Webhooks 1.0 is base64(HMAC-SHA256(secret, "{id}.{timestamp}.{body}")), where the secret is
# the bytes behind "whsec_".
set -eu
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

sign() { # secret id timestamp; the body is in $scratch/body
    key=$(printf %s "${1#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
    { printf '%s.%s.' "$2" "$3"; cat "$scratch/body"; } |
        openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64 -w 0
}

first=1
case_of() { # name secret id timestamp body (printf escapes are understood in the body)
    printf "$5" > "$scratch/body"
    [ $first = 1 ] || printf ',\n'
    first=0
    printf '  {"name": "%s", "secret": "%s", "id": "%s", "timestamp": "%s",\n   "body_base64": "%s",\n   "signature": "v1,%s"}' \
        "$1" "$2" "$3" "$4" "$(base64 -w 0 "$scratch/body")" "$(sign "$2" "$3" "$4")"
}

short=whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
long=whsec_$(printf '%s' 0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_ | base64 -w 0)
{
    printf '[\n'
    case_of "the example of the standard's own libraries" $short msg_27UH4WbU6Z5A5EzD8u03UvzRbpk 1649367553 '{"email":"test@example.com","username":"test_user"}'
    case_of 'a published article' $short evt_01 1790000000 '{"id":"evt_01","type":"article.published","timestamp":"2026-09-21T14:13:20.000Z","api_version":"v1","data":{}}'
    case_of 'an empty body' $short evt_empty 1790000000 ''
    case_of 'text beyond ASCII' $short evt_text 1790000000 '{"message":"Gr\303\274\303\237e \360\237\214\261 \343\201\223\343\202\223"}'
    case_of 'white space that a parser would drop' $short evt_space 1790000000 ' {\n\t"a" : 1 }\r\n'
    case_of 'bytes that are no text' $short evt_bytes 1790000000 '\377\376\000\001.\n'
    case_of 'a body with dots' $short evt-dots 1790000000 '1790000000.{}'
    case_of 'the longest secret' $long evt_long 1790000000 '{"type":"hook.test"}'
    printf '\n]\n'
} > webhook_signatures.json
