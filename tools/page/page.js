// A page: unpacks what the file holds, and ties view, walk and things to the elements of the window.

import css from "./page.css";
import { Things } from "./things.js";
import { Tiles } from "./tiles.js";
import { load } from "./view.js";
import { Walk } from "./walk.js";

const KEYS = { ArrowUp: 0, KeyW: 0, ArrowDown: 1, KeyS: 1, ArrowLeft: 2, KeyA: 2, ArrowRight: 3, KeyD: 3 };
const NOTICE =
  "Models, pictures and texts belong to the owner of the game. Made by the Pokémon Platinum map explorer; drawn by three.js.";
const HELP =
  "Drag: turn. Right drag or two fingers: move. Wheel: zoom. Click: what it is. Arrows or W A S D: walk, Shift: run, " +
  "Enter: talk; lifts and the walls of the Distortion World are like other ground. No rain and snow. " +
  "Space: play. , and .: hour. /: search. H: first view. O: whole map. Esc: close.";
const WAYS = ["door", "step_warps", "panel", "escalator"]; // kinds of tiles from which ways lead on
const maps = typeof MAPS === "undefined" ? [] : MAPS;

function element(tag, properties = {}, ...children) {
  const { role, label, pressed, ...plain } = properties;
  const made = Object.assign(document.createElement(tag), plain);
  if (label) made.setAttribute("aria-label", label);
  if (pressed !== undefined) made.setAttribute("aria-pressed", pressed);
  if (role) made.setAttribute("role", role);
  made.append(...children);
  return made;
}

async function unpacked(id) {
  const part = document.getElementById(id);
  const text = part.textContent;
  part.remove();
  const bytes = Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}

function showIndex() {
  const list = element("ul");
  const box = element("input", { type: "search", placeholder: "Search maps", label: "Search maps" });
  const fill = () => {
    const words = box.value.toLowerCase().split(/\s+/);
    const found = maps.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
    list.replaceChildren(...found.map(({ file, title }) => element("li", {}, element("a", { href: file }, title))));
  };
  box.addEventListener("input", fill);
  document.body.append(element("main", {}, element("h1", {}, "Maps"), box, list, element("small", {}, NOTICE)));
  fill();
  box.focus();
}

class Page {
  constructor(view, facts) {
    this.view = view;
    this.tiles = new Tiles(facts);
    this.things = new Things(view, this.tiles, facts, maps);
    this.walk = new Walk(
      view, this.tiles, facts, (text) => (this.status.textContent = text), (...step) => this.arrived(...step),
    );
    this.build(facts);
    this.listen();
    const start = /tile=(-?\d+),(-?\d+)/.exec(location.hash);
    if (start) {
      this.walk.enter(Number(start[1]), Number(start[2]));
      this.setWalking(true);
    }
    const draw = (now) => {
      this.walk.frame(now, this.running);
      if (view.frame(now)) document.body.dataset.pictures = Number(document.body.dataset.pictures ?? 0) + 1;
      requestAnimationFrame(draw);
    };
    draw(performance.now());
  }

