// Bundles the scripts of pages and of atlases into data/page, with the licences of the libraries.

import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const folder = new URL("../../data/page/", import.meta.url);
const bundles = { page: ["page.js", "three"], map: ["atlas/map.js", "leaflet"], site: ["atlas/site.js"] };

for (const [name, [source, library]] of Object.entries(bundles)) {
  const license = library && readFileSync(new URL(`node_modules/${library}/LICENSE`, import.meta.url), "utf8");
  await build({
    entryPoints: [new URL(source, import.meta.url).pathname],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    legalComments: "none",
    loader: { ".css": "text" },
    banner: library ? { js: `/*\n${library === "three" ? "three.js" : "Leaflet"}\n\n${license.trim()}\n*/` } : {},
    outfile: new URL(`${name}.js`, folder).pathname,
  });
  if (library) writeFileSync(new URL(`LICENSE.${library}.txt`, folder), license);
}
await build({
  entryPoints: [new URL("atlas/site.css", import.meta.url).pathname],
  bundle: true,
  minify: true,
  loader: { ".png": "dataurl" },
  outfile: new URL("site.css", folder).pathname,
});
