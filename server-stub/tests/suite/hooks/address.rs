//! Allowed destinations of webhooks, in every spelling that a URL permits.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use contentgen_server_stub::hooks::{AddressError, AddressPolicy, AllowedAddresses};
use ipnet::IpNet;
use proptest::prelude::*;

/// Private hosts, in every spelling that a URL permits.
const INSIDE: &[&str] = &[
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.1",
    "127.255.255.254",
    "169.254.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "192.168.255.255",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "168.63.129.16",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "017700000001",
    "0177.0.0.1",
    "0x7f.0x0.0x0.0x1",
    "127.0.1",
    "%31%32%37.0.0.1",
    "\u{ff11}27.0.0.1",
    "127\u{3002}0\u{3002}0\u{3002}1",
    "0",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::7f00:1]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b::10.0.0.1]",
    "[64:ff9b::168.63.129.16]",
    "[64:ff9b::1:0808:0808]",
    "[64:ff9b:1::1]",
    "[64:ff9b:1::8.8.8.8]",
    "[64:ff9a::8.8.8.8]",
    "[::8.8.8.8]",
    "[::ffff:0:8.8.8.8]",
    "[2001:0:808:808::]",
    "[2002:808:808::]",
    "[100::1]",
    "[2001::1]",
    "[2001:0:7f00:1::]",
    "[2001:10::1]",
    "[2001:1ff::1]",
    "[2001:db8::1]",
    "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::1]",
    "[3fff::1]",
    "[3fff:fff::1]",
    "[5f00::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
];
const OUTSIDE: &[&str] = &[
    "1.1.1.1",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.1",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.1",
    "192.88.98.1",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "168.63.129.15",
    "[64:ff9b::8.8.8.8]",
    "[64:ff9b::101:101]",
    "[::ffff:8.8.8.8]",
    "[2001:200::1]",
    "[2606:4700::1111]",
    "[2003::1]",
    "[3ffe::1]",
    "[3fff:1000::1]",
    "example.org",
];

#[test]
fn no_spelling_of_an_inside_address_is_allowed() {
    for host in INSIDE {
        let outcome = AddressPolicy::public_only().check_url(&format!("https://{host}/in"));
        assert!(matches!(outcome, Err(AddressError::Forbidden | AddressError::Malformed)), "{host}: {outcome:?}");
    }
}

#[test]
fn the_neighbours_of_inside_addresses_are_allowed() {
    for host in OUTSIDE {
        let outcome = AddressPolicy::public_only().check_url(&format!("https://{host}/in"));
        assert!(outcome.is_ok(), "{host}: {outcome:?}");
    }
}

proptest! {
    #[test]
    fn an_address_that_reaches_an_ipv4_host_is_judged_like_that_host(high: u16, low: u16) {
        let policy = AddressPolicy::public_only();
        let allows = |address: IpAddr| policy.allows(address, AllowedAddresses::Public);
        let v4 = Ipv4Addr::from(u32::from(high) << 16 | u32::from(low));
        let of = |prefix: [u16; 6]| {
            let [a, b, c, d, e, f] = prefix;
            allows(Ipv6Addr::new(a, b, c, d, e, f, high, low).into())
        };
        let expected = allows(v4.into());
        prop_assert_eq!(of([0x64, 0xFF9B, 0, 0, 0, 0]), expected, "NAT64 {}", v4);
        prop_assert_eq!(of([0, 0, 0, 0, 0, 0xFFFF]), expected, "IPv4-mapped {}", v4);
        for (prefix, name) in [([0; 6], "IPv4-compatible"), ([0x64, 0xFF9B, 1, 0, 0, 0], "local NAT64"), ([0x2001, 0, 0, 0, 0, 0], "Teredo")] {
            prop_assert!(!of(prefix), "{} {}", name, v4);
        }
        prop_assert!(!allows(Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1).into()), "6to4 {}", v4);
    }
}

