// Starts `argosy lsp` and hands it the files that are to be verified. Everything else is the server's.
"use strict";

const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function settings() {
  return vscode.workspace.getConfiguration("argosy");
}

function wanted(document) {
  return settings().get("onSave") && settings().get("suffixes").includes(path.extname(document.fileName).toLowerCase());
}

async function start() {
  const command = settings().get("command");
  client = new LanguageClient(
    "argosy",
    "Argosy",
    { command, args: ["lsp", ...settings().get("arguments")] },
    {
      documentSelector: [{ scheme: "file" }],
      middleware: { didSave: (document, next) => (wanted(document) ? next(document) : Promise.resolve()) },
    },
  );
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`'${command} lsp' does not start (pip install 'argosy[lsp]'): ${error.message}`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running !== undefined && running.isRunning()) {
    await running.stop();
  }
}

async function send(command) {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || client === undefined || !client.isRunning()) {
    return;
  }
  const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
  if (command === "argosy.verify") {
    await editor.document.save();
  }
  await client.sendRequest("workspace/executeCommand", { command, arguments: [uri] });
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("argosy.verifyFile", () => send("argosy.verify")),
    vscode.commands.registerCommand("argosy.cancelFile", () => send("argosy.cancel")),
    vscode.commands.registerCommand("argosy.restart", async () => {
      await stop();
      await start();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
