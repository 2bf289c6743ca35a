"use strict";
const filter = document.getElementById("filter");
const sections = document.querySelectorAll("#sections section");
filter.addEventListener("input", () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const section of sections) {
    let shown = 0;
    for (const entry of section.querySelectorAll("li")) {
      const text = (section.querySelector("h2").textContent + " " + entry.textContent + " " + entry.firstChild.getAttribute("href")).toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
      shown += entry.hidden ? 0 : 1;
    }
    section.hidden = shown === 0;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== filter) {
    event.preventDefault();
    filter.focus();
  }
  if (event.key === "Escape" && document.activeElement === filter) {
    filter.value = "";
    filter.dispatchEvent(new Event("input"));
    filter.blur();
  }
});
const side = document.querySelector("nav");
const links = new Map();
for (const link of document.querySelectorAll('#sections a[href^="#"]')) links.set(link.hash.slice(1), link);
const observer = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    document.querySelector("#sections a[aria-current]")?.removeAttribute("aria-current");
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
for (const area of document.querySelectorAll(".wide, .side, pre")) scrollers.observe(area);
for (const anchor of links.keys()) {
  const target = document.getElementById(anchor);
  if (target) observer.observe(target);
}
