import { parseFileZone } from "@/lib/time/local-clock";

/** What headings, comments, names of files and cells say of the zone of times. */

/** Names of one offset, in hours ahead of UTC. CST, IST and BST have several meanings. */
export const OFFSET_HOURS: Readonly<Record<string, number>> = {
  ...{ Z: 0, UTC: 0, GMT: 0, WET: 0, WEST: 1, CET: 1, CEST: 2, EET: 2, EEST: 3, MSK: 3, JST: 9, KST: 9, HKT: 8 },
  ...{ EST: -5, EDT: -4, CDT: -5, MDT: -6, PST: -8, PDT: -7, AEST: 10, AEDT: 11, NZDT: 13 },
};

/** Words for the zone of a place, which follows its clock changes. */
const PLACES: Readonly<Record<string, string>> = {
  ...{ eet: "EET", cet: "CET", wet: "WET", met: "MET", jst: "Asia/Tokyo", msk: "Europe/Moscow" },
  ...{ et: "America/New_York", eastern: "America/New_York", "new york": "America/New_York", ny: "America/New_York" },
  ...{ "us eastern": "America/New_York", chicago: "America/Chicago", london: "Europe/London", tokyo: "Asia/Tokyo" },
  ...{ frankfurt: "Europe/Berlin", berlin: "Europe/Berlin", athens: "Europe/Athens", sydney: "Australia/Sydney" },
  ...{ mez: "CET", мск: "Europe/Moscow", 北京时间: "Asia/Shanghai", 日本時間: "Asia/Tokyo" },
  ...{ moscow: "Europe/Moscow", "hong kong": "Asia/Hong_Kong", singapore: "Asia/Singapore" },
};

/** The zone is said, but not clearly: a summer or a winter time, a clock of somebody, or an abbreviation of several zones. */
export const UNCLEAR = "unclear";
const UNCLEAR_WORDS =
  /^(?:ortszeit|mesz|locale|местное|本地时间|当地时间|現地時間|yerel|lokalny|(?:local|server|broker|exchange|terminal|platform|market|mt[45])(?: .*)?|[ecmp][sd]t|bst|ist|ae[sd]t|nz[sd]t|ces?t|ees?t|wes?t|hkt|sgt|kst)$/i;

const OFFSET = String.raw`[+\-−–] ?\d{1,2}(?::?(?:00|15|30|45))?(?!\d)`;
const DST = String.raw`\(?(?:US|EU|UK|AU|NO|WITH|WITHOUT)[-_ ]?DST\)?`;
const WHOLE = new RegExp(`^(?:(utc|gmt|z|zulu) ?)?(${OFFSET})?(?: ?(${DST}))?$`, "i");

/**
 * The zone that a text names by itself, as `parseFileZone` reads it: "GMT-3", "EET", "+05:30", "US/Eastern", "GMT+2
 * US-DST". UNCLEAR if it is about a zone that only a person can tell; null if it is about something else.
 */
export function readStatedZone(text: string): string | null {
  const name = text.trim().replace(/^[([{]+|[)\]}]+$/g, "");
  if (name.includes("/") && parseFileZone(name) !== null) return name;
  const plain = name
    .replace(/[\s_]+/g, " ")
    .replace(/^(?:in|is|are) | ?\btime(?: ?zone)?$/gi, "")
    .trim();
  const [whole, word, offset, dst] = WHOLE.exec(plain) ?? [];
  if (whole !== undefined && (word ?? offset) !== undefined) return toZone(offset ?? "", dst ?? "");
  const place = PLACES[plain.toLowerCase()];
  if (place !== undefined) return place;
  return UNCLEAR_WORDS.test(plain) ? UNCLEAR : null;
}

/** Hours ahead of UTC in winter, and whose summer time they follow. */
function toZone(offset: string, dst: string): string {
  const [, sign, hours = "0", minutes = ""] = /^(\D) ?(\d{1,2}):?(\d\d)?$/.exec(offset) ?? [];
  const ahead = (sign === "+" ? 1 : -1) * Number(hours);
  if (Math.abs(ahead) > 14) return UNCLEAR;
  const add = (zone: string, more: number) => (more === 0 ? zone : `${zone}${more < 0 ? "-" : "+"}${Math.abs(more)}`);
  const rest = minutes === "" || minutes === "00" ? "" : `:${minutes}`;
  if (dst === "" || /no|without/i.test(dst))
    return ahead === 0 && rest === "" ? "UTC" : `UTC${sign === "+" ? "+" : "-"}${Math.abs(ahead)}${rest}`;
  if (rest !== "" || /au|with/i.test(dst)) return UNCLEAR;
  return /us/i.test(dst) ? add("America/New_York", ahead + 5) : add("Europe/London", ahead);
}