  build(facts) {
    this.found = element("ul", { id: "found" });
    this.box = element("input", { type: "search", placeholder: "Search this map", label: "Search" });
    const index = maps.length ? [element("a", { href: "index.html" }, "All maps")] : [];
    this.facts = element("section", { id: "facts", hidden: true, role: "status" });
    this.hour = element("input", { type: "range", min: 0, max: 23.75, step: 0.25, value: this.view.hour, label: "Hour" });
    this.clock = element("output");
    this.play = element("button", { title: "Space" }, "Pause");
    this.play.hidden = !this.view.moves;
    this.walking = element("button", { title: "Arrow keys", pressed: false }, "Walk");
    this.status = element("small", { id: "status", role: "status" });
    const help = element("small", { hidden: true }, HELP);
    const more = element("button", { label: "Help", onclick: () => (help.hidden = !help.hidden) }, "?");
    const home = element("button", { title: "H", onclick: () => this.view.home() }, "First view");
    const all = element("button", { title: "O", onclick: () => this.view.overview() }, "Whole map");
    const hours = element("label", {}, "Hour", this.hour, this.clock);
    hours.hidden = !facts.skies.length && !this.view.lightChanges;
    const bar = element("footer", { id: "bar" }, hours, this.play, this.walking, home, all, more, help);
    bar.append(this.status, element("small", { id: "notice" }, NOTICE));
    const pad = element("div", { id: "pad" });
    ["↑", "↓", "←", "→"].forEach((arrow, direction) => {
      const button = element("button", { label: arrow }, arrow);
      button.style.gridArea = ["1/2", "3/2", "2/1", "2/3"][direction];
      button.addEventListener("pointerdown", () => this.walk.press(direction));
      for (const end of ["pointerup", "pointerleave", "pointercancel"]) {
        button.addEventListener(end, () => this.walk.release(direction));
      }
      pad.append(button);
    });
    document.body.classList.add("map");
    document.body.append(
      element("header", { id: "top" }, element("h1", {}, facts.title), this.box, this.found, ...index), this.facts, pad, bar,
    );
    this.showHour(this.view.hour);
  }

