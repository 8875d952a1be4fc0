// Starts `hetc lsp` and lets it look at the files that hetc knows. All else is the server's.
"use strict";

const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

/** The program as the settings name it; a relative path with a folder in it starts at the workspace's folder. */
function program(settings) {
  const given = settings.get("path") || "hetc";
  const home = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  return home && /[\\/]/.test(given) && !path.isAbsolute(given) ? path.join(home, given) : given;
}

function languages(settings) {
  const schemes = ["file", "untitled"];
  const ids = settings.get("yaml") === false ? ["het"] : ["het", "yaml"];
  return ids.flatMap((language) => schemes.map((scheme) => ({ scheme, language })));
}

async function start() {
  const settings = vscode.workspace.getConfiguration("hetc");
  const command = program(settings);
  client = new LanguageClient(
    "hetc",
    "hetc",
    { command, args: ["lsp", ...(settings.get("arguments") || [])], transport: TransportKind.stdio },
    { documentSelector: languages(settings) },
  );
  try {
    await client.start();
  } catch (error) {
    const say = `hetc: cannot start \`${command} lsp\`: ${error.message}. Install it with \`pip install 'hetc[lsp]'\`, or set \`hetc.path\`.`;
    vscode.window.showErrorMessage(say);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running?.needsStop()) {
    await running.stop();
  }
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("hetc.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) => (change.affectsConfiguration("hetc") ? restart() : undefined)),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
