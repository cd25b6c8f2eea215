// The map of an atlas: all maps of the game on one canvas, with layers, names, links between doors, and addresses.

import L from "leaflet";
import { element } from "./element.js";

const TILE = 16;
const LAYERS = {
  people: ["People and things", "objects", "rgb(46, 160, 90)"],
  items: ["Items, also hidden", "items", "rgb(214, 48, 49)"],
  trainers: ["Trainers", "trainers", "rgb(255, 40, 170)"],
  signs: ["Signs", "signs", "rgb(40, 130, 210)"],
  warps: ["Warps", "warps", "rgb(150, 80, 220)"],
  triggers: ["Triggers", "triggers", "rgb(225, 140, 20)"],
  sight: ["Trainers' sight", "sight", "rgb(255, 40, 170)"],
  ranges: ["Walk ranges", "ranges", "rgb(60, 190, 170)"],
};
const RASTERS = { collision: "Collision", behaviours: "Tile behaviours", wild: "Wild Pokémon" };
const SHOWN = ["people", "items", "trainers", "signs", "warps"];
const scale = 2 ** MAP.level;

// A point of the canvas, in pixels of its full size, as Leaflet's coordinates, and back.
const point = (x, y) => L.latLng(-y / scale, x / scale);
const box = (west, north, east, south) => L.latLngBounds(point(west, north), point(east, south));
const pixels = ({ lat, lng }) => [lng * scale, -lat * scale];

class Places {
  constructor() {
    this.all = Object.entries(MAP.headers).map(([header, [x, y, west, north, east, south, title, name]]) => ({
      header: Number(header), x, y, west, north, east, south, title, name,
    }));
    this.byName = new Map(this.all.flatMap((place) => [[place.name, place], [String(place.header), place]]));
  }

  tile(header, x, z) {
    const place = this.byName.get(String(header));
    return place && [place.x + x * TILE, place.y + z * TILE];
  }

  at(x, y) {
    const within = this.all.filter((place) => x >= place.west && x < place.east && y >= place.north && y < place.south);
    return within.sort((a, b) => (a.east - a.west) * (a.south - a.north) - (b.east - b.west) * (b.south - b.north))[0];
  }
}

const Pictures = L.GridLayer.extend({
  initialize(time) {
    L.GridLayer.prototype.initialize.call(this, { maxNativeZoom: MAP.level, maxZoom: MAP.level + 3, noWrap: true });
    const sets = (of) => Object.entries(MAP.tiles[of] ?? {}).map(([level, tiles]) => [Number(level), new Set(tiles)]);
    this.times = [...new Set([time, "day"])].map((of) => [of, new Map(sets(of))]);
  },
  createTile({ x, y, z }) {
    const size = 2 ** z;
    const inside = x >= 0 && y >= 0 && x < size && y < size;
    const time = inside && this.times.find(([, levels]) => levels.get(z)?.has(y * size + x));
    if (!time) return element("span");
    return element("img", { src: `tiles/${time[0]}/${z}/${x}_${y}.webp`, alt: "", className: "pixels" });
  },
});

const Raster = L.GridLayer.extend({
  initialize(name) {
    L.GridLayer.prototype.initialize.call(this, { maxZoom: MAP.level + 3, opacity: 0.6, noWrap: true });
    this.image = element("img", { src: `layers/${name}.png` });
  },
  createTile({ x, y, z }, done) {
    const tile = element("canvas", { width: 256, height: 256 });
    const side = (256 * 2 ** (MAP.level - z)) / TILE;
    this.image.decode().then(() => {
      const context = tile.getContext("2d");
      context.imageSmoothingEnabled = side > 256;
      context.drawImage(this.image, x * side, y * side, side, side, 0, 0, 256, 256);
      done(null, tile);
    });
    return tile;
  },
});