  listen() {
    const { view, walk } = this;
    let down = null;
    view.canvas.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => (down = [x, y]));
    view.canvas.addEventListener("pointerup", ({ clientX: x, clientY: y, button }) => {
      if (down && button === 0 && Math.hypot(x - down[0], y - down[1]) < 5) this.click(x, y);
      down = null;
    });
    this.box.addEventListener("input", () => this.search());
    this.hour.addEventListener("input", () => this.showHour(Number(this.hour.value)));
    this.play.addEventListener("click", () => this.setPlaying(!view.playing));
    this.walking.addEventListener("click", () => this.setWalking(!walk.on));
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("keyup", (event) => {
      this.running = event.shiftKey;
      if (event.code in KEYS) walk.release(KEYS[event.code]);
    });
    addEventListener("blur", () => (walk.held = []));
  }

  key(event) {
    this.running = event.shiftKey;
    if (event.code === "Escape") {
      this.facts.hidden = true;
      this.box.blur();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === this.box) return;
    if (event.target === this.hour && event.code.startsWith("Arrow")) return;
    const actions = {
      Slash: () => this.box.focus(),
      Space: () => this.setPlaying(!this.view.playing),
      KeyH: () => this.view.home(),
      KeyO: () => this.view.overview(),
      Comma: () => this.showHour((this.view.hour + 23) % 24),
      Period: () => this.showHour((this.view.hour + 1) % 24),
      Enter: () => this.talk(),
    };
    const onButton = event.target.tagName === "BUTTON" && ["Space", "Enter"].includes(event.code);
    if (event.code in KEYS) {
      this.walk.press(KEYS[event.code]);
      this.setWalking(true);
    } else if (event.code in actions && !onButton) actions[event.code]();
    else return;
    event.preventDefault();
  }

  setWalking(on) {
    if (on !== this.walk.on) this.walk[on ? "start" : "stop"]();
    this.walking.setAttribute("aria-pressed", on);
    document.body.classList.toggle("walking", on);
  }

  setPlaying(on) {
    this.view.playing = on;
    this.play.textContent = on ? "Pause" : "Play";
  }

  showHour(hour) {
    const light = this.view.setHour(hour);
    this.hour.value = hour;
    const text = (time) => `${Math.floor(time)}:${String(Math.round((time % 1) * 60)).padStart(2, "0")}`;
    this.clock.textContent = light === hour ? text(hour) : `${text(hour)}, light of ${text(light)}`;
  }

  search() {
    const results = this.things.search(this.box.value).slice(0, 60);
    this.found.replaceChildren(
      ...results.map((thing) => {
        const open = () => (thing.file ? location.assign(thing.file) : this.go(thing.node));
        return element("li", {}, element("button", { onclick: open }, thing.title));
      }),
    );
  }

  // Look at a thing and show what it is.
  go(node) {
    this.setWalking(false);
    const point = node.getWorldPosition(this.view.controls.target.clone());
    point.y += 0.8;
    this.view.look(point, 30);
    this.show(node, this.things.events(...(node.userData.tile ?? this.tileAt(point))));
  }

  tileAt(point) {
    const [x, , z] = this.view.tileOf(point);
    return [Math.floor(x), Math.floor(z)];
  }

  click(x, y) {
    this.view.canvas.focus({ preventScroll: true });
    const hit = this.view.hit(x, y);
    const node = hit && this.things.owner(hit.node);
    if (!node) {
      this.facts.hidden = true;
      return;
    }
    const tile = this.tileAt(hit.point);
    const played = node.userData.land === undefined && this.view.act(node);
    const ways = played ? this.things.ways(this.view.tileOf(node.getWorldPosition(hit.point.clone()))) : [];
    this.show(node, [...new Set([...this.things.events(...tile), ...ways])], tile, played);
  }

  // Show a node, with the events that are on its tile.
  show(node, events, tile, played) {
    const { things } = this;
    const others = events.filter((event) => event !== node);
    const parts = [element("button", { id: "close", label: "Close", onclick: () => (this.facts.hidden = true) }, "×")];
    for (const thing of [node, ...others]) {
      const same = thing !== node && thing.userData.event === "objects" && node.userData.person !== undefined;
      if (!same) parts.push(element("h2", {}, things.title(thing)));
      const words = new Set([...things.says(thing), ...(same ? things.says(node) : [])]);
      if (thing !== node || !others.some((event) => event.userData.event === "objects")) {
        parts.push(...[...words].map((text) => element("blockquote", {}, text)));
      }
      const link = things.link(thing);
      if (link) parts.push(element("a", { href: link, className: "way" }, `Go there`));
      const rows = things.lines(thing).filter(([label]) => !same || label === "Script");
      parts.push(element("dl", {}, ...rows.flatMap(([label, text]) => [element("dt", {}, label), element("dd", {}, text)])));
    }
    if (tile) {
      const { name, words } = this.tiles.behaviour(...tile);
      const ground = [this.tiles.blocked(...tile) ? "blocked" : "", name, words].filter(Boolean).join(", ");
      parts.push(element("p", {}, `Tile ${tile.join(", ")}${ground ? `: ${ground}` : ""}`));
    }
    if (played) parts.push(element("p", {}, `Plays ${played}`));
    this.facts.replaceChildren(...parts);
    this.facts.hidden = false;
  }

  // Talk to or read what is ahead.
  talk() {
    if (!this.walk.on) return;
    const tile = this.walk.ahead();
    const events = this.things.events(...tile);
    if (events.length) this.show(events[0], events, tile);
  }

  // The figure has entered a tile, or is pressed towards a direction on it: ways lead on. Whether it leaves.
  arrived(x, z, direction, pushed) {
    const ways = this.things.events(x, z).filter((node) => node.userData.event === "warps");
    if (!ways.length) return false;
    const { kinds, push = [], stairs = [] } = this.tiles.behaviour(x, z);
    const leaves = pushed ? [...push, ...stairs].includes(direction) : kinds.some((kind) => WAYS.includes(kind));
    if (!leaves) return false;
    this.walk.held = [];
    this.show(ways[0], ways, [x, z]);
    const link = this.things.link(ways[0]);
    if (link) location.assign(link);
    return true;
  }
}

async function start() {
  document.head.append(element("style", {}, css));
  if (!document.getElementById("scene")) {
    showIndex();
    return;
  }
  const facts = await (await unpacked("facts")).json();
  const view = await load(await (await unpacked("scene")).arrayBuffer(), facts);
  window.page = new Page(view, facts);
  requestAnimationFrame(() => {
    document.body.dataset.ready = Math.round(performance.now());
  });
}

start().catch((error) => document.body.append(`The map cannot be shown: ${error}`));
