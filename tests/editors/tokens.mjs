// Prints the tokens that VS Code's own tokenizer makes of a text, as JSON: a list of [text, scopes] for each line.
// Arguments: the folder of the installed modules, the grammar, the file; embedded languages come from tm-grammars.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [modules, grammar, file] = process.argv.slice(2);
const require = createRequire(join(modules, "index.js"));
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

await oniguruma.loadWASM(readFileSync(join(modules, "vscode-oniguruma", "release", "onig.wasm")).buffer);
const embedded = (name) => join(modules, "tm-grammars", "grammars", `${name}.json`);
const files = { "source.het": grammar, "source.yaml": embedded("yaml"), "source.shell": embedded("shellscript") };
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => (files[scope] ? textmate.parseRawGrammar(readFileSync(files[scope], "utf8"), files[scope]) : null),
});

const het = await registry.loadGrammar("source.het");
let state = textmate.INITIAL;
const lines = readFileSync(file, "utf8").split("\n").map((line) => {
  const { tokens, ruleStack } = het.tokenizeLine(line, state);
  state = ruleStack;
  return tokens.map((token) => [line.slice(token.startIndex, token.endIndex), token.scopes]);
});
console.log(JSON.stringify(lines));
