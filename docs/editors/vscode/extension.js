const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = async function () {
  const command = workspace.getConfiguration("threatplan").get("command");
  const server = { command, args: ["lsp"] };
  const options = { documentSelector: [{ language: "threat" }] };
  client = new LanguageClient("threatplan", "threatplan", server, options);
  await client.start();
};

exports.deactivate = function () {
  return client && client.stop();
};
