// Bundles the script of pages into data/page, with the licence of three.js at its start.

import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const folder = new URL("../../data/page/", import.meta.url);
const license = readFileSync(new URL("node_modules/three/LICENSE", import.meta.url), "utf8");
await build({
  entryPoints: [new URL("page.js", import.meta.url).pathname],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  legalComments: "none",
  loader: { ".css": "text" },
  banner: { js: `/*\nthree.js\n\n${license.trim()}\n*/` },
  outfile: new URL("page.js", folder).pathname,
});
writeFileSync(new URL("LICENSE.three.txt", folder), license);
