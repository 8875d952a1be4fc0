// Activates a packed extension in a stand-in for VS Code, which has everything and does nothing, and deactivates it again.
// Arguments: the bundle, and the program that its setting names. Prints what happens, a line each.
"use strict";

const Module = require("node:module");

const [bundle, program] = process.argv.slice(2);

/** A class, function and object with any property, each again such a thing. */
function anything() {
  return new Proxy(class {}, {
    get(target, name) {
      if (name in target) return target[name];
      if (name === "then" || name === "toJSON" || name === Symbol.toPrimitive) return undefined;
      if (name === Symbol.iterator) return function* () {};
      return (target[name] = anything());
    },
    apply: () => anything(),
    construct: () => anything(),
  });
}

const vscode = anything();
vscode.version = "1.100.0";
Object.assign(vscode.env, { appName: "a stand-in", language: "en" });
vscode.workspace.workspaceFolders = undefined;
vscode.workspace.textDocuments = [];
vscode.window.visibleTextEditors = [];
vscode.window.tabGroups = { all: [], onDidChangeTabs: () => ({ dispose() {} }) };
vscode.workspace.getConfiguration = () => ({ get: (name) => ({ path: program, arguments: ["--isolated"], yaml: true })[name] });
vscode.window.showErrorMessage = (message) => console.log(`error: ${message}`);

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

(async () => {
  const extension = require(bundle);
  await extension.activate({ subscriptions: [] });
  console.log("activated");
  await extension.deactivate();
  console.log("deactivated");
  process.exit(0);
})();