const ABBREVIATION = "E[SD]T|EES?T|CES?T|C[SD]T|P[SD]T|BST|JST|MSK|AE[SD]T";
const INSIDE = [
  new RegExp(`(?<![A-Za-z])(?:UTC|GMT) ?(?:${OFFSET}|[ _]0(?!\\d))?(?:[_ -]*${DST})?(?![A-Za-z])`, "gi"),
  new RegExp(`(?<![A-Za-z/])(?:${ABBREVIATION})(?![A-Za-z/])`, "g"),
  /(?<![A-Za-z])(?:US|[A-Z][a-z]+)[/_-][A-Z][a-z]+(?:[/_][A-Z][a-z]+)*(?:[+-]\d{1,2}(?!\d))?/g,
  /(?<![a-z])(?:local|server|broker)[ _-]?time(?![a-z])/gi,
];

/** The zone that stands among the words of a text, such as the name of a file; UNCLEAR for several, null for none. */
export function findStatedZone(text: string): string | null {
  const found = new Set<string>();
  for (const match of INSIDE.flatMap((form) => [...text.matchAll(form)])) {
    const words = match[0].replace(/[_ ]0(?=$|[_ -])/, "");
    // "GMT-01-2024" is a date behind GMT.
    const isDate = /-\d+$/.test(words) && /^[-.]\d/.test(text.slice(match.index + words.length));
    const place = words.replace(/^([A-Za-z]+)[_-]/, "$1/");
    const zone = isDate ? UNCLEAR : ((place.includes("/") ? readStatedZone(place) : null) ?? readStatedZone(words));
    if (zone !== null) found.add(zone);
  }
  const [only = null] = found;
  return found.size > 1 ? UNCLEAR : only;
}

/** The zone that several statements agree in: null for none, UNCLEAR if they differ or one is unclear. */
export function joinStatedZones(zones: readonly (string | null)[]): string | null {
  const [first = null, ...others] = new Set(zones.filter((zone) => zone !== null));
  return others.length > 0 ? UNCLEAR : first;
}

const TIME_WORDS =
  /^(?:date|time|datetime|timestamp|stamp|open|opening|start|begin|bar|candle|trade|quote|tick|ts|dt|of|in|at|the|day|hour|unix|epoch)$/i;

/** A heading of times without the zone that it states, and the zone as `readStatedZone` reads it: "Time (UTC+2)", "time_est". */
export function splitStatedZone(heading: string): { readonly name: string; readonly zone: string | null } {
  const words = heading
    .replace(/([a-z])([A-Z]{2,})/g, "$1 $2")
    .replace(/[()[\]{}<>"（）]+/g, " ")
    .split(/[\s_]+|(?<=[A-Za-z])-(?=[A-Za-z])/)
    .filter((word) => word !== "");
  const rest = words.filter((word) => !TIME_WORDS.test(word));
  if (rest.length === 0) return { name: heading, zone: null };
  const stated = readStatedZone(rest.join(" ")) ?? readStatedZone(rest.join("_"));
  if (stated !== null && rest.length < words.length)
    return { name: words.filter((word) => TIME_WORDS.test(word)).join(" "), zone: stated };
  // In other languages, what is not the zone stands before it or behind it.
  for (let at = 1; at < words.length; at++) {
    const [before, behind] = [words.slice(0, at).join(" "), words.slice(at).join(" ")];
    const zone = readStatedZone(behind);
    if (zone !== null) return { name: before, zone };
    const first = readStatedZone(before);
    if (first !== null) return { name: behind, zone: first };
  }
  return { name: heading, zone: readStatedZone(words.join(" ")) };
}

/** The zone that a line above the rows states: "# timezone: Asia/Tokyo". */
export function readZoneLine(line: string): string | null {
  const [, said] =
    /(?:^|[^a-z])(?:time[ _-]?zone|tz|zone|(?:all )?times?(?: are| is| in)+)["']?\s*[:=,;\t]?\s*(.*)$/i.exec(line) ??
    [];
  const words = (said ?? line).replace(/^["']|["',;\s.]+$/g, "");
  const zone = said === undefined ? null : readStatedZone(words);
  if (zone !== null) return zone;
  // Another line with a date says when something was made.
  const found = said === undefined && /\d{4}[-./]\d|\d:\d\d/.test(line) ? null : findStatedZone(words);
  return found ?? (said === undefined || words === "" ? null : UNCLEAR);
}
