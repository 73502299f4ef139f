import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { BlockList } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { afterAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { loadConfig, SETTING_NAMES } from "@/lib/platform/config";

/**
 * The files of deploy/ name what exists, and fit each other. Those that a tool of Debian's reads are valid for it; of the
 * Dockerfile, Compose and Kubernetes the names of keys are compared with lists, because their tools need a server.
 */

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

const INSTRUCTIONS = /^(ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|RUN|STOPSIGNAL|USER|VOLUME|WORKDIR)$/;

test("The Dockerfile has known instructions, does not run as root and names files and scripts that exist.", () => {
  const text = read("Dockerfile");
  const lines = text
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter(Boolean);
  const steps = lines.map((line) => line.split(/ (.*)/) as [name: string, words: string]);
  const list = (wanted: string) => steps.filter(([name]) => name === wanted).map(([, words]) => words);
  expect(steps.filter(([name, words]) => !INSTRUCTIONS.test(name) || words === undefined)).toEqual([]);
  // The second stage copies from the first, what the first has written.
  expect(list("FROM").map((words) => words.split(" ").slice(1))).toEqual([["AS", "build"], []]);
  expect(list("COPY").at(-1)).toBe("--from=build /app /app");
  expect(list("RUN")[1]).toContain("npm run -s build:image -- /app");
  const settings = Object.fromEntries(
    list("ENV").flatMap((words) => words.split(/ +/).map((pair) => pair.split("=") as [string, string])),
  );
  expect([list("USER"), list("EXPOSE"), list("VOLUME")]).toEqual([
    ["node"],
    [settings.PORT],
    [settings.SPOTLINE_DATA_DIR],
  ]);
  for (const name of Object.keys(settings).filter((each) => each.startsWith("SPOTLINE_")))
    expect(SETTING_NAMES).toContain(name);
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  for (const [, name = ""] of text.matchAll(/npm run -s ([\w:]+)/g)) expect(scripts).toHaveProperty([name]);
  const [probe = ""] = list("HEALTHCHECK");
  expect(JSON.parse(probe.slice(probe.indexOf("[")))).toEqual(["node", "scripts/health-probe.mjs"]);
  expect(JSON.parse(list("CMD")[0] ?? "")).toEqual(["node", "dist/server.mjs"]);
  for (const path of ["scripts/health-probe.mjs", "cli/launch.mjs"]) expect(existsSync(path)).toBe(true);
});

test("The image and the systemd unit have the same settings of malloc.", () => {
  const find = (name: string) => read(name).match(/MALLOC_\w+=\d+/g);
  expect(find("Dockerfile")).toEqual(["MALLOC_ARENA_MAX=2", "MALLOC_TRIM_THRESHOLD_=131072"]);
  expect(find("deploy/systemd/spotline.service")).toEqual(find("Dockerfile"));
});

/** The keys of a file that are not in a list. Under a key in `named`, the keys are names of its author's. */
function findUnknownKeys(value: unknown, known: ReadonlySet<string>, named: ReadonlySet<string>): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each) => findUnknownKeys(each, known, named));
  return Object.entries(value).flatMap(([key, each]) => {
    const inner = named.has(key) && !Array.isArray(each) ? Object.values(each as object) : each;
    return [...(known.has(key) ? [] : [key]), ...findUnknownKeys(inner, known, named)];
  });
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

const COMPOSE_NAMES = words("services networks volumes environment depends_on");
const COMPOSE_KEYS = words(`
  services networks volumes environment depends_on build image restart init read_only tmpfs cap_drop security_opt
  stop_grace_period command healthcheck test interval timeout retries condition ports extends file service ipam config
  subnet ip_range ipv4_address`);

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: readonly string[] | Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly ipv4_address: string }>>;
  readonly extends?: { readonly file: string; readonly service: string };
  readonly [key: string]: unknown;
}

function readCompose(name: string) {
  const override = { tag: "!override", collection: "seq" as const, identify: () => false };
  return parse(read(name), { customTags: [override] }) as {
    readonly services: Readonly<Record<string, Service>>;
    readonly networks?: object;
    readonly volumes?: object;
  };
}

