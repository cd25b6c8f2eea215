// The ground of a map: attributes of tiles, heights, and whether a player may step from one tile onto the next.

export const DX = [0, 0, -1, 1];
export const DZ = [-1, 1, 0, 0];
export const WORDS = ["north", "south", "west", "east"];
export const OPPOSITE = [1, 0, 3, 2];
const COLLISION = 0x8000;
const UNLOADED = 0xff;
const CELL = 32;
const TILE = 16;

function decoded(text, Kind) {
  return new Kind(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
}

export class Tiles {
  constructor(facts) {
    this.behaviours = facts.behaviours;
    this.limit = facts.step;
    this.people = new Map(); // "x,z" -> name
    const words = decoded(facts.tiles, Uint16Array);
    this.cells = new Map(
      facts.cells.map(([x, z], number) => [
        `${x},${z}`,
        { words: words.subarray(number * CELL * CELL, (number + 1) * CELL * CELL), plates: facts.plates[number] },
      ]),
    );
  }

  cell(x, z) {
    return this.cells.get(`${Math.floor(x / CELL)},${Math.floor(z / CELL)}`);
  }

  // The attribute word of a tile, that of unloaded land where there is none.
  word(x, z) {
    const cell = this.cell(x, z);
    return cell ? cell.words[(z & (CELL - 1)) * CELL + (x & (CELL - 1))] : UNLOADED;
  }

  blocked(x, z) {
    return (this.word(x, z) & COLLISION) !== 0;
  }

  number(x, z) {
    return this.word(x, z) & 0xff;
  }

  // The behaviour of a tile: its name, words, kinds and directions.
  behaviour(x, z) {
    return this.behaviours[this.number(x, z)] ?? { name: "", words: "", kinds: [] };
  }

  // The height at a point, in tiles as x and z, of the plate that is nearest to the present height; null without one.
  height(x, z, near) {
    const cell = this.cell(x, z);
    if (!cell) return null;
    if (typeof cell.plates === "string") cell.plates = decoded(cell.plates, Float32Array);
    let best = null;
    for (let at = 0; at < cell.plates.length; at += 12) {
      const height = plateHeight(cell.plates.subarray(at, at + 12), x * TILE, z * TILE);
      if (height !== null && (best === null || Math.abs(height - near) < Math.abs(best - near))) best = height;
    }
    return best;
  }

  // What a step does: { tiles: how far, reason: why it is refused }.
  step(x, z, y, direction) {
    const [toX, toZ] = [x + DX[direction], z + DZ[direction]];
    const ahead = this.behaviour(toX, toZ);
    if (ahead.ledge?.includes(direction)) return { tiles: 2 };
    if (ahead.double_ledge?.includes(direction)) return { tiles: 3 };
    const reason = this.refusal(x, z, y, direction, toX, toZ, ahead);
    return reason ? { tiles: 0, reason } : { tiles: 1 };
  }

  refusal(x, z, y, direction, toX, toZ, ahead) {
    const height = this.height(toX + 0.5, toZ + 0.5, y) ?? 0;
    if (ahead.ramp?.includes(direction)) return "a bike ramp";
    if (this.number(toX, toZ) === UNLOADED) return "no land";
    if (Math.abs(height - y) >= this.limit) return `a height of ${height} from ${y}`;
    if (this.blocked(toX, toZ)) return "blocked";
    if (this.behaviour(x, z).blocks?.includes(direction)) return "an edge of this tile";
    if (ahead.blocks?.includes(OPPOSITE[direction])) return "an edge of the tile ahead";
    if (this.people.has(`${toX},${toZ}`)) return this.people.get(`${toX},${toZ}`);
    if (ahead.kinds.includes("surfable") || ahead.kinds.includes("waterfall")) return "water";
    return "";
  }
}

// The height of a plate at a point: four corners of x, height and z; the last two of a triangle are equal.
function plateHeight(plate, x, z) {
  for (let corner = 0; corner < 12; corner += 3) {
    const next = (corner + 3) % 12;
    const [alongX, alongZ] = [plate[next] - plate[corner], plate[next + 2] - plate[corner + 2]];
    if (alongX * (z - plate[corner + 2]) - alongZ * (x - plate[corner]) > 0) return null;
  }
  const [ux, uy, uz] = [plate[3] - plate[0], plate[4] - plate[1], plate[5] - plate[2]];
  const [vx, vy, vz] = [plate[6] - plate[0], plate[7] - plate[1], plate[8] - plate[2]];
  const up = uz * vx - ux * vz;
  if (!up) return null;
  const [px, pz] = [x - plate[0], z - plate[2]];
  const along = (pz * vx - px * vz) / up;
  const across = (uz * px - ux * pz) / up;
  return plate[1] + along * uy + across * vy;
}