#[test]
fn loopback_is_allowed_for_trying_out_and_nothing_else_is() {
    let policy = AddressPolicy::allow_loopback();
    for url in ["http://127.0.0.1:9000/in", "http://localhost:9000/", "http://[::1]:9000/", "https://127.0.0.1/in"] {
        assert!(policy.check_url(url).is_ok(), "{url}");
    }
    assert_eq!(policy.check_url("http://example.org/"), Err(AddressError::Scheme));
    assert_eq!(policy.check_url("https://10.0.0.1/"), Err(AddressError::Forbidden));
    assert_eq!(policy.check_url("https://[::ffff:127.0.0.1]/"), Err(AddressError::Forbidden));
}

#[test]
fn a_url_with_more_than_a_destination_is_refused() {
    let policy = AddressPolicy::public_only();
    for (url, expected) in [
        ("http://example.org/", AddressError::Scheme),
        ("ftp://example.org/", AddressError::Scheme),
        ("https://user@example.org/", AddressError::Credentials),
        ("https://user:word@example.org/", AddressError::Credentials),
        ("https://example.org/#part", AddressError::Fragment),
        ("https://example.org:22/", AddressError::Port),
        ("https://example.org:80/", AddressError::Port),
        ("/in", AddressError::Malformed),
        ("https://", AddressError::Malformed),
        ("data:text/plain,x", AddressError::Malformed),
    ] {
        assert_eq!(policy.check_url(url), Err(expected), "{url}");
    }
    let long = format!("https://example.org/{}", "a".repeat(2048));
    assert_eq!(policy.check_url(&long), Err(AddressError::Malformed));
    for url in ["https://example.org:8443/", "https://example.org:1024/?a=b", "https://b\u{fc}cher.example/"] {
        assert!(policy.check_url(url).is_ok(), "{url}");
    }
}

fn listing(nets: &[&str]) -> AddressPolicy {
    AddressPolicy::with_listed(nets.iter().map(|net| net.parse::<IpNet>().unwrap()))
}

#[test]
fn what_the_operator_lists_may_be_reached_in_any_way_and_its_neighbours_may_not() {
    let policy = listing(&["10.1.0.0/16", "fd00:1::/32"]);
    for url in ["http://10.1.2.3/in", "http://10.1.2.3:22/", "https://10.1.255.255:1/", "http://[fd00:1::9]:80/"] {
        assert_eq!(
            policy.check_url(url).map(|destination| destination.allowed),
            Ok(if url.starts_with("http:") || url.contains(":1/") {
                AllowedAddresses::Listed
            } else {
                AllowedAddresses::Public
            }),
            "{url}"
        );
    }
    assert_eq!(policy.check_url("http://10.2.0.1/"), Err(AddressError::Scheme));
    assert_eq!(policy.check_url("http://8.8.8.8/"), Err(AddressError::Scheme));
    assert_eq!(policy.check_url("http://127.0.0.1:9000/"), Err(AddressError::Scheme));
    assert_eq!(policy.check_url("http://localhost:9000/"), Err(AddressError::Scheme));
    assert_eq!(policy.check_url("https://8.8.8.8:22/"), Err(AddressError::Port));
    assert_eq!(policy.check_url("http://10.1.2.3:0/"), Err(AddressError::Port));
    for url in ["https://10.2.0.1/", "https://[fd00:2::1]/", "https://[::ffff:10.1.2.3]/", "https://169.254.169.254/"] {
        assert_eq!(policy.check_url(url), Err(AddressError::Forbidden), "{url}");
    }
    // All other rules apply to them, too.
    assert_eq!(policy.check_url("http://user@10.1.2.3/"), Err(AddressError::Credentials));
    assert_eq!(policy.check_url("ftp://10.1.2.3/"), Err(AddressError::Scheme));
}

#[test]
fn a_name_in_an_unusual_way_must_lead_to_what_is_listed() {
    let policy = listing(&["10.1.0.0/16"]);
    for (url, allowed) in [
        ("https://inside.example/", AllowedAddresses::Public),
        ("http://inside.example/", AllowedAddresses::Listed),
        ("https://inside.example:22/", AllowedAddresses::Listed),
    ] {
        assert_eq!(policy.check_url(url).unwrap().allowed, allowed, "{url}");
    }
    // If only this machine is listed, names have no such exception.
    assert_eq!(AddressPolicy::allow_loopback().check_url("http://inside.example/"), Err(AddressError::Scheme));
    assert_eq!(AddressPolicy::allow_loopback().check_url("https://inside.example:22/"), Err(AddressError::Port));
}