describe.each(["deploy/compose.yaml", "deploy/compose.two-nodes.yaml"])("%s", (name) => {
  const file = readCompose(name);
  const base = readCompose("deploy/compose.yaml");

  test("has keys of Compose, and names services, networks, volumes and files that exist.", () => {
    expect(findUnknownKeys(file, COMPOSE_KEYS, COMPOSE_NAMES)).toEqual([]);
    const services = { ...base.services, ...file.services };
    const [networks, volumes] = [
      { ...base.networks, ...file.networks },
      { ...base.volumes, ...file.volumes },
    ];
    for (const service of Object.values(file.services)) {
      const needed = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on ?? {});
      for (const each of needed as string[]) expect(services).toHaveProperty([each]);
      const joined = service.networks ?? [];
      for (const each of Array.isArray(joined) ? joined : Object.keys(joined)) expect(networks).toHaveProperty([each]);
      for (const volume of service.volumes ?? []) {
        const [source = "", path] = volume.split(":");
        expect(path).toMatch(/^\//);
        if (source.startsWith(".")) expect(existsSync(join("deploy", source))).toBe(true);
        else expect(volumes).toHaveProperty([source]);
      }
      if (service.extends === undefined) continue;
      expect(readCompose(join("deploy", service.extends.file)).services).toHaveProperty([service.extends.service]);
    }
  });

  test("sets only settings that exist.", () => {
    for (const [service, { environment = {} }] of Object.entries(file.services)) {
      if (!service.startsWith("spotline")) continue;
      expect(Object.keys(environment).filter((setting) => !SETTING_NAMES.includes(setting))).toEqual([]);
    }
  });
});

test("In Compose only Caddy publishes ports, and Spotline writes to its volume and to /tmp only.", () => {
  const { services } = readCompose("deploy/compose.yaml");
  const { services: added } = readCompose("deploy/compose.two-nodes.yaml");
  expect(Object.entries({ ...added, ...services }).filter(([, { ports }]) => ports !== undefined)).toMatchObject([
    ["caddy", { ports: ["80:80", "443:443", "443:443/udp"] }],
  ]);
  const closed = { read_only: true, tmpfs: ["/tmp"], cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] };
  expect(services["spotline"]).toMatchObject({ ...closed, volumes: ["spotline-data:/data"] });
  // The services that are waited for until they are healthy have a check; that of Spotline is in its image.
  for (const { depends_on: needed = {} } of [...Object.values(services), ...Object.values(added)]) {
    for (const [name, { condition }] of Object.entries(Array.isArray(needed) ? {} : needed)) {
      expect(condition).toBe("service_healthy");
      if (name !== "spotline") expect(services[name]).toHaveProperty("healthcheck.test");
    }
  }
});

test("Two nodes and two writers start with their settings, and Caddy passes each request to those that answer it.", () => {
  const [one, two] = ["deploy/compose.yaml", "deploy/compose.two-nodes.yaml"].map(readCompose);
  const shared = JSON.stringify(one?.services["spotline"]?.environment).replaceAll(
    /\$\{[^}:]*:.([^}]*)\}/g,
    (_, usual: string) => usual || "x".repeat(32),
  );
  const start = (name: string) =>
    loadConfig({
      ...(JSON.parse(shared) as Record<string, string>),
      ...{ SPOTLINE_FEED: "simulated", ...two?.services[name]?.environment },
    });
  const { SPOTLINE_UPSTREAMS = "", SPOTLINE_WRITERS = "" } = two?.services["caddy"]?.environment ?? {};
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

test("Compose believes Caddy alone, whose address no other container gets.", () => {
  const { services, networks } = parse(read("deploy/compose.yaml")) as {
    services: Record<"caddy" | "spotline", { environment: Record<string, string>; networks: never }>;
    networks: { spotline: { ipam: { config: [{ subnet: string; ip_range: string }] } } };
  };
  const { ipv4_address: caddy } = (services.caddy.networks as { spotline: { ipv4_address: string } }).spotline;
  expect(services.spotline.environment["SPOTLINE_TRUSTED_PROXY_ADDRESSES"]).toBe(caddy);
  const [{ subnet, ip_range }] = networks.spotline.ipam.config;
  const isIn = (range: string) => {
    const list = new BlockList();
    const [address = "", prefix] = range.split("/");
    list.addSubnet(address, Number(prefix));
    return list.check(caddy);
  };
  expect([isIn(subnet), isIn(ip_range)]).toEqual([true, false]);
});

const KUBERNETES_NAMES = words("data labels matchLabels annotations requests limits");
const KUBERNETES_KEYS = words(`
  apiVersion kind metadata name labels annotations data spec selector ports port targetPort serviceName replicas
  matchLabels template terminationGracePeriodSeconds automountServiceAccountToken enableServiceLinks securityContext
  runAsNonRoot runAsUser runAsGroup fsGroup fsGroupChangePolicy seccompProfile type containers image envFrom
  configMapRef secretRef containerPort startupProbe readinessProbe livenessProbe httpGet path periodSeconds
  timeoutSeconds failureThreshold resources requests limits allowPrivilegeEscalation readOnlyRootFilesystem
  capabilities drop volumeMounts mountPath volumes emptyDir volumeClaimTemplates accessModes storage tls hosts
  podSelector policyTypes ingress from namespaceSelector kubernetes.io/metadata.name
  secretName rules host http paths pathType backend service app.kubernetes.io/name`);

