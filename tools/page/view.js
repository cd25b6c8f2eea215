// The scene of a page: the GLB in three.js, its colours at an hour, the sky, clips, and a picture when one is needed.

import {
  AnimationClip,
  AnimationMixer,
  Box3,
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  ClampToEdgeWrapping,
  Color,
  Fog,
  Group,
  LoopOnce,
  Mesh,
  MirroredRepeatWrapping,
  NearestFilter,
  PerspectiveCamera,
  Raycaster,
  RepeatWrapping,
  Scene,
  ShaderChunk,
  SRGBColorSpace,
  Texture,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";

const SLOW = 1 / 14; // seconds of a picture from which on the resolution becomes lower while something moves
const RATIOS = [1, 0.7, 0.5, 0.35, 0.25];
const SMALL = 1 / 300; // the size by the distance of what is left out at the lowest resolutions
const LARGE = 8; // metres of the radius from which on parts are drawn together when smaller ones are left out
const FINEST = 1; // metres of the longest edge of triangles that are then left out
const PATIENCE = 400; // milliseconds between changes of the resolution, which take time themselves

export class View {
  constructor(gltf, facts) {
    this.facts = facts;
    this.root = gltf.scene.children.find((node) => node.userData.origin_tile) ?? gltf.scene.children[0];
    this.extras = this.root.userData;
    this.scene = new Scene();
    this.scene.add(gltf.scene);
    this.renderer = new WebGLRenderer({ antialias: false, powerPreference: "high-performance" });
    document.body.prepend(this.renderer.domElement);
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("aria-label", "The map. Arrow keys walk.");
    this.camera = new PerspectiveCamera(40, 1, 0.5, 4000);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.maxPolarAngle = 1.55;
    this.controls.minDistance = 2;
    this.controls.maxDistance = 6000;
    this.controls.zoomToCursor = true;
    this.clips = gltf.animations;
    this.mixer = new AnimationMixer(this.root);
    this.actor = new AnimationMixer(this.root);
    this.acting = []; // the actions of doors
    this.acts = new Map(); // node -> { number of its latest clip, actions }
    this.playing = true;
    this.level = 0; // in RATIOS
    this.judged = 0;
    this.still = 0;
    this.needed = true;
    this.prepare();
    this.prepareFog();
    this.setHour(this.extras.second / 3600);
    this.controls.addEventListener("change", () => this.moved());
    addEventListener("resize", () => this.resize());
    this.resize();
    this.home();
  }

  // The point of a place in tiles and units in the scene's metres.
  point(x, height, z) {
    const { metres_per_unit: metre, origin_units: origin } = this.extras;
    return new Vector3((x * 16 - origin[0]) * metre, height * metre, (z * 16 - origin[2]) * metre);
  }

  // The inverse: [x, z] in tiles and the height in units.
  tileOf(point) {
    const { metres_per_unit: metre, origin_units: origin } = this.extras;
    return [(point.x / metre + origin[0]) / 16, point.y / metre, (point.z / metre + origin[2]) / 16];
  }

  // What is worked out once: colour sets, what clips and the camera turn, sliding textures; all else keeps its place.
  prepare() {
    this.colored = new Set();
    this.billboards = [];
    this.sliding = new Map();
    this.root.traverse((node) => {
      if (node.userData.billboard === "screen") this.billboards.push(node);
      if (!node.isMesh) return;
      const { attributes, userData } = node.geometry;
      if (attributes.color && !userData.sets) {
        userData.sets = [attributes.color];
        for (let set = 1; attributes[`color_${set}`]; set++) {
          userData.sets.push(attributes[`color_${set}`]);
          node.geometry.deleteAttribute(`color_${set}`);
        }
        this.colored.add(node.geometry);
      }
      const slides = (node.material.userData.animations ?? []).filter(
        (curve) => curve.property === "offset" && curve.clip.startsWith("auto."),
      );
      if (slides.length && node.material.map) this.sliding.set(node.material, slides[0]);
    });
    // Equal colours are one attribute.
    this.lightChanges = [...this.colored].some(({ userData }) => new Set(userData.sets).size > 1);
    const named = new Map();
    this.root.traverse((node) => named.set(node.name, node));
    const moving = new Set(this.billboards);
    const toggled = new Set();
    for (const { tracks } of this.clips) {
      for (const track of tracks) {
        const end = track.name.lastIndexOf(".");
        track.node = named.get(track.name.slice(0, end));
        track.name = track.name.slice(end); // of the node itself: three.js would look for each among all
        moving.add(track.node);
        if (track.name === ".scale") toggled.add(track.node);
      }
    }
    this.toggled = [...toggled];
    for (const node of [...moving]) node.traverseAncestors((above) => moving.add(above));
    this.scene.updateMatrixWorld(true);
    this.parts = [];
    this.root.traverse((node) => {
      if (!moving.has(node)) node.matrixAutoUpdate = node.matrixWorldAutoUpdate = false;
      if (!node.isMesh || toggled.has(node)) return;
      node.geometry.computeBoundingSphere();
      this.parts.push([node, node.geometry.boundingSphere.radius * node.matrixWorld.getMaxScaleOnAxis()]);
    });
    const ambient = this.clips.find((clip) => clip.name === "ambient");
    if (ambient) this.start(this.mixer, ambient, () => true);
    this.moves = Boolean(ambient) || this.sliding.size > 0;
  }

  // The map's fog as it is for the game's camera, farther away for a camera that is.
  prepareFog() {
    const { fog } = this.extras;
    if (!fog || fog.begin_units === null) return;
    const most = Math.min(1, Math.max(...fog.densities) / 127);
    ShaderChunk.fog_fragment = ShaderChunk.fog_fragment.replace(
      "smoothstep( fogNear, fogFar, vFogDepth )",
      `${most.toFixed(3)} * clamp((vFogDepth - fogNear) / (fogFar - fogNear), 0., 1.)`,
    );
    this.scene.fog = new Fog(new Color().setRGB(...fog.color.map((part) => part / 31), SRGBColorSpace));
    this.scene.traverse(({ material }) => material && (material.fog = Boolean(material.userData.fog)));
  }

  placeFog(distance) {
    const { fog, camera, metres_per_unit: metre } = this.extras;
    const [begin, end] = [fog.begin_units, fog.end_units ?? camera.far_units];
    const scale = metre * Math.max(1, distance / (camera.distance_units * metre));
    this.scene.fog.near = distance + (begin - camera.distance_units) * scale;
    this.scene.fog.far = this.scene.fog.near + Math.max(1, end - begin) * scale;
  }

  // Play the parts of a clip for some nodes; the result is an action for each.
  start(mixer, clip, wanted) {
    const parts = Map.groupBy(clip.tracks, (track) => track.node);
    return [...parts].filter(([node]) => wanted(node)).map(([node, tracks]) => {
      return mixer.clipAction(new AnimationClip(clip.name, clip.duration, tracks), node).reset().play();
    });
  }

  get hours() {
    return this.extras.hours ?? [this.extras.second];
  }

  // Show the colours of the set that is nearest to an hour, and the sky; the result is the hour of the set.
  setHour(hour) {
    this.hour = hour;
    const apart = (second) => Math.min(...[-24, 0, 24].map((turn) => Math.abs(second / 3600 + turn - hour)));
    const set = this.hours.reduce((best, second, at) => (apart(second) < apart(this.hours[best]) ? at : best), 0);
    for (const geometry of this.colored) {
      const { sets } = geometry.userData;
      geometry.setAttribute("color", sets[set] ?? sets[0]);
    }
    this.scene.background = this.sky(hour);
    this.needed = true;
    return this.hours[set] / 3600;
  }

  sky(hour) {
    const { skies } = this.facts;
    if (!skies.length) return new Color().setRGB(...this.extras.clear_color.map((part) => part / 31), SRGBColorSpace);
    const [before, after] = [skies[Math.floor(hour) % 24], skies[(Math.floor(hour) + 1) % 24]];
    const share = hour % 1;
    const mixed = before.map((color, row) => color.map((part, at) => part + (after[row][at] - part) * share));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2, 128];
    const drawing = canvas.getContext("2d");
    const gradient = drawing.createLinearGradient(0, 0, 0, 128);
    gradient.addColorStop(0, `rgb(${mixed[0]})`);
    gradient.addColorStop(1, `rgb(${mixed[1]})`);
    drawing.fillStyle = gradient;
    drawing.fillRect(0, 0, 2, 128);
    const texture = new CanvasTexture(canvas);
    texture.colorSpace = SRGBColorSpace;
    return texture;
  }

  // The game's camera on the tile where the player enters.
  home() {
    const { tile, height } = this.facts;
    const [x, z] = tile.map((value) => (Number.isInteger(value) ? value + 0.5 : value));
    const { distance_units: distance, pitch_degrees: pitch, field_of_view_degrees: angle } = this.extras.camera;
    this.camera.fov = angle;
    const narrow = Math.min(2, Math.max(1, 1 / this.camera.aspect)); // a telephone
    this.look(this.point(x, height, z), distance * this.extras.metres_per_unit * narrow, pitch);
  }

  // Look at a point from the south, from a distance in metres and an angle in degrees above the ground.
  look(target, distance, pitch = 45) {
    const angle = (pitch * Math.PI) / 180;
    this.controls.target.copy(target);
    this.camera.position.set(0, Math.sin(angle) * distance, Math.cos(angle) * distance).add(target);
    this.controls.update();
    this.resize();
  }

  // The whole map.
  overview() {
    const box = new Box3().setFromObject(this.root);
    const size = box.getSize(new Vector3());
    this.look(box.getCenter(new Vector3()), (Math.max(size.x, size.z) * 0.5) / Math.tan((this.camera.fov * Math.PI) / 360));
  }

  // Move the camera and what it looks at.
  follow(point) {
    const offset = point.clone().sub(this.controls.target);
    this.controls.target.add(offset);
    this.camera.position.add(offset);
    this.controls.update();
    this.moved();
  }

  resize() {
    this.camera.aspect = innerWidth / innerHeight;
    this.moved();
    this.still = 0;
  }

  moved() {
    this.still = performance.now() + 250;
    this.needed = true;
  }

  // Draw if something changed; `now` in milliseconds.
  frame(now) {
    const seconds = Math.min(0.2, (now - (this.last ?? now)) / 1000);
    const moving = now < this.still;
    this.acting = this.acting.filter((action) => action.isRunning());
    const playing = this.playing && this.moves;
    const changes = moving || playing || this.acting.length > 0;
    this.last = now;
    if (changes) this.adapt(seconds, now);
    else if (this.level) this.level = 0; // sharp and complete again at rest
    else if (!this.needed) return false;
    this.needed = false;
    this.waiting = playing ? (this.waiting ?? 0) + seconds : 0;
    if (this.waiting > (this.slow ? 0.3 : 0)) {
      this.animate(this.waiting);
      this.waiting = 0;
    }
    this.actor.update(seconds);
    for (const node of this.toggled) node.visible = node.scale.x > 1e-4;
    this.draw();
    return true;
  }

  // Whether the lowest resolution is not enough: small things are left out, and clips move less often.
  get slow() {
    return this.level === RATIOS.length - 1;
  }

  adapt(seconds, now) {
    this.mean = (this.mean ?? 0) * 0.7 + seconds * 0.3;
    if (now - this.judged < PATIENCE) return;
    const change = this.mean > SLOW ? 1 : this.mean < SLOW / 3 ? -1 : 0;
    this.level = Math.min(RATIOS.length - 1, Math.max(0, this.level + change));
    if (change) this.judged = now;
  }

  animate(seconds) {
    this.mixer.update(seconds);
    this.time = (this.time ?? 0) + seconds;
    for (const [material, { frames, frames_per_second: rate, keys }] of this.sliding) {
      const frame = Math.floor(this.time * rate) % frames;
      const key = keys.findLast(([at]) => at <= frame) ?? keys[0];
      material.map.offset.set(key[1], key[2]);
    }
  }

  draw() {
    const distance = this.camera.position.distanceTo(this.controls.target);
    if (this.scene.fog) this.placeFog(distance);
    this.leaveOut(this.slow ? 2 ** Math.round(Math.log2(distance * SMALL)) * 1.4 : 0);
    this.camera.near = Math.max(0.2, distance / 40);
    this.camera.far = distance * 6 + 300;
    this.camera.updateProjectionMatrix();
    if (!this.slow) for (const node of this.billboards) node.quaternion.copy(this.camera.quaternion);
    const full = Math.min(devicePixelRatio, 2) * RATIOS[this.level];
    const size = [innerWidth, innerHeight].map((length) => Math.max(1, Math.round(length * full)));
    if (this.canvas.width !== size[0] || this.canvas.height !== size[1]) this.renderer.setSize(...size, false);
    this.renderer.render(this.scene, this.camera);
  }

  // Show only what has a radius of so many metres.
  leaveOut(radius) {
    if (radius === this.least) return;
    this.least = radius;
    const together = radius >= LARGE && !this.lightChanges;
    if (together) this.joined ??= this.join();
    if (this.joined) this.joined.visible = together;
    for (const [node, own] of this.parts) node.visible = own >= radius && !(together && this.joined.parts.has(node));
  }

  // The large parts that keep their places as one mesh for each material: few draws where much of a map is seen.
  join() {
    const joined = new Group();
    const still = this.parts.filter(([node, own]) => own >= LARGE && !node.matrixAutoUpdate && !node.isSkinnedMesh);
    joined.parts = new Set(still.map(([node]) => node).filter((node) => node.matrixWorld.determinant() > 0));
    const kind = ({ material, geometry }) => `${material.uuid} ${Object.keys(geometry.attributes)}`;
    for (const nodes of Map.groupBy(joined.parts, kind).values()) {
      joined.add(new Mesh(coarser(mergeGeometries(nodes.map(placed))), nodes[0].material));
    }
    this.scene.add(joined);
    return joined;
  }

  // What is at a point of the window: { node, point }, or null.
  hit(x, y) {
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2((x / innerWidth) * 2 - 1, 1 - (y / innerHeight) * 2), this.camera);
    const hits = caster.intersectObject(this.root, true);
    const shown = (object) => object.visible || (this.joined?.visible && this.joined.parts.has(object));
    const seen = hits.find(({ object }) => shown(object) && Math.abs(object.matrixWorld.determinant()) > 1e-12);
    return seen ? { node: seen.object, point: seen.point } : null;
  }

  // Play the next clip of a node: doors open, then close. The result is its name, "" without any.
  act(node) {
    const below = new Set();
    node.traverse((part) => below.add(part));
    const own = this.clips.filter(
      ({ name, tracks }) => !/^(ambient$|auto\.)/.test(name) && tracks.some((track) => below.has(track.node)),
    );
    if (!own.length) return "";
    const { number, actions } = this.acts.get(node) ?? { number: -1, actions: [] };
    for (const action of actions) action.stop();
    const clip = own[(number + 1) % own.length];
    const started = this.start(this.actor, clip, (part) => below.has(part));
    for (const action of started) action.setLoop(LoopOnce).clampWhenFinished = true;
    this.acts.set(node, { number: number + 1, actions: started });
    this.acting.push(...started);
    return clip.name;
  }
}

