// Runs the Khronos glTF validator on files: node validate_glb.cjs MODULES_FOLDER FILE...
// Prints one JSON object: {file: {errors, warnings, messages}}.
const fs = require("fs");
const path = require("path");
const [modules, ...files] = process.argv.slice(2);
const validator = require(path.join(modules, "gltf-validator"));

(async () => {
  const result = {};
  for (const file of files) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 20 });
    const { numErrors, numWarnings, messages } = report.issues;
    result[file] = { errors: numErrors, warnings: numWarnings, messages };
  }
  process.stdout.write(JSON.stringify(result));
})();