class Atlas {
  constructor(node) {
    this.places = new Places();
    this.map = L.map(node, {
      crs: L.CRS.Simple, minZoom: 0, maxZoom: MAP.level + 3, zoomSnap: 0.5, renderer: L.canvas({ padding: 0.2 }),
      attributionControl: false,
    });
    this.times = { day: new Pictures("day"), night: new Pictures("night") };
    this.layers = {};
    for (const name of Object.keys(LAYERS)) this.layers[name] = this.later(name);
    for (const name of Object.keys(RASTERS)) this.layers[name] = new Raster(name);
    const titled = Object.entries(this.layers).map(([name, layer]) => [this.title(name), layer]);
    const narrow = node.clientWidth < 700;
    L.control.layers({ Day: this.times.day, Night: this.times.night }, Object.fromEntries(titled), { collapsed: narrow })
      .addTo(this.map);
    this.names = L.layerGroup().addTo(this.map);
    this.link = element("output", { className: "address" });
    this.legend = element("div", { className: "legend" });
    for (const part of [this.legend, this.link]) {
      const corner = L.control({ position: part === this.link ? "bottomleft" : "bottomright" });
      corner.onAdd = () => part;
      corner.addTo(this.map);
    }
    this.map.on("moveend baselayerchange overlayadd overlayremove", () => this.moved());
    this.map.on("click", ({ latlng }) => this.ground(latlng));
    window.addEventListener("hashchange", () => this.follow());
    this.follow() || this.whole();
  }

  title(name) {
    if (!LAYERS[name]) return RASTERS[name];
    const [title, , color] = LAYERS[name];
    return `<i style="background:${color}"></i> ${title}`;
  }

  // A layer whose things are made when it is first shown.
  later(name) {
    const group = L.featureGroup();
    group.on("add", () => group.getLayers().length || this.things(name).forEach((thing) => group.addLayer(thing)));
    return group;
  }

  things(name) {
    const [, kind, color] = LAYERS[name];
    const found = [];
    for (const [header, rows] of Object.entries(EVENTS)) {
      for (const row of rows) if (row[0] === kind) found.push(...this.drawn(Number(header), row, color));
    }
    return found;
  }

  drawn(header, [, kind, index, label, x, z, width, height, goal, goalX, goalZ], color) {
    const tiles = Array.isArray(x) ? x.map((_, at) => at % 2 || [x[at], x[at + 1]]).filter(Array.isArray) : [[x, z]];
    const style = { color, weight: 1.5, fillOpacity: 0.3 };
    const shapes = tiles.map(([tileX, tileZ]) => {
      const [left, top] = this.places.tile(header, tileX, tileZ);
      return L.rectangle(box(left, top, left + TILE * (width ?? 1), top + TILE * (height ?? 1)), style);
    });
    for (const shape of shapes) {
      shape.bindTooltip(element("span", {}, label));
      shape.on("click", (event) => {
        L.DomEvent.stopPropagation(event);
        if (goal !== undefined) this.show(goal, goalX, goalZ);
        else this.about(event.latlng, label || `${kind} ${index}`, `${kind}/${header}-${index}.html`, header);
      });
    }
    const to = goal === undefined ? null : this.places.tile(goal, goalX + 0.5, goalZ + 0.5);
    if (to) {
      const line = [point(...this.places.tile(header, x + 0.5, z + 0.5)), point(...to)];
      shapes.push(L.polyline(line, { color, weight: 1, opacity: 0.45, interactive: false }));
    }
    return shapes;
  }

  about(latlng, title, page, header) {
    const place = this.places.byName.get(String(header));
    const links = [element("a", { href: page }, title), element("br"), element("a", { href: `header/${header}.html` }, place.title)];
    L.popup().setLatLng(latlng).setContent(element("div", {}, ...links)).openOn(this.map);
  }

  ground(latlng) {
    const [x, y] = pixels(latlng);
    const place = this.places.at(x, y);
    if (!place) return;
    const tile = [Math.floor((x - place.x) / TILE), Math.floor((y - place.y) / TILE)];
    const links = [
      element("a", { href: `header/${place.header}.html` }, place.title), element("br"),
      `tile ${tile.join(", ")}`,
    ];
    L.popup().setLatLng(latlng).setContent(element("div", {}, ...links)).openOn(this.map);
  }