// The vertices that a mesh uses of those that it shares, in the scene's space.
function placed({ geometry, matrixWorld }) {
  const corners = geometry.index.array;
  const first = corners.reduce((low, corner) => Math.min(low, corner), Infinity);
  const last = corners.reduce((high, corner) => Math.max(high, corner), 0);
  const own = new BufferGeometry();
  for (const [name, { array, itemSize: size, normalized }] of Object.entries(geometry.attributes)) {
    own.setAttribute(name, new BufferAttribute(array.slice(first * size, (last + 1) * size), size, normalized));
  }
  own.setIndex(Array.from(corners, (corner) => corner - first));
  return own.applyMatrix4(matrixWorld);
}

// A geometry without its smallest triangles.
function coarser(geometry) {
  const { array } = geometry.attributes.position;
  const corners = geometry.index.array;
  const apart = (p, q) => (array[p] - array[q]) ** 2 + (array[p + 1] - array[q + 1]) ** 2 + (array[p + 2] - array[q + 2]) ** 2;
  const kept = [];
  for (let at = 0; at < corners.length; at += 3) {
    const [a, b, c] = [3 * corners[at], 3 * corners[at + 1], 3 * corners[at + 2]];
    const longest = Math.max(apart(a, b), apart(b, c), apart(c, a));
    if (longest >= FINEST ** 2) kept.push(a / 3, b / 3, c / 3);
  }
  geometry.setIndex(kept);
  return geometry;
}