interface Named {
  readonly name: string;
}
interface Pod {
  readonly containers: readonly {
    readonly ports: readonly (Named & { readonly containerPort: number })[];
    readonly envFrom: readonly Readonly<Record<string, Named>>[];
    readonly volumeMounts: readonly (Named & { readonly mountPath: string })[];
    readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly port: string } };
  }[];
  readonly volumes: readonly Named[];
}

describe("The manifests of Kubernetes", () => {
  const manifests = parseAllDocuments(read("deploy/kubernetes/spotline.yaml")).map((each) => {
    expect(each.errors).toEqual([]);
    return each.toJS() as { apiVersion: string; kind: string; metadata: Named; spec: never; data: object };
  });
  const find = <Spec>(kind: string) => {
    const { metadata, data, spec } = manifests.find((each) => each.kind === kind) ?? expect.fail(`${kind} is missing`);
    return { name: metadata.name, data, spec: spec as Spec };
  };
  const config = find("ConfigMap");
  const service = find<{ selector: object; ports: (Named & { targetPort: string })[] }>("Service");
  const set = find<{
    serviceName: string;
    selector: { matchLabels: object };
    template: { metadata: { labels: object; annotations: object }; spec: Pod };
    volumeClaimTemplates: { metadata: Named }[];
  }>("StatefulSet");
  const pod = set.spec.template.spec;
  const container = pod.containers[0] ?? expect.fail("There is no container");

  test("have keys and versions of Kubernetes, texts as settings, and set only settings that exist.", () => {
    expect(findUnknownKeys(manifests, KUBERNETES_KEYS, KUBERNETES_NAMES)).toEqual([]);
    expect(manifests.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      "v1 ConfigMap",
      "v1 Service",
      "networking.k8s.io/v1 NetworkPolicy",
      "apps/v1 StatefulSet",
      "networking.k8s.io/v1 Ingress",
    ]);
    for (const [setting, value] of Object.entries(config.data)) {
      expect(SETTING_NAMES).toContain(setting);
      expect(value).toBeTypeOf("string");
    }
  });

  test("name ports, volumes, labels and services of each other.", () => {
    const { labels, annotations } = set.spec.template.metadata;
    expect(labels).toMatchObject(set.spec.selector.matchLabels);
    expect(labels).toMatchObject(service.spec.selector);
    expect(set.spec.serviceName).toBe(service.name);
    expect(container.envFrom[0]?.["configMapRef"]?.name).toBe(config.name);
    const ports = container.ports.map(({ name }) => name);
    const probes = (["startupProbe", "readinessProbe", "livenessProbe"] as const).map((name) => container[name]);
    const named = [
      ...service.spec.ports.map(({ targetPort }) => targetPort),
      ...probes.map((each) => each?.httpGet.port),
    ];
    expect(named).toEqual(["http", "http", "http", "http"]);
    expect(ports).toEqual(["http", "metrics"]);
    const metrics = (config.data as Record<string, string>)["SPOTLINE_METRICS_PORT"];
    expect([String(container.ports[1]?.containerPort), annotations]).toMatchObject([
      metrics,
      { "prometheus.io/port": metrics },
    ]);
    const volumes = [...pod.volumes, ...set.spec.volumeClaimTemplates.map(({ metadata }) => metadata)];
    expect(container.volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.map(({ name }) => name).sort());
    const [rule] = find<{ rules: { http: { paths: { backend: object }[] } }[] }>("Ingress").spec.rules;
    const backend = { service: { name: service.name, port: { name: service.spec.ports[0]?.name } } };
    expect(rule?.http.paths.map((each) => each.backend)).toEqual([backend]);
  });

  test("let only the ingress and Prometheus reach the server, and believe what one proxy says of clients.", () => {
    const policy = find<{
      podSelector: { matchLabels: object };
      ingress: { ports: { port: string }[]; from: object[] }[];
    }>("NetworkPolicy").spec;
    expect(policy.podSelector).toEqual(set.spec.selector);
    expect(policy.ingress.map(({ ports, from }) => [ports, from.length])).toEqual([
      [[{ port: "http" }], 1],
      [[{ port: "metrics" }], 1],
    ]);
    const { trustedProxies } = loadConfig({ ...config.data, NEXTAUTH_SECRET: "x".repeat(32) });
    expect(trustedProxies).toEqual({ count: 1, addresses: null });
  });

  test("let the server write to its volume and to /tmp only, as the user of the image.", () => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } },
    });
    expect(container).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      },
    });
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(["/data", "/tmp"]);
  });
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
