// What things of a map are: the lines about a node or a tile, and the list that is searched. The words come from the
// extras of nodes and from the facts of the page.

const NAMED = ["prop", "person", "event", "model", "land", "effect"];

export class Things {
  constructor(view, tiles, facts, maps) {
    Object.assign(this, { view, tiles, facts });
    this.maps = new Map(maps.map((map) => [map.header, map]));
    this.onTile = new Map(); // "x,z" -> nodes of events
    this.list = [];
    view.root.traverse((node) => {
      const { event, tile, prop, present, width = 1, length = 1 } = node.userData;
      if (event) {
        for (let x = 0; x < (event === "triggers" ? width : 1); x++) {
          for (let z = 0; z < (event === "triggers" ? length : 1); z++) {
            const place = `${tile[0] + x},${tile[1] + z}`;
            this.onTile.set(place, [...(this.onTile.get(place) ?? []), node]);
          }
        }
        if (event === "objects" && present) tiles.people.set(`${tile}`, this.title(node));
        if (event !== "triggers" && present !== false) this.list.push({ title: this.title(node), node });
      } else if (prop !== undefined) {
        this.list.push({ title: this.title(node), node });
      }
    });
  }

  known(node) {
    const { event, person, header, index } = node.userData;
    return this.facts.events[`${event ?? "objects"} ${header} ${index ?? person}`] ?? {};
  }

  title(node) {
    const extras = node.userData;
    if (extras.leads_to) return `Way to ${placeName(extras.leads_to)}`;
    if (extras.event === "warps") return "Way back to where the player came from";
    if (extras.event === "triggers") return `Trigger of script ${extras.script}`;
    if (extras.event || extras.person !== undefined) {
      const own = this.known(node).name || extras.graphics_name;
      return own || (extras.event === "signs" ? `Sign ${extras.index}` : node.name);
    }
    return node.name;
  }

  // The node that stands for a part of it.
  owner(node) {
    while (node && !NAMED.some((name) => node.userData[name] !== undefined)) node = node.parent;
    return node;
  }

  events(x, z) {
    return this.onTile.get(`${x},${z}`) ?? [];
  }

  // The ways on tiles beside a point, [x, height, z] in tiles: those of a door.
  ways([x, , z]) {
    const near = [...this.onTile.values()].flat().filter(({ userData: { event, tile } }) => {
      return event === "warps" && Math.hypot(tile[0] + 0.5 - x, tile[1] + 0.5 - z) < 1.3;
    });
    return near.slice(0, 1);
  }

  // [label, text] about a node.
  lines(node) {
    const extras = node.userData;
    const lines = [];
    const add = (label, text) => text !== undefined && text !== null && text !== "" && lines.push([label, `${text}`]);
    add("Node", node.name);
    add("Prop", extras.prop);
    add("Model", extras.model);
    add("Land data", extras.land);
    if (extras.event) add("Event", `${extras.event} ${extras.index} of header ${extras.header}`);
    if (extras.person !== undefined) add("Event", `objects ${extras.person} of header ${extras.header}`);
    if (extras.graphics !== undefined) add("Sprite", `${extras.graphics} ${extras.graphics_name ?? ""}`);
    add("Script", extras.script);
    add("Textures", extras.textures);
    add("From", [extras.provenance ?? []].flat().join("; "));
    add("Tile", extras.tile?.join(", "));
    return lines;
  }

  says(node) {
    return this.known(node).says ?? [];
  }

  // The page to which a way leads; undefined for none.
  link(node) {
    const to = node.userData.leads_to;
    const map = to && this.maps.get(to.header);
    return map && `${map.file}#tile=${to.tile}`;
  }

  // Things and maps whose names have all words.
  search(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = ({ title }) => words.every((word) => title.toLowerCase().includes(word));
    return words.length ? [...this.list.filter(fits), ...[...this.maps.values()].filter(fits)] : [];
  }
}

function placeName({ internal_name: name, location_name: location }) {
  return `${location} (${name})`;
}