const WRAPPING = { 10497: RepeatWrapping, 33071: ClampToEdgeWrapping, 33648: MirroredRepeatWrapping };

// Textures without addresses of their pictures, which take most of the time of a large map.
class Pictures {
  constructor(parser) {
    Object.assign(this, { name: "pictures", parser, bitmaps: new Map() });
  }

  bitmap(source) {
    if (!this.bitmaps.has(source)) this.bitmaps.set(source, this.decoded(this.parser.json.images[source]));
    return this.bitmaps.get(source);
  }

  async decoded({ bufferView, mimeType: type }) {
    const blob = new Blob([await this.parser.getDependency("bufferView", bufferView)], { type });
    return createImageBitmap(blob, { premultiplyAlpha: "none", colorSpaceConversion: "none" });
  }

  async loadTexture(number) {
    const { source, sampler } = this.parser.json.textures[number];
    const { wrapS, wrapT } = this.parser.json.samplers[sampler];
    const texture = new Texture(await this.bitmap(source));
    texture.magFilter = texture.minFilter = NearestFilter;
    [texture.wrapS, texture.wrapT] = [WRAPPING[wrapS], WRAPPING[wrapT]];
    Object.assign(texture, { flipY: false, generateMipmaps: false, needsUpdate: true });
    this.parser.associations.set(texture, { textures: number });
    return texture;
  }
}

export function load(data, facts) {
  return new Promise((resolve, reject) => {
    const loader = new GLTFLoader().register((parser) => new Pictures(parser));
    loader.parse(data, "", (gltf) => resolve(new View(gltf, facts)), reject);
  });
}
