// Walks on the map tile by tile: keys and buttons move a figure, which the camera follows.

import { ConeGeometry, Group, Mesh, MeshBasicMaterial, SphereGeometry } from "three";
import { DX, DZ, OPPOSITE, WORDS } from "./tiles.js";

const SECONDS = 0.22; // for a tile
const FASTEST = 3; // on ice

export class Walk {
  // `say(text)` shows a line about the last step, `arrive(x, z, direction, pushed)` is told of tiles entered and pushes.
  constructor(view, tiles, facts, say, arrive) {
    Object.assign(this, { view, tiles, say, arrive });
    [this.x, this.z] = facts.tile.map(Math.floor);
    this.y = facts.height;
    this.facing = 1;
    this.held = [];
    this.on = false;
    const material = new MeshBasicMaterial({ color: 0xe03030 });
    this.figure = new Group();
    const body = new Mesh(new ConeGeometry(0.35, 1, 12), material);
    const head = new Mesh(new SphereGeometry(0.25, 12, 8), new MeshBasicMaterial({ color: 0xffe0c0 }));
    body.position.y = 0.5;
    head.position.y = 1.1;
    this.figure.add(body, head);
    this.figure.visible = false;
    view.scene.add(this.figure);
  }

  // Begin on a tile.
  enter(x, z, near = this.y) {
    [this.x, this.z] = [x, z];
    this.y = this.tiles.height(x + 0.5, z + 0.5, near) ?? 0;
    this.start();
  }

  start() {
    this.on = this.figure.visible = true;
    this.place(this.x + 0.5, this.z + 0.5);
    this.status();
  }

  stop() {
    this.on = this.figure.visible = false;
    this.held = [];
    this.view.needed = true;
  }

  place(x, z) {
    this.figure.position.copy(this.view.point(x, this.y, z));
    this.view.follow(this.figure.position.clone());
  }

  // A direction as the camera sees it as one of the map.
  turned(direction) {
    const turns = Math.round(this.view.controls.getAzimuthalAngle() / (Math.PI / 2));
    const circle = [0, 3, 1, 2]; // north, east, south, west
    return circle[(((circle.indexOf(direction) - turns) % 4) + 4) % 4];
  }

  press(direction) {
    if (!this.on) this.start();
    if (!this.held.includes(direction)) this.held.push(direction);
  }

  release(direction) {
    this.held = this.held.filter((other) => other !== direction);
  }

  ahead() {
    return [this.x + DX[this.facing], this.z + DZ[this.facing]];
  }

  // Go on; `now` in milliseconds.
  frame(now, running) {
    if (!this.on) return;
    if (this.step) {
      const { from, tiles, begun, facing } = this.step;
      const share = Math.min(1, (now - begun) / (SECONDS * 1000 * tiles * (running ? 0.5 : 1)));
      const [x, z] = [from[0] + DX[facing] * tiles * share + 0.5, from[1] + DZ[facing] * tiles * share + 0.5];
      this.y = this.tiles.height(x, z, this.y) ?? this.y;
      this.place(x, z);
      if (tiles > 1) this.figure.position.y += Math.sin(share * Math.PI) * 0.6;
      if (share < 1) return;
      [this.x, this.z] = [from[0] + DX[facing] * tiles, from[1] + DZ[facing] * tiles];
      this.step = null;
      const forced = this.forced(facing);
      this.status();
      if (this.spin === null && this.arrive(this.x, this.z, facing, false)) return;
      if (forced !== null) {
        if (this.spin !== null) this.facing = forced;
        this.step = { from: [this.x, this.z], tiles: 1, begun: now, facing: forced };
        return;
      }
    }
    if (this.held.length) this.begin(this.turned(this.held.at(-1)), now);
  }

  begin(facing, now) {
    this.facing = facing;
    if (this.arrive(this.x, this.z, facing, true)) return;
    const { tiles, reason } = this.tiles.step(this.x, this.z, this.y, facing);
    Object.assign(this, { slide: 0, spin: null, released: false });
    if (tiles) this.step = { from: [this.x, this.z], tiles, begun: now, facing };
    else this.status(`To the ${WORDS[facing]}: ${reason}.`);
  }

  // The direction in which a tile moves the figure that came onto it; null for none. On tiles that turn that is theirs,
  // until something is in the way; on ice the one in which it came, and one tile back where it rises too much.
  forced(facing) {
    const free = (direction) => this.tiles.step(this.x, this.z, this.y, direction).tiles === 1;
    const { kinds, spin } = this.tiles.behaviour(this.x, this.z);
    if (kinds.includes("stop_sliding")) this.spin = null;
    this.spin = spin?.[0] ?? this.spin;
    if (this.spin !== null && !free(this.spin)) this.spin = null;
    if (this.spin !== null || this.released) return this.spin;
    const [x, z] = [this.x + 0.5 + DX[facing] / 4, this.z + 0.5 + DZ[facing] / 4];
    const rise = Math.sign((this.tiles.height(x, z, this.y) ?? this.y) - this.y);
    const ahead = free(facing);
    const speed = this.slide - rise;
    this.slide = 0;
    if (!kinds.includes("ice")) return null;
    if (ahead && speed >= 0) {
      this.slide = Math.min(speed, FASTEST);
      return facing;
    }
    this.released = true;
    return (ahead || rise > 0) && free(OPPOSITE[facing]) ? OPPOSITE[facing] : null;
  }

  status(more = "") {
    const { name } = this.tiles.behaviour(this.x, this.z);
    this.say(`Tile ${this.x}, ${this.z}, height ${Math.round(this.y * 100) / 100}${name ? `, ${name}` : ""}. ${more}`);
  }
}
