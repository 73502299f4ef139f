import { readdirSync, readFileSync } from "node:fs";

type Project = "unit" | "api" | "process" | "nightly" | "journeys" | "nightlyJourneys";

export interface FoundTests {
  /** The test files to run, by what runs them. */
  readonly files: Readonly<Record<Project, readonly string[]>>;
  /** A regular expression of the titles to run; null runs whole files. */
  readonly title: string | null;
}

const FOLDERS = ["lib", "cli", "app", "components", "features", "scripts", "bench", "e2e", "clients"];

/**
 * Finds the tests whose path contains `name`, or else those whose title does. Upper and lower case are the same. Returns
 * null if there are none.
 */
export function findTests(name: string): FoundTests | null {
  const wanted = name.toLowerCase();
  const all = listTests();
  const byPath = all.filter((path) => path.toLowerCase().includes(wanted));
  const paths =
    byPath.length > 0 ? byPath : all.filter((path) => readFileSync(path, "utf8").toLowerCase().includes(wanted));
  if (paths.length === 0) return null;
  const files = (project: Project) => paths.filter((path) => findProject(path) === project).sort();
  return {
    files: {
      unit: files("unit"),
      api: files("api"),
      process: files("process"),
      nightly: files("nightly"),
      journeys: files("journeys"),
      nightlyJourneys: files("nightlyJourneys"),
    },
    title: byPath.length > 0 ? null : name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
  };
}

/** The tests that only `npm run test:all` runs, and `npm test` if it is given their name. */
export const listNightly = (): string[] => listTests().filter((path) => findProject(path).startsWith("nightly"));

function listTests(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path.replaceAll("\\", "/")}`),
  ).filter((path) => /\.(test\.tsx?|spec\.ts)$/.test(path));
}

/** Matches the folders and names in the configurations of Vitest and Playwright. */
function findProject(path: string): Project {
  const isNightly = path.includes(".nightly.");
  if (path.startsWith("e2e/journeys/")) return isNightly ? "nightlyJourneys" : "journeys";
  if (isNightly) return "nightly";
  if (path.startsWith("e2e/api/")) return "api";
  return path.startsWith("e2e/process/") || path.includes(".process.test.") ? "process" : "unit";
}
