import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Starts every line of the output, where several commands run at once. */
  readonly label?: string | undefined;
}

/**
 * Runs a command of an installed package with this Node and without a shell, so that it runs the same way on every
 * system. Shows its output. Resolves with whether it succeeded.
 */
export function runTool(packageName: string, args: readonly string[], options: RunOptions = {}): Promise<boolean> {
  console.log(`\n▶ ${packageName} ${args.join(" ")}`);
  return runNode([findTool(packageName), ...args], options);
}

/** Runs an npm script in the same way. */
export function runScript(name: string, options: RunOptions = {}): Promise<boolean> {
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error("npm is unknown here: start this program with npm run");
  console.log(`\n▶ npm run ${name}`);
  return runNode([npm, "run", "-s", name], options);
}

function runNode(args: readonly string[], { env = {}, label }: RunOptions): Promise<boolean> {
  const output = label === undefined ? "inherit" : "pipe";
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ["inherit", output, output],
      env: { ...process.env, ...env },
    });
    for (const stream of [child.stdout, child.stderr])
      if (stream !== null) createInterface(stream).on("line", (line) => console.log(`${label} | ${line}`));
    child.on("error", () => resolve(false));
    child.on("close", (code) => resolve(code === 0));
  });
}

/** Finds the script of a package's first command. */
function findTool(packageName: string): string {
  const folder = join(root, "node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    bin: string | Record<string, string>;
  };
  const script = typeof bin === "string" ? bin : Object.values(bin)[0];
  if (script === undefined) throw new Error(`${packageName} has no command`);
  return join(folder, script);
}
