"use strict";
(() => {
  const filter = document.querySelector(".filter");
  const search = filter.querySelector("input[type=search]");
  const boxes = Array.from(filter.querySelectorAll("input[name=status]"));
  const rows = Array.from(document.querySelectorAll("tr.row"));
  const groups = Array.from(document.querySelectorAll("table.requirements tbody"));
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const count = filter.querySelector("output");
  const table = document.querySelector("table.requirements");
  const empty = document.querySelector(".empty");

  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    let visible = 0;
    for (const row of rows) {
      const text = texts.get(row);
      const keep = shown.has(row.dataset.status) && words.every((word) => text.includes(word));
      row.hidden = !keep;
      visible += keep ? 1 : 0;
    }
    for (const group of groups) {
      group.hidden = !group.querySelector("tr.row:not([hidden])");
    }
    const nothing = visible === 0;
    table.hidden = nothing;
    empty.hidden = !nothing;
    count.textContent = `${visible} of ${rows.length} requirements`;
  };

  const showEverything = () => {
    search.value = "";
    for (const box of boxes) {
      box.checked = true;
    }
    apply();
  };

  const reveal = () => {
    const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!row || !row.classList.contains("row")) {
      return;
    }
    if (row.hidden) {
      showEverything();
    }
    const details = row.querySelector("details");
    if (details) {
      details.open = true;
    }
    row.scrollIntoView();
  };

  const copy = async (button) => {
    const block = button.parentElement.querySelector("pre");
    let done = false;
    try {
      await navigator.clipboard.writeText(block.textContent);
      done = true;
    } catch {
      const range = document.createRange();
      range.selectNodeContents(block);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      done = document.execCommand("copy");
    }
    button.textContent = done ? "Copied" : "Selected";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2000);
  };

  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
  const expand = filter.querySelector("button.expand");
  expand.hidden = !document.querySelector("tr.row details");
  expand.addEventListener("click", () => {
    const open = expand.textContent.startsWith("Open");
    for (const details of document.querySelectorAll("tr.row:not([hidden]) details")) {
      details.open = open;
    }
    expand.textContent = open ? "Close all evidence" : "Open all evidence";
  });
  filter.hidden = false;
  filter.addEventListener("input", apply);
  empty.querySelector("button").addEventListener("click", () => {
    showEverything();
    search.focus();
  });
  addEventListener("hashchange", reveal);
  apply();
  reveal();
})();
