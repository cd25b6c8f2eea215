// The script of every page of an atlas: search, and lists that sort and filter.

import { element } from "./element.js";

const folder = document.body.dataset.folder;
const MOST = 14;

function loaded(file) {
  return new Promise((done, failed) => {
    document.head.append(element("script", { src: folder + file, onload: done, onerror: failed }));
  });
}

function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

class Search {
  constructor(box, list) {
    Object.assign(this, { box, list, things: null, chosen: -1 });
    box.addEventListener("focus", () => this.read());
    box.addEventListener("input", () => this.fill());
    box.addEventListener("keydown", (event) => this.key(event));
    box.form.addEventListener("submit", (event) => {
      event.preventDefault();
      (list.querySelector("a.chosen") ?? list.querySelector("a"))?.click();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "/" && !/INPUT|SELECT/.test(event.target.tagName)) {
        event.preventDefault();
        box.focus();
      }
    });
    document.addEventListener("click", (event) => (list.hidden = !box.form.contains(event.target)));
  }

  async read() {
    if (this.things === null) {
      this.things = [];
      await loaded("data/search.js");
      this.things = THINGS.map((thing) => ({ thing, name: plain(thing[1]), all: plain(thing.slice(0, 3).join(" ")) }));
      this.fill();
    }
  }

  fill() {
    const words = plain(this.box.value).split(/\s+/).filter(Boolean);
    const text = words.join(" ");
    const rank = ({ name }) => (name === text ? 0 : name.startsWith(text) ? 1 : name.includes(text) ? 2 : 3);
    const found = this.things.filter(({ all }) => words.every((word) => all.includes(word)));
    found.sort((a, b) => rank(a) - rank(b));
    const rows = found.slice(0, MOST).map(({ thing: [kind, name, about, page] }) =>
      element("li", {}, element("a", { href: this.goal(page) }, name), element("small", {}, ` ${kind} ${about}`)),
    );
    if (found.length > MOST) rows.push(element("li", {}, element("small", {}, `and ${found.length - MOST} more`)));
    if (!found.length) rows.push(element("li", {}, "Nothing has this name."));
    this.list.replaceChildren(...rows);
    this.list.hidden = !words.length;
    this.chosen = -1;
  }

  goal(page) {
    const map = document.getElementById("map") && /^header\/(\d+)\.html$/.exec(page);
    return map ? `#${map[1]}` : folder + page;
  }

  key(event) {
    const links = [...this.list.querySelectorAll("a")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") this.list.hidden = true;
    if (!step || !links.length) return;
    event.preventDefault();
    this.chosen = (this.chosen + step + links.length) % links.length;
    links.forEach((link, number) => link.classList.toggle("chosen", number === this.chosen));
  }
}

function compare(a, b) {
  const numbers = [a, b].map((text) => parseFloat(text.replace(/,/g, "")));
  return numbers.some(Number.isNaN) ? a.localeCompare(b) : numbers[0] - numbers[1];
}

function sorts(table) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = element("button", { type: "button" }, head.textContent);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.ariaSort === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.ariaSort = down ? "descending" : "ascending";
      const rows = [...body.rows].map((row) => [row.cells[column].textContent, row]);
      rows.sort(([a], [b]) => (down ? compare(b, a) : compare(a, b)));
      body.append(...rows.map(([, row]) => row));
    });
  });
}

function filters(table) {
  const rows = [...table.tBodies[0].rows].map((row) => [plain(row.textContent), row]);
  const box = element("input", { type: "search", placeholder: "Filter", label: "Filter the list" });
  const number = element("small", {}, `${rows.length} rows`);
  box.addEventListener("input", () => {
    const words = plain(box.value).split(/\s+/);
    let shown = 0;
    for (const [text, row] of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    number.textContent = `${shown} of ${rows.length} rows`;
  });
  table.parentElement.before(element("p", { className: "filter" }, box, " ", number));
}

for (const table of document.querySelectorAll("table.list")) {
  sorts(table);
  filters(table);
}
new Search(document.getElementById("search"), document.getElementById("found"));
