// Runs the Khronos glTF validator on files (buffers and images of a .gltf are beside it): node validate_glb.cjs MODULES_FOLDER FILE...
// Prints one JSON object: {file: {errors, warnings, messages}}.
const fs = require("fs");
const path = require("path");
const [modules, ...files] = process.argv.slice(2);
const validator = require(path.join(modules, "gltf-validator"));

(async () => {
  const result = {};
  for (const file of files) {
    const beside = (uri) => new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri))));
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
      maxIssues: 20,
      externalResourceFunction: async (uri) => beside(uri),
    });
    const { numErrors, numWarnings, messages } = report.issues;
    result[file] = { errors: numErrors, warnings: numWarnings, messages };
  }
  process.stdout.write(JSON.stringify(result));
})();
