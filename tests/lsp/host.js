// A stand-in for Visual Studio Code: activates the extension, saves files, runs its commands, and prints what the
// language client was asked to do.
"use strict";

const Module = require("module");

const settings = { command: "argosy", arguments: ["--time-limit", "20"], onSave: true, suffixes: [".c"] };
const said = { saved: [], requests: [], stopped: 0, started: [] };
const commands = {};

const document = { fileName: "/w/a.c", uri: "file:///w/a.c", save: async () => said.saved.push("a.c") };
const vscode = {
  workspace: { getConfiguration: (part) => ({ get: (name) => (part === "argosy" ? settings[name] : undefined) }) },
  window: { activeTextEditor: { document }, showErrorMessage: (text) => (said.error = text) },
  commands: { registerCommand: (name, run) => ((commands[name] = run), { dispose() {} }) },
};

class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, { server, options, running: false, code2ProtocolConverter: { asUri: (uri) => uri } });
  }
  async start() {
    if (this.server.command === "missing") throw new Error("spawn ENOENT");
    said.started.push(this.server);
    this.running = true;
  }
  async stop() {
    said.stopped++;
    this.running = false;
  }
  isRunning() {
    return this.running;
  }
  async sendRequest(method, parameters) {
    said.requests.push([method, parameters.command, parameters.arguments]);
  }
}

let made;
const stands = {
  vscode,
  "vscode-languageclient/node": { LanguageClient: class extends LanguageClient { constructor(...all) { super(...all); made = this; } } },
};
const load = Module._load;
Module._load = (name, ...rest) => stands[name] ?? load(name, ...rest);

(async () => {
  const extension = require(process.argv[2]);
  await extension.activate({ subscriptions: [] });
  const saved = (fileName) => made.options.middleware.didSave({ fileName }, (each) => said.saved.push(each.fileName));
  await saved("/w/b.c");
  await saved("/w/notes.txt");
  settings.onSave = false;
  await saved("/w/c.c");
  await commands["argosy.verifyFile"]();
  await commands["argosy.cancelFile"]();
  await commands["argosy.restart"]();
  await extension.deactivate();
  settings.command = "missing";
  await commands["argosy.restart"]();
  console.log(JSON.stringify(said));
})();
