"use strict";
const findings = [...document.querySelectorAll(".finding")];
const sections = [...document.querySelectorAll("details.file")];
const places = new Map(findings.map((finding) => [finding, finding.parentElement]));
const list = document.getElementById("findings");
const search = document.getElementById("search");
const group = document.getElementById("group");
const shown = document.getElementById("shown");
const boxes = [...document.querySelectorAll("input[data-key]")];

function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const off = new Set(boxes.filter((box) => !box.checked).map((box) => box.dataset.key + " " + box.value));
  let count = 0;
  for (const finding of findings) {
    const text = (finding.dataset.file + " " + finding.textContent).toLowerCase();
    const fits = words.every((word) => text.includes(word))
      && !off.has("phase " + finding.dataset.phase) && !off.has("confidence " + finding.dataset.confidence);
    finding.hidden = !fits;
    count += fits;
  }
  for (const section of list.children) {
    const left = [...section.querySelectorAll(".finding")].filter((finding) => !finding.hidden).length;
    section.hidden = !left;
    section.querySelector(".size").textContent = "(" + left + ")";
  }
  shown.textContent = count === findings.length ? "" : count + " of " + findings.length + " findings shown";
}

function arrange() {
  for (const finding of findings) places.get(finding).append(finding);
  if (group.value === "file") {
    list.replaceChildren(...sections);
  } else {
    const groups = new Map();
    for (const finding of findings) {
      const name = finding.dataset[group.value];
      if (!groups.has(name)) {
        const section = document.createElement("details");
        const summary = document.createElement("summary");
        const title = document.createElement("code");
        const size = document.createElement("span");
        section.className = "file";
        section.open = true;
        title.textContent = name;
        size.className = "faint size";
        summary.append(title, " ", size);
        section.append(summary);
        groups.set(name, section);
      }
      groups.get(name).append(finding);
    }
    const byName = group.value === "folder";
    const ordered = [...groups].sort((a, b) => byName ? (a[0] < b[0] ? -1 : 1) : b[1].children.length - a[1].children.length);
    list.replaceChildren(...ordered.map((entry) => entry[1]));
  }
  filter();
}

search.addEventListener("input", filter);
group.addEventListener("change", arrange);
boxes.forEach((box) => box.addEventListener("change", filter));
document.getElementById("controls").hidden = false;
arrange();
