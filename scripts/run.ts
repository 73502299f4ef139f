import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Runs a command of an installed package with this Node and without a shell, so that it runs the same way on every
 * system. Shows its output. Resolves with whether it succeeded.
 */
export function runTool(
  packageName: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  console.log(`\n▶ ${packageName} ${args.join(" ")}`);
  return runNode([findTool(packageName), ...args], env);
}

/** Runs an npm script in the same way. */
export function runScript(name: string): Promise<boolean> {
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error("npm is unknown here: start this program with npm run");
  console.log(`\n▶ npm run ${name}`);
  return runNode([npm, "run", "-s", name]);
}

function runNode(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
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
