"use strict";
const field = document.getElementById("page-search");
const results = document.getElementById("page-results");
const sections = document.getElementById("page-sections");
const MAX_RESULTS = 40;
let index = null;

// Without an index of all pages, the sections of this page are searched.
function sectionsOfPage() {
  const parts = document.querySelectorAll("main section.operation, main section.schema, main .prose > h2[id], main tr:has(th[id])");
  return Array.from(parts, (part) => {
    const texts = [part.textContent];
    if (part.tagName === "H2") {
      for (let next = part.nextElementSibling; next && next.tagName !== "H2"; next = next.nextElementSibling) texts.push(next.textContent);
    }
    const heading = part.matches("h2") ? part : part.querySelector("h3, th");
    const anchor = part.id || part.querySelector("th[id]").id;
    return ["#" + anchor, heading.textContent.replace(/#$/, "").trim(), texts.join(" ").replace(/\s+/g, " ")];
  });
}

function load(then) {
  const path = document.body.dataset.searchIndex;
  if (index || !path) {
    index ??= sectionsOfPage();
    then();
    return;
  }
  const script = document.createElement("script");
  script.src = path;
  script.onload = () => {
    const up = path.includes("/") ? path.slice(0, path.lastIndexOf("/") + 1) : "";
    index = window.searchIndex.map(([address, title, text]) => [up + address, title, text]);
    then();
  };
  script.onerror = () => {
    index = sectionsOfPage();
    then();
  };
  document.head.append(script);
}

function found(words) {
  const rated = [];
  for (const [address, title, text] of index) {
    const [lowTitle, lowText] = [title.toLowerCase(), text.toLowerCase()];
    if (!words.every((word) => lowText.includes(word) || lowTitle.includes(word))) continue;
    const inTitle = words.filter((word) => lowTitle.includes(word)).length;
    rated.push({ address, title, text, at: lowText.indexOf(words[0]), rating: inTitle * 1000 - title.length });
  }
  return rated.sort((one, other) => other.rating - one.rating);
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  sections.hidden = words.length > 0;
  results.replaceChildren();
  if (words.length === 0) return;
  const all = found(words);
  const count = document.createElement("p");
  count.className = "soft";
  count.textContent = all.length === 0 ? "Nothing found." : all.length === 1 ? "1 section" : `${all.length} sections`;
  const list = document.createElement("ul");
  for (const { address, title, text, at } of all.slice(0, MAX_RESULTS)) {
    const link = document.createElement("a");
    link.href = address;
    const name = document.createElement("strong");
    name.textContent = title || "Overview";
    const excerpt = document.createElement("span");
    const begin = Math.max(0, at - 40);
    excerpt.textContent = (begin > 0 ? "…" : "") + text.slice(begin, begin + 110) + "…";
    link.append(name, excerpt);
    const item = document.createElement("li");
    item.append(link);
    list.append(item);
  }
  results.append(count, list);
}

field.addEventListener("input", () => load(show));
field.addEventListener("keydown", (event) => {
  if (event.key === "Enter") results.querySelector("a")?.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== field) {
    event.preventDefault();
    field.focus();
  }
  if (event.key === "Escape" && document.activeElement === field) {
    field.value = "";
    field.dispatchEvent(new Event("input"));
    field.blur();
  }
});

// A link on each heading that has an address.
for (const heading of document.querySelectorAll("main :is(h1, h2, h3, h4)[id], main section[id] > :is(h2, h3), main section[id] > .text > h3")) {
  const link = document.createElement("a");
  link.className = "anchor";
  link.href = "#" + (heading.id || heading.closest("section[id]").id);
  link.setAttribute("aria-label", "Link to " + heading.textContent.trim());
  link.textContent = "#";
  heading.append(link);
}

// A button that copies each listing.
for (const listing of document.querySelectorAll("main pre")) {
  const frame = document.createElement("div");
  frame.className = "copyable";
  listing.replaceWith(frame);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    const text = listing.textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Only pages from https or this machine may use the clipboard.
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  frame.append(listing, button);
}

const side = document.querySelector("nav");
const links = new Map();
for (const link of document.querySelectorAll('#page-sections a[href^="#"]')) links.set(link.hash.slice(1), link);
const observer = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    document.querySelector("#page-sections a[aria-current]")?.removeAttribute("aria-current");
    const link = links.get(entry.target.id);
    link?.setAttribute("aria-current", "true");
    if (link && getComputedStyle(side).position === "fixed") {
      const hidden = link.offsetTop < side.scrollTop || link.offsetTop > side.scrollTop + side.clientHeight - 40;
      if (hidden) side.scrollTop = link.offsetTop - side.clientHeight / 3;
    }
  }
}, { rootMargin: "0px 0px -80% 0px" });
// Without a pointer, only what can be focused can be scrolled.
const scrollers = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const isScrolled = target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight;
    if (isScrolled) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const area of document.querySelectorAll(".wide, .side, pre, .prose table")) scrollers.observe(area);
for (const anchor of links.keys()) {
  const target = document.getElementById(anchor);
  if (target) observer.observe(target);
}