  // The map with most headers: the region.
  whole() {
    const groups = new Map();
    for (const place of this.places.all) groups.set(`${place.x},${place.y}`, [...(groups.get(`${place.x},${place.y}`) ?? []), place]);
    const all = [...groups.values()].sort((a, b) => b.length - a.length)[0] ?? [];
    const ends = (of, pick) => pick(...all.map((place) => place[of]));
    this.map.fitBounds(
      box(ends("west", Math.min), ends("north", Math.min), ends("east", Math.max), ends("south", Math.max)),
    );
    this.times.day.addTo(this.map);
    SHOWN.forEach((name) => this.layers[name].addTo(this.map));
  }

  show(header, x, z, zoom = Math.max(this.map.getZoom() ?? 0, MAP.level + 0.5)) {
    const [left, top] = this.places.tile(header, x + 0.5, z + 0.5);
    this.map.setView(point(left, top), zoom);
  }

  // Shows what the address names: #MAP@X,Z?hour=20&layers=collision&map-scale=2, as the links of the window have it.
  follow() {
    const [, name, x, z, query] = /^#([^@?]+)(?:@(-?[\d.]+),(-?[\d.]+))?(?:\?(.*))?$/.exec(location.hash) ?? [];
    const place = name && this.places.byName.get(decodeURIComponent(name));
    if (!place || this.own === location.hash) return Boolean(place);
    const values = new URLSearchParams(query);
    const hour = Number(values.get("hour") ?? 12);
    const night = hour >= 20 || hour < 4;
    this.times[night ? "day" : "night"].remove();
    this.times[night ? "night" : "day"].addTo(this.map);
    const layers = values.has("layers") ? values.get("layers").split(",") : this.map._loaded ? null : SHOWN;
    const zoom = values.has("map-scale") ? MAP.level + Math.log2(Number(values.get("map-scale"))) : undefined;
    if (x === undefined) this.map.fitBounds(box(place.west, place.north, place.east, place.south), { maxZoom: MAP.level + 1 });
    else this.show(place.header, Math.floor(x), Math.floor(z), zoom);
    for (const [layer, shown] of layers ? Object.entries(this.layers) : []) {
      if (layers.includes(layer)) shown.addTo(this.map);
      else shown.remove();
    }
    return true;
  }

  explain() {
    const shown = Object.entries(MAP.legend).filter(([name]) => this.map.hasLayer(this.layers[name]));
    const rows = shown.flatMap(([, colors]) => colors).map(([color, words]) => {
      const sample = element("i");
      sample.style.background = color;
      return element("div", {}, sample, ` ${words}`);
    });
    this.legend.replaceChildren(...rows);
  }

  moved() {
    this.explain();
    this.map.getPane("overlayPane").style.opacity = this.map.getZoom() < MAP.level - 3 ? 0 : 1; // too small to tell apart
    const [x, y] = pixels(this.map.getCenter());
    const place = this.places.at(x, y);
    this.label();
    if (!place) return;
    const tile = [Math.floor((x - place.x) / TILE), Math.floor((y - place.y) / TILE)];
    const layers = Object.keys(this.layers).filter((name) => this.map.hasLayer(this.layers[name]));
    const hour = this.map.hasLayer(this.times.night) ? "hour=22&" : "";
    const at = `${encodeURIComponent(place.name)}@${tile}`;
    const zoom = `map-scale=${+(2 ** (this.map.getZoom() - MAP.level)).toPrecision(4)}`;
    this.own = `#${at}?${hour}layers=${layers}&${zoom}`;
    history.replaceState(null, "", this.own);
    this.link.textContent = `mapexplorer:${MAP.release}/${at}?${hour}view=map&${zoom}`;
  }

  // The names in view, more of them the closer it is.
  label() {
    const zoom = this.map.getZoom() - MAP.level;
    const view = this.map.getBounds().pad(0.1);
    const seen = MAP.labels.filter(([, x, y, rank]) => zoom >= [-3.5, -2, -1][rank] && view.contains(point(x, y)));
    this.names.clearLayers();
    for (const [text, x, y, rank] of seen) {
      const icon = L.divIcon({ className: `name rank${rank}`, html: element("span", {}, text), iconSize: [0, 0] });
      this.names.addLayer(L.marker(point(x, y), { icon, interactive: false, keyboard: false }));
    }
  }
}

window.atlas = new Atlas(document.getElementById("map"));
