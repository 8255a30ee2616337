// Starts `synclint server` and lets VS Code talk with it; everything else happens there.
"use strict";

const { commands, workspace, window } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function options() {
  const settings = () => ({ synclint: workspace.getConfiguration("synclint").get("settings") ?? {} });
  return {
    documentSelector: [{ language: "python" }],
    initializationOptions: settings(),
    middleware: {
      workspace: {
        didChangeConfiguration: () =>
          client.sendNotification("workspace/didChangeConfiguration", { settings: settings() }),
      },
    },
    synchronize: { configurationSection: "synclint" },
  };
}

async function start() {
  const [command, ...args] = workspace.getConfiguration("synclint").get("command");
  client = new LanguageClient(
    "synclint",
    "synclint",
    { command, args },
    options(),
  );
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(
      `synclint: ${command} could not be started (${error.message}). Install synclint[lsp], or set synclint.command.`,
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running?.isRunning()) {
    await running.stop();
  }
}

exports.activate = async (context) => {
  context.subscriptions.push(
    commands.registerCommand("synclint.restart", async () => {
      await stop();
      await start();
    }),
    workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("synclint.command")) {
        await stop();
        await start();
      }
    }),
  );
  await start();
};

exports.deactivate = stop;
